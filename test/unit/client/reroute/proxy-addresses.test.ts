import { describe, expect, test } from 'vitest'
import { readOrigins } from '../../../../server/core/routed-origins.ts'
import {
  passageTo,
  isControlPath,
  readAuthority,
} from '../../../../server/client/reroute/proxy/proxy-addresses.ts'

describe('what a CONNECT asks for', () => {
  test.each([
    ['hub.invalid:443', { host: 'hub.invalid', port: 443 }],
    ['HUB.invalid.:80', { host: 'hub.invalid', port: 80 }],
    ['[::1]:3000', { host: '::1', port: 3000 }],
  ])('%s', (text, target) => {
    expect(readAuthority(text)).toEqual(target)
  })

  test.each([
    '',
    'hub.invalid',
    'hub.invalid:',
    ':443',
    'hub.invalid:0',
    'hub.invalid:70000',
    'hub.invalid:443/path',
    'user@hub.invalid:443',
    'https://hub.invalid:443',
    '[::1:443',
    'hub.invalid:443\r\nHost: x',
    'hub.invalid:+443',
    'a b:443',
    '/',
  ])('not %j', (text) => {
    expect(readAuthority(text)).toBeUndefined()
  })
})

describe('where a connection leads', () => {
  const { origins } = readOrigins(['https://hub.invalid', 'http://hub.example:8080'])
  const rules = { origins, allowNetwork: false, ownPorts: [7420] }
  const kindOf = (host: string, port: number, allowNetwork = false) =>
    passageTo({ ...rules, allowNetwork }, { host, port })

  test.each([
    ['hub.invalid', 443, true],
    ['hub.invalid', 80, false],
    ['hub.example', 8080, false],
  ])('%s:%d is the sandbox', (host, port, isSecure) => {
    expect(kindOf(host, port)).toEqual({ kind: 'sandbox', isSecure })
  })

  test.each([
    ['hub.invalid', 22],
    ['hub.example', 443],
    ['api.hub.invalid', 443],
    ['other.invalid', 443],
    ['169.254.169.254', 80],
    ['10.0.0.1', 443],
    ['::ffff:127.0.0.1', 80],
    // The sandbox by its own address, past the look at paths.
    ['localhost', 7420],
    ['127.0.0.1', 7420],
  ])('%s:%d is nowhere', (host, port) => {
    expect(kindOf(host, port)).toMatchObject({ kind: 'nowhere' })
  })

  test('the user’s own app is on loopback, by its own name only', () => {
    expect(kindOf('localhost', 3000)).toEqual({ kind: 'loopback' })
    expect(kindOf('app.localhost', 3000)).toEqual({ kind: 'loopback' })
  })

  test('elsewhere is for the address policy, at the two ports', () => {
    expect(kindOf('other.invalid', 443, true)).toEqual({ kind: 'elsewhere' })
    expect(kindOf('other.invalid', 25, true)).toMatchObject({ kind: 'nowhere' })
    expect(kindOf('hub.invalid', 22, true)).toMatchObject({ kind: 'nowhere' })
  })
})

describe('paths of the sandbox’s own', () => {
  test.each([
    '/_sandbox',
    '/_sandbox/',
    '/_sandbox?token=x',
    '/_sandbox/api/tokens',
    '/%5Fsandbox/',
    '/%5f%73andbox/',
    '/%255fsandbox/',
    '//_sandbox/',
    '/./_sandbox',
    '/a/../_sandbox/',
    '/a/%2e%2e/_sandbox/',
    '/%2f_sandbox/',
    '/\\_sandbox/',
    '/_SandBox/',
    '/;x/_sandbox',
    '/_sandbox;x/',
    '/\t_sand\nbox',
    '\t/_sandbox',
    '/_sandbox//..',
    '/_sandbox/../x',
  ])('%s is one', (path) => {
    expect(isControlPath(path)).toBe(true)
  })

  test.each(['/', '/oauth/authorize', '/a/_sandbox', '/_sandboxes', '/x?next=/_sandbox', '/%zz'])(
    '%s is none',
    (path) => {
      expect(isControlPath(path)).toBe(false)
    },
  )
})
