import { parseCookie, parseSetCookie } from 'cookie'
import { array, assert, boolean, constantFrom, option, property, string } from 'fast-check'
import { describe, expect, test } from 'vitest'
import { omitUndefined } from '../../../../server/core/omit-undefined.ts'
import { cookieOfPort, formatCookie, readCookies } from '../../../../server/web/plugins/cookies.ts'

describe('cookies (RFC 6265)', () => {
  test.each([
    ['session=abc', ['abc']],
    ['a=b; session=abc; c=d', ['abc']],
    ['a=b;session=abc', ['abc']],
    ['session=abc=def', ['abc=def']],
    ['session=', ['']],
    ['session=abc; a=b; session=def', ['abc', 'def']],
    ['session=abc; session=abc', ['abc', 'abc']],
    ['mysession=abc', []],
    ['session', []],
    ['=abc', []],
    ['', []],
  ])('reads %j', (cookie, values) => {
    expect(readCookies({ cookie }, 'session')).toEqual(values)
  })

  test('reads nothing without a header', () => {
    expect(readCookies({}, 'session')).toEqual([])
  })

  test('have the port of their sandbox in their names', () => {
    expect(cookieOfPort('session', { port: 7420 })).toBe('session_7420')
  })

  test('are written unreadable for scripts', () => {
    expect(formatCookie('a', 'b', { secure: false })).toBe('a=b; Path=/; HttpOnly; SameSite=Lax')
    expect(formatCookie('a', '', { maxAge: 0, secure: true, path: '/x' })).toBe(
      'a=; Path=/x; HttpOnly; SameSite=Lax; Max-Age=0; Secure',
    )
  })

  test('are read like the package cookie reads them', () => {
    const piece = constantFrom('session', 'a', '__proto__', '=', ';', ' ', '"', '%20', '\t')
    const asIs = { decode: (value: string) => value }
    assert(
      property(array(piece), constantFrom('session', 'a', '__proto__'), (pieces, name) => {
        const cookie = pieces.join('')
        expect(readCookies({ cookie }, name)[0]).toBe(parseCookie(cookie, asIs)[name])
      }),
    )
  })

  test('are written so that the package cookie reads them', () => {
    const value = string({ unit: constantFrom('a', 'Z', '0', '-', '_', '.', '='), maxLength: 40 })
    const maxAge = option(constantFrom(0, 3600), { nil: undefined })
    assert(
      property(value, maxAge, boolean(), (text, age, secure) => {
        const header = formatCookie('name', text, {
          ...omitUndefined({ maxAge: age }),
          secure,
          path: '/x',
        })
        expect(parseSetCookie(header)).toEqual({
          name: 'name',
          value: text,
          path: '/x',
          httpOnly: true,
          sameSite: 'lax',
          ...omitUndefined({ maxAge: age, secure: secure || undefined }),
        })
      }),
    )
  })
})
