import type { NetworkInterfaceInfo } from 'node:os'
import { expect, test } from 'vitest'
import { findNetworkAddress } from '../../../server/core/network-address.ts'

function at(address: string, internal = false): NetworkInterfaceInfo {
  const rest = { netmask: '', mac: '', internal, cidr: null }
  return address.includes(':')
    ? { address, family: 'IPv6', scopeid: 0, ...rest }
    : { address, family: 'IPv4', ...rest }
}

test('the address of a network card is chosen before those of containers, IPv4 first', () => {
  const interfaces = {
    lo: [at('127.0.0.1', true), at('::1', true)],
    docker0: [at('172.17.0.1')],
    wlan0: [at('fd00::2'), at('192.168.1.20')],
  }
  expect(findNetworkAddress(interfaces)).toBe('192.168.1.20')
  expect(findNetworkAddress({ docker0: interfaces.docker0 })).toBe('172.17.0.1')
  expect(findNetworkAddress({ eth0: [at('fd00::2')] })).toBe('fd00::2')
})

test('loopback and link-local addresses are no network', () => {
  const interfaces = {
    lo: [at('127.0.0.1', true)],
    eth0: [at('169.254.3.4'), at('fe80::1')],
    gone: undefined,
  }
  expect(findNetworkAddress(interfaces)).toBeUndefined()
})
