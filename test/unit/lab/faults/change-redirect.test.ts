import { expect, test } from 'vitest'
import { changeRedirect } from '../../../../server/lab/faults/change-redirect.ts'

test.each([
  ['https://a.example/cb?x=1&code=c', { remove: ['code'] }, 'https://a.example/cb?x=1'],
  ['https://a.example/cb?code=c', { remove: ['code'] }, 'https://a.example/cb'],
  ['https://a.example/cb', { set: { iss: 'i&j' } }, 'https://a.example/cb?iss=i%26j'],
  ['myapp://cb?state=a%20b', { set: { iss: 'é' } }, 'myapp://cb?state=a%20b&iss=%C3%A9'],
  ['myapp:/cb?s=1#part?s=2', { set: { s: '3' } }, 'myapp:/cb?s=3#part?s=2'],
  ['https://a.example/?a=1&b=2&a=3', { set: { a: '4' } }, 'https://a.example/?b=2&a=4'],
  ['https://a.example/?co%64e=1&b', { remove: ['code'] }, 'https://a.example/?b'],
  ['https://a.example/?a=%zz', { remove: ['b'] }, 'https://a.example/?a=%zz'],
])('%s, changed by %j', (location, rule, changed) => {
  expect(changeRedirect(location, rule).location).toBe(changed)
})

test('a removal is listed only if the parameter was there, and a code is not shown', () => {
  const { changes } = changeRedirect('https://a.example/?iss=i', {
    set: { code: 'hf_secret', state: 'x' },
    remove: ['iss', 'gone'],
  })
  expect(changes).toEqual([
    'redirect: code changed',
    'redirect: state set to "x"',
    'redirect: iss removed',
  ])
})
