import { describe, expect, test } from 'vitest'
import { isLocalhost, isLoopbackHost, localhostAddresses } from '../../../server/core/loopback.ts'

describe('loopback', () => {
  test.each([
    'localhost',
    'LOCALHOST',
    'localhost.',
    'hub.localhost',
    '127.0.0.1',
    '127.0.0.2',
    '127.255.255.254',
    '::1',
    '[::1]',
  ])('is %s', (host) => expect(isLoopbackHost(host)).toBe(true))

  test.each([
    'localhost.example.com',
    'notlocalhost',
    '127.0.0.1.example.com',
    '128.0.0.1',
    '10.0.0.1',
    '0.0.0.0',
    '::',
    '[::2]',
    '',
    '127.0.0.1.',
    '127.0.0.256',
    '127.0.0.01',
    '127.1',
    '0x7f.0.0.1',
    '2130706433',
    '[127.0.0.1]',
    '[::1].',
    '::ffff:127.0.0.1',
    'localhost..',
  ])('is not %s', (host) => expect(isLoopbackHost(host)).toBe(false))

  test('loopback has more addresses than localhost resolves to', () => {
    expect(localhostAddresses.every(isLoopbackHost)).toBe(true)
    expect(localhostAddresses).not.toContain('127.0.0.2')
    expect(isLocalhost('app.localhost')).toBe(true)
    expect(isLocalhost('127.0.0.1')).toBe(false)
  })
})
