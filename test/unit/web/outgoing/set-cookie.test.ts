import { describe, expect, test } from 'vitest'
import {
  attributesOf,
  defaultPath,
  endOf,
  isPathWithin,
  parseSetCookie,
} from '../../../../server/web/outgoing/set-cookie.ts'

const flags = { secure: false, httpOnly: false, partitioned: false }

describe('Set-Cookie (RFC 6265bis §5.6)', () => {
  test.each([
    ['a=b', { name: 'a', value: 'b', ...flags }],
    [' a = b=c ; Path=/x', { name: 'a', value: 'b=c', path: '/x', ...flags }],
    ['alone', { name: '', value: 'alone', ...flags }],
    ['=', undefined],
    ['', undefined],
    [
      'a=b; SAMESITE=none; SECURE; Partitioned',
      {
        name: 'a',
        value: 'b',
        sameSite: 'None',
        secure: true,
        httpOnly: false,
        partitioned: true,
      },
    ],
    ['a=b; SameSite=odd; Path=relative', { name: 'a', value: 'b', ...flags }],
    [
      'a=b; Domain=.Example.COM; HttpOnly',
      {
        name: 'a',
        value: 'b',
        domain: 'example.com',
        ...flags,
        httpOnly: true,
      },
    ],
    ['a=b; Max-Age=60; Max-Age=x', { name: 'a', value: 'b', ...flags }],
    [
      'a=b; Max-Age=-1; Expires=Thu, 01 Jan 1970 00:00:00 GMT',
      {
        name: 'a',
        value: 'b',
        maxAge: -1,
        expires: 0,
        ...flags,
      },
    ],
    // The last of equal attributes counts.
    ['a=b; SameSite=Strict; SameSite=Lax', { name: 'a', value: 'b', sameSite: 'Lax', ...flags }],
    ['__proto__=b; __proto__=c', { name: '__proto__', value: 'b', ...flags }],
  ])('%j', (line, cookie) => {
    expect(parseSetCookie(line)).toEqual(cookie)
  })

  test('attributes are shown without the value', () => {
    const cookie = parseSetCookie('id=secret; Path=/; SameSite=None; Secure; Partitioned; HttpOnly')
    expect(attributesOf(cookie!)).toBe('SameSite=None; Secure; Partitioned; HttpOnly; Path=/')
    expect(attributesOf(parseSetCookie('id=secret')!)).toBe('no SameSite (= Lax)')
  })

  test('Max-Age takes precedence over Expires', () => {
    const cookie = parseSetCookie('a=b; Max-Age=10; Expires=Thu, 01 Jan 1970 00:00:00 GMT')!
    expect(endOf(cookie, 5000)).toBe(15_000)
    expect(endOf(parseSetCookie('a=b; Max-Age=0')!, 5000)).toBe(0)
    expect(endOf(parseSetCookie('a=b')!, 5000)).toBeUndefined()
  })
})

describe('paths of cookies (RFC 6265 §5.1.4)', () => {
  test.each([
    ['/', '/'],
    ['/login', '/'],
    ['/auth/login', '/auth'],
    ['/auth/', '/auth'],
  ])('the default for %s is %s', (path, folder) => {
    expect(defaultPath(path)).toBe(folder)
  })

  test.each([
    ['/auth', '/auth', true],
    ['/auth/x', '/auth', true],
    ['/auth/x', '/auth/', true],
    ['/authority', '/auth', false],
    ['/', '/auth', false],
    ['/any', '/', true],
  ])('%s is below %s: %s', (path, cookiePath, isWithin) => {
    expect(isPathWithin(path, cookiePath)).toBe(isWithin)
  })
})
