import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { deviceCodeGrant } from '../../server/contract/words/oauth-words.ts'
import { type Sandbox, startSandbox } from '../../server/index.ts'
import { defaultApps, defaultFixtures } from '../helpers/sandbox.ts'

const intervalMs = 2000

/** A device whose sign-in returns while its polls go on in the background, until it has the tokens or too many errors. */
function createBackgroundDevice(sandbox: Sandbox, clientId: string) {
  const { url } = sandbox
  let mostErrors = 1
  const running = new Set<Promise<void>>()
  async function post(path: string, form: Record<string, string>) {
    const body = new URLSearchParams({ client_id: clientId, ...form })
    const response = await fetch(`${url}${path}`, { method: 'POST', body })
    return (await response.json()) as Record<string, string>
  }
  async function poll(code: string): Promise<void> {
    for (let errors = 0; errors < mostErrors;) {
      await sleep(intervalMs)
      const form = { grant_type: deviceCodeGrant, device_code: code }
      const { access_token: token, error } = await post('/oauth/token', form)
      if (token !== undefined) {
        const headers = { authorization: `Bearer ${token}` }
        await fetch(`${url}/oauth/userinfo`, { headers })
        return
      }
      if (error !== 'authorization_pending') errors += 1
    }
  }
  return {
    async signIn() {
      const code = await post('/oauth/device', { scope: 'openid profile' })
      // The audit approves it, too.
      await sandbox.approveDevice(code['user_code'] ?? '').catch(() => undefined)
      running.add(poll(code['device_code'] ?? ''))
    },
    pollOn() {
      mostErrors = 3
    },
    ended: () => Promise.all(running),
  }
}

test(
  'a device that polls in the background is judged by its next poll',
  { timeout: 120_000 },
  async () => {
    await using sandbox = await startSandbox({
      fixtures: await defaultFixtures({ config: { device: { interval: `${intervalMs}ms` } } }),
    })
    const { clientId } = defaultApps(sandbox).public
    const device = createBackgroundDevice(sandbox, clientId)
    const audit = async (...only: string[]) => {
      const signIn = () => device.signIn()
      const { verdicts } = await sandbox.audit.app({ clientId, flow: 'device', signIn, only })
      return Object.fromEntries(verdicts.map(({ module, outcome }) => [module, outcome]))
    }
    expect(await audit('device/pending')).toEqual({ 'device/pending': 'passed' })
    device.pollOn()
    expect(await audit('device/denied', 'device/expired')).toEqual({
      'device/denied': 'failed',
      'device/expired': 'failed',
    })
    await device.ended()
  },
)
