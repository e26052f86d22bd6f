import type { AppList } from '../../server/contract/control-apps.ts'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { startSandbox } from '../../server/index.ts'
import { commandLineWorld } from '../helpers/command-line.ts'
import { controlAt } from '../helpers/sandbox.ts'
import { callerAt } from '../helpers/cast.ts'
import { webhookAt } from '../helpers/json-receiver.ts'

const { folder, run, start } = commandLineWorld()
const patience = 120_000

describe('hub-sandbox stop', { timeout: patience }, () => {
  test('stops the sandbox like a signal, with its state saved', async () => {
    const data = join(folder(), 'kept')
    const { ended, sandbox } = await start(['--data', data, '--control-token'])
    const env = { HUB_SANDBOX_DATA: data }
    const token = await run(['token', '--user', 'bob', '--scope', 'openid'], env).ended
    const stopped = await run(['stop'], env).ended
    expect(stopped).toMatchObject({ code: 0, stdout: '' })
    expect(stopped.stderr).toBe(
      `Stopped the sandbox at ${sandbox.url} (process ${sandbox.pid}); its state is in ${data}.\n`,
    )
    expect(existsSync(join(data, 'lock.json'))).toBe(false)
    expect(await ended).toMatchObject({ code: 0 })

    const again = await start(['--data', data])
    const whoami = await callerAt(again.sandbox, token.stdout.trim()).get('/api/whoami-v2')
    expect(whoami.body).toMatchObject({ name: 'bob' })
    expect(readdirSync(data)).toContain('lock.json')
    expect(await run(['stop'], env).ended).toMatchObject({ code: 0 })
    expect(await run(['stop', '--url', again.sandbox.url]).ended).toMatchObject({
      code: 1,
      stderr: `No sandbox is running at ${again.sandbox.url}.\n`,
    })
  })

  test.each(['stop', 'reset'])(
    '%s of a folder without a running sandbox affects no other sandbox',
    async (command) => {
      const { sandbox } = await start([])
      const side = join(folder(), 'side')
      const env = { HUB_SANDBOX_URL: sandbox.url }
      const refused = await run([command, '--data', side], env).ended
      expect(refused).toMatchObject({ code: 1, stdout: '' })
      expect(refused.stderr).toMatch(
        `No sandbox is running with the data folder ${side}.\nStart one with "`,
      )
      const status = await run(['status', '--json']).ended
      expect(JSON.parse(status.stdout)).toMatchObject({ url: sandbox.url })
    },
  )

  test('is refused without the control token, and to web pages', async () => {
    const { sandbox } = await start(['--ephemeral', '--control-token'])
    const refused = await run(['stop', '--url', sandbox.url]).ended
    expect(refused).toMatchObject({ code: 1, stdout: '' })
    const address = `${sandbox.url}/_sandbox/api/stop`
    const headers = { authorization: `Bearer ${sandbox.controlToken}` }
    const ofPage = { ...headers, origin: 'http://localhost:1' }
    expect((await fetch(address, { method: 'POST', headers: ofPage })).status).toBe(403)
    const answer = await fetch(address, { method: 'POST', headers })
    expect(answer.status).toBe(202)
    expect(await answer.json()).toEqual({ status: 'stopping', pid: sandbox.pid })
  })

  test('stops the sandbox of exec as well', async () => {
    const stop = `const told = fetch(process.env.HUB_SANDBOX_URL + '/_sandbox/api/stop', { method: 'POST' })
      .then((answer) => console.log(answer.status))
      process.on('SIGTERM', () => told.then(() => process.exit(5)))
      setInterval(() => {}, 1000)`
    const { code, stdout } = await run(['exec', '--', process.execPath, '-e', stop]).ended
    expect({ code, stdout }).toEqual({ code: 5, stdout: '202\n' })
  })

  test('closes a sandbox inside another program, which keeps running', async () => {
    const sandbox = await startSandbox()
    onTestFinished(() => sandbox.close())
    const { code, stderr } = await run(['stop', '--url', sandbox.url]).ended
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr: `Stopped the sandbox at ${sandbox.url} (process ${process.pid}).\n`,
    })
  })
})

describe('hub-sandbox status', { timeout: patience }, () => {
  test('shows the URL and active overrides', async () => {
    const { sandbox } = await start(['--ephemeral'])
    const at = ['--url', sandbox.url]
    const plain = await run(['status', ...at]).ended
    expect(plain.stdout).toMatch(/^Clock +\S+Z, real time$/m)
    expect(plain.stdout).toMatch(/^State +in memory only$/m)
    expect(plain.stdout).toMatch(/^Faults +none$/m)
    expect(plain.stdout).toMatch(/^Barriers +none$/m)
    expect(plain.stdout).not.toMatch(/^(Experiments|Audits|Flags|Paused webhooks)/m)
    expect(plain.stdout).toMatch(/^Waiting +nothing$/m)

    await run(['clock', 'advance', '8h', ...at]).ended
    const added = await run(['fault', 'add', '--route', '/oauth/token', '--status', '503', ...at])
      .ended
    await fetch(`${sandbox.url}/oauth/device`, {
      method: 'POST',
      body: new URLSearchParams({ client_id: '0c8f2b5e-6d41-4f0a-9b67-2f1a8f3d7c10' }),
    })
    const bent = await run(['status', ...at]).ended
    expect(bent.stdout).toMatch(/^Clock +\S+Z, 8h ahead of real time$/m)
    expect(bent.stdout).toContain(`${added.stdout.trim()} for {"route":"/oauth/token"} (0 hits)`)
    expect(bent.stdout).toMatch(/^Waiting +1 pending device code$/m)
    const json = await run(['status', '--json', ...at]).ended
    expect(JSON.parse(json.stdout)).toMatchObject({
      url: sandbox.url,
      dashboardUrl: sandbox.dashboardUrl,
      pid: sandbox.pid,
      faults: [{ id: added.stdout.trim() }],
      clock: { frozen: false },
      outstandingDeliveries: 0,
    })
  })

  test('shows whatever else changes responses or waits', async () => {
    const flags = ['--rate-limits', '--strict', '--delivery-profile', 'ci', '--auto-approve']
    const { sandbox } = await start(['--ephemeral', ...flags])
    const control = controlAt(sandbox.url)
    const make = async (path: string, body: object) =>
      (await control.post<{ id: string }>(path, body)).body
    // Before the others: an audit refuses to begin beside a fault.
    const [app] = (await control.get<AppList>('apps')).body.items
    const audit = await make('audits', {
      kind: 'app',
      clientId: app?.clientId,
      driver: 'program',
    })
    const barrier = await make('barriers', { match: { route: '/oauth/token' }, count: 1 })
    await control.post('experiments/nonce/run')
    const webhook = await make('webhooks', webhookAt('http://localhost:9', { held: true }))
    const fork = await make('forks', {})
    const { stdout } = await run(['status', '--url', sandbox.url]).ended
    expect(stdout).toContain(`${barrier.id} for {"route":"/oauth/token"} (0 of 1 held)`)
    expect(stdout).toMatch(/^Experiments +nonce \(armed\)$/m)
    expect(stdout).toMatch(new RegExp(`^Paused webhooks +${webhook.id} to http`, 'm'))
    expect(stdout).toMatch(new RegExp(`^Audits +${audit.id} of .* \\((running|waiting)\\)$`, 'm'))
    expect(stdout).toMatch(new RegExp(`^Forks +${fork.id} at http`, 'm'))
    expect(stdout).toMatch(/^Flags +--rate-limits --strict --auto-approve --delivery-profile ci$/m)
  })
})
