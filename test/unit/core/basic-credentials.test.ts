import { expect, test } from 'vitest'
import { formDecode, readBasic } from '../../../server/core/basic-credentials.ts'

const header = (pair: string) => `Basic ${Buffer.from(pair).toString('base64')}`

test('both parts are read as they were sent', () => {
  expect(readBasic(header('an-app:a:secret%20é'))).toEqual({
    name: 'an-app',
    password: 'a:secret%20é',
  })
  expect(readBasic(header('an-app:'))).toEqual({ name: 'an-app', password: '' })
  expect(readBasic(header('an-app'))).toEqual({ name: 'an-app', password: undefined })
  expect(readBasic(header('an-app:x').replace('Basic', 'basic '))).toMatchObject({ password: 'x' })
})

test.each([undefined, '', 'Basic', 'Basic ', 'Bearer YTpi', 'Basic a b', 'Basic é'])(
  '%j is no Basic header',
  (authorization) => {
    expect(readBasic(authorization)).toBeUndefined()
  },
)

test.each([
  ['an%2Dapp', 'an-app'],
  ['a+b%2Bc', 'a b+c'],
  ['plain_id', 'plain_id'],
  ['100%', '100%'],
])('%s is decoded to %s', (sent, decoded) => {
  expect(formDecode(sent)).toBe(decoded)
})
