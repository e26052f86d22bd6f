import { syncBuiltinESMExports } from 'node:module'
import os, { type NetworkInterfaceInfo } from 'node:os'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { BlockedTargetError, resolveTarget } from '../../../../server/web/outgoing/target-policy.ts'
import { loopbackOnly } from '../../../helpers/webhook-world.ts'

const asInterface = (address: string): NetworkInterfaceInfo => {
  const more = { address, netmask: '', mac: '', internal: false, cidr: null }
  return address.includes(':')
    ? { ...more, family: 'IPv6', scopeid: 0 }
    : { ...more, family: 'IPv4' }
}

// Not by a mock of the module: whatever another file has loaded of the server would keep the real one.
beforeEach(() => {
  vi.spyOn(os, 'networkInterfaces').mockReturnValue({
    eth0: ['192.168.7.20', 'fd00:1::20'].map(asInterface),
  })
  syncBuiltinESMExports()
})
afterEach(() => {
  vi.restoreAllMocks()
  syncBuiltinESMExports()
})

const policy = { ...loopbackOnly, ownPorts: () => [7420] }

describe("the sandbox's own port", () => {
  test.each([
    '127.0.0.1',
    '127.9.9.9',
    '[::1]',
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
    '[64:ff9b::127.0.0.1]',
    'localhost',
    'hub.localhost',
    '192.168.7.20',
    '[::ffff:192.168.7.20]',
    '[2002:c0a8:714::]',
    '[fd00:1::20]',
    '[fd00:1:0:0::20]',
  ])('is never called as %s', async (host) => {
    const resolving = resolveTarget(new URL(`http://${host}:7420/`), policy)
    await expect(resolving).rejects.toThrow(BlockedTargetError)
    await expect(resolving).rejects.toThrow('belongs to this sandbox')
  })

  test('is allowed on the IP address of another machine', async () => {
    for (const host of ['192.168.7.21', '[::ffff:192.168.7.21]', '[fd00:1::21]']) {
      expect(await resolveTarget(new URL(`http://${host}:7420/`), policy)).toHaveLength(1)
    }
  })
})

describe('a host name', () => {
  const looked: string[] = []
  const resolve = async (hostname: string) => {
    looked.push(hostname)
    return [{ address: '10.0.0.7', family: 4 as const }]
  }
  beforeEach(() => void looked.splice(0))

  test('of the public network is refused offline without a lookup', async () => {
    const resolving = resolveTarget(new URL('https://hooks.example.com/in'), { ...policy, resolve })
    await expect(resolving).rejects.toMatchObject({
      name: 'BlockedTargetError',
      needsNetwork: true,
      message:
        'hooks.example.com is a public host name; start with --allow-network to resolve and call it',
    })
    expect(looked).toEqual([])
    const open = { ...policy, resolve, allowNetwork: true }
    expect(await resolveTarget(new URL('https://hooks.example.com/in'), open)).toHaveLength(1)
  })

  test.each(['receiver', 'receiver.local', 'host.docker.internal', 'nas.home.arpa', 'app.test'])(
    'of the machine or its network is looked up: %s',
    async (host) => {
      await resolveTarget(new URL(`http://${host}:3000/`), { ...policy, resolve })
      expect(looked).toEqual([host])
    },
  )
})
