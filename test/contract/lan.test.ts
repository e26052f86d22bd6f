import { get } from 'node:http'
import { networkInterfaces } from 'node:os'
import { describe, expect, test } from 'vitest'
import { findNetworkAddress } from '../../server/core/network-address.ts'
import { startSandbox } from '../../server/index.ts'
import { commandLineWorld } from '../helpers/command-line.ts'
import { printed } from '../helpers/printed.ts'

const address = findNetworkAddress(networkInterfaces())
const world = commandLineWorld()

// This machine may have no network; the rules of the flag are tested in test/unit/app/config.
describe.skipIf(address === undefined)('a sandbox started with --lan', () => {
  test('is reached at the network address and on loopback, with URLs of the network address', async () => {
    await using sandbox = await startSandbox({ lan: true })
    const { hostname, port } = new URL(sandbox.url)
    expect(hostname).toBe(address?.includes(':') ? `[${address}]` : address)
    for (const origin of [sandbox.url, `http://127.0.0.1:${port}`]) {
      expect((await fetch(`${origin}/_sandbox/health`)).status).toBe(200)
    }
    const discovery = await fetch(`${sandbox.url}/.well-known/openid-configuration`)
    expect(await discovery.json()).toMatchObject({ issuer: sandbox.url })
    const device = await fetch(`${sandbox.url}/oauth/device`, {
      method: 'POST',
      body: new URLSearchParams({ client_id: sandbox.fixtures.apps[0]?.clientId ?? '' }),
    })
    expect(await device.json()).toMatchObject({ verification_uri: `${sandbox.url}/oauth/device` })
  })

  test('requires the control token, and refuses foreign Host names', async () => {
    await using sandbox = await startSandbox({ lan: true })
    expect((await fetch(`${sandbox.url}/_sandbox/api/clock`)).status).toBe(401)
    expect(await sandbox.clock.read()).toMatchObject({ frozen: false })
    const status = await new Promise((resolve, reject) => {
      const headers = { host: 'rebound.example.com' }
      get(`${sandbox.url}/api/whoami-v2`, { headers }, (response) => {
        response.resume()
        resolve(response.statusCode)
      }).on('error', reject)
    })
    expect(status).toBe(403)
  })

  test('prints its URL, the control token and a QR code that opens the dashboard', async () => {
    const running = world.run(['start', '--lan', '--port', '0', '--ephemeral'])
    const [, dashboardUrl = '', token] = await printed(
      running,
      /Dashboard +(\S+)[^]*Control token +(\S+)[^]*Open the dashboard on a phone:[^]*█/,
    )
    expect(dashboardUrl).toContain(`token=${token}`)
    expect(running.output()).toContain(`Other machines can reach the sandbox at ${address}`)
  })
})
