import { isIP } from 'node:net'
import { assert, constantFrom, nat, oneof, property, tuple } from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isAmong, kindOfAddress, listAddresses } from '../../../../server/web/outgoing/address.ts'
import { blockedWithoutResolver } from '../../../../server/web/outgoing/target-policy.ts'
import { loopbackOnly } from '../../../helpers/webhook-world.ts'

describe('IP addresses (RFC 6890)', () => {
  test.each([
    ['127.0.0.1', 'loopback'],
    ['127.255.255.255', 'loopback'],
    ['::1', 'loopback'],
    ['::ffff:127.0.0.1', 'loopback'],
    ['10.1.2.3', 'private'],
    ['172.16.0.1', 'private'],
    ['172.31.255.255', 'private'],
    ['192.168.1.1', 'private'],
    ['100.64.0.1', 'private'],
    ['fd12:3456::1', 'private'],
    ['8.8.8.8', 'public'],
    ['172.32.0.1', 'public'],
    ['172.15.255.255', 'public'],
    ['2606:4700::1111', 'public'],
    ['64:ff9b::8.8.8.8', 'public'],
    ['2002:808:808::1', 'public'],
    ['169.254.169.254', 'forbidden'],
    ['::ffff:169.254.169.254', 'forbidden'],
    ['64:ff9b::a9fe:a9fe', 'forbidden'],
    ['2002:a9fe:a9fe::1', 'forbidden'],
    ['fd00:ec2::254', 'forbidden'],
    ['100.100.100.200', 'forbidden'],
    ['fe80::1', 'forbidden'],
    ['fe80::1%eth0', 'forbidden'],
    ['0.0.0.0', 'forbidden'],
    ['::', 'forbidden'],
    ['224.0.0.1', 'forbidden'],
    ['255.255.255.255', 'forbidden'],
    ['ff02::1', 'forbidden'],
    ['127.0.0.1%eth0', 'forbidden'],
    ['::1\0', 'forbidden'],
    ['127.0.0.1\0.example', 'forbidden'],
    ['not an address', 'forbidden'],
  ])('%s is %s', (address, kind) => {
    expect(kindOfAddress(address)).toBe(kind)
  })
})

describe('an IPv4 address within IPv6', () => {
  const [mapped, translated, sixToFour] = ['::ffff:', '64:ff9b::', '2002:'] as const
  const hexOf = (bytes: readonly number[]) =>
    Buffer.from(bytes).toString('hex').replace(/^.{4}/, '$&:')
  const formsOf = (bytes: readonly number[]) => [
    ...[mapped, translated].flatMap((head) => [head + bytes.join('.'), head + hexOf(bytes)]),
    `${sixToFour}${hexOf(bytes)}::1`,
  ]
  const octet = oneof(constantFrom(0, 10, 100, 127, 169, 172, 192, 254), nat(255))
  const address4 = tuple(octet, octet, octet, octet)

  test('has the class of the embedded address', () => {
    assert(
      property(address4, (bytes) => {
        const forms = formsOf(bytes)
        expect(forms.map(isIP)).toEqual([6, 6, 6, 6, 6])
        expect(new Set(forms.map(kindOfAddress))).toEqual(new Set([kindOfAddress(bytes.join('.'))]))
      }),
    )
  })

  test('is matched in a list under every notation, and no other is', () => {
    assert(
      property(address4, address4, (bytes, others) => {
        const list = listAddresses([bytes.join('.')])
        const isSame = bytes.join('.') === others.join('.')
        expect(formsOf(bytes).every((form) => isAmong(list, form))).toBe(true)
        expect(formsOf(others).some((form) => isAmong(list, form))).toBe(isSame)
      }),
    )
  })
})

describe('URLs refused without DNS', () => {
  test.each([
    ['http://8.8.8.8/', true],
    ['http://[::ffff:a9fe:a9fe]/', true],
    ['http://2852039166/', true],
    ['http://0x7f.1/', false],
    ['http://localhost./', false],
    ['http://a.b.localhost:1/', false],
    ['http://example.com/', false],
    ['http://localhost.example.com/', false],
  ])('%s: %s', (url, isBlocked) => {
    expect(blockedWithoutResolver(new URL(url), loopbackOnly) !== undefined).toBe(isBlocked)
  })

  test('the own port is refused, under every name of loopback and as default port', () => {
    const policy = { ...loopbackOnly, ownPorts: () => [80, 7420] }
    for (const url of ['http://localhost:7420/', 'http://x.localhost/', 'http://[::1]:7420/']) {
      expect(blockedWithoutResolver(new URL(url), policy)).toContain('belongs to this sandbox')
    }
    expect(blockedWithoutResolver(new URL('https://localhost/'), policy)).toBeUndefined()
  })

  test('link-local addresses are refused even with the network allowed', () => {
    const policy = { ...loopbackOnly, allowNetwork: true }
    expect(blockedWithoutResolver(new URL('http://8.8.8.8/'), policy)).toBeUndefined()
    expect(blockedWithoutResolver(new URL('http://169.254.169.254/'), policy)).toContain('never')
  })
})
