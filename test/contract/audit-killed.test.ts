import { once } from 'node:events'
import { expect, onTestFinished, test, vi } from 'vitest'
import { connectSandbox } from '../../server/index.ts'
import { startAuditedApp } from '../helpers/audited-app.ts'
import { commandLineWorld } from '../helpers/command-line.ts'
import { serve } from '../helpers/json-receiver.ts'

const { run, start } = commandLineWorld()
vi.setConfig({ testTimeout: 120_000 })
const hourMs = 3_600_000

type Connected = Awaited<ReturnType<typeof connectSandbox>>

/** What an audit changes, and must leave as it was. */
async function measure(sandbox: Connected, clientId: string) {
  const { offsetMs } = await sandbox.clock.read()
  const consents = await sandbox.control<{ items: { app?: { clientId: string } }[] }>(
    'GET',
    'consents',
  )
  // Pictures have another port after each start.
  const ofApp = <T extends { app?: { clientId: string } | undefined }>(items: readonly T[]) =>
    items.filter(({ app }) => app?.clientId === clientId).map((item) => ({ ...item, user: {} }))
  return {
    hoursAhead: Math.round(offsetMs / hourMs),
    faults: (await sandbox.faults.list()).length,
    tokens: ofApp(await sandbox.tokens.list()),
    consents: ofApp(consents.items),
  }
}

async function worldWithData() {
  const first = await start(['--data', 'data'])
  const sandbox = await connectSandbox(first.sandbox.url)
  const app = await startAuditedApp(sandbox)
  onTestFinished(() => app.close())
  // A user is signed in before the audit begins.
  const login = await fetch(app.start, { redirect: 'manual' })
  const callback = await sandbox.authorize(login.headers.get('location'))
  const cookie = login.headers.get('set-cookie')?.split(';')[0] ?? ''
  expect((await fetch(callback, { headers: { cookie }, redirect: 'manual' })).status).toBe(302)
  // It never responds, so that an audit waits in the middle of a module.
  const use = await serve(() => undefined)
  const { url } = first.sandbox
  const audit = (module: string) => {
    const urls = ['--start', app.start, '--use', use, '--signed-in', app.signedIn]
    return run(['audit', 'app', '--app', app.clientId, ...urls, '--only', module, '--url', url])
  }
  return { first, sandbox, app, audit }
}

test.each([
  ['session/expired-token', { hoursAhead: 9, faults: 0 }],
  ['session/refresh-refused', { hoursAhead: 9, faults: 1 }],
  ['session/revoked', { hoursAhead: 0, faults: 0, consents: [] }],
])('a sandbox that is killed during %s starts as before the audit', async (...row) => {
  const [module, changed] = row
  const { first, sandbox, app, audit } = await worldWithData()
  const before = await measure(sandbox, app.clientId)
  expect(before).toMatchObject({ hoursAhead: 0, faults: 0 })
  expect([before.tokens.length, before.consents.length]).toEqual([1, 1])

  const running = audit(module)
  // The control: before the kill, everything is as the module wants it.
  await expect
    .poll(() => measure(sandbox, app.clientId), { timeout: 30_000 })
    .toMatchObject(changed)
  first.child.kill('SIGKILL')
  await first.ended
  await sandbox.close()
  expect(await running.ended).toMatchObject({ code: 2 })

  const second = await start(['--data', 'data'])
  await expect
    .poll(() => second.output())
    .toContain('The sandbox was killed while it audited Audited')
  const restarted = await connectSandbox(second.sandbox.url)
  expect(await measure(restarted, app.clientId)).toEqual(before)
  await restarted.close()

  // Once restored, it is not restored again.
  second.child.kill('SIGTERM')
  await second.ended
  const third = await start(['--data', 'data'])
  third.child.kill('SIGTERM')
  await third.ended
  expect(third.output()).not.toContain('killed while it audited')
})

test.each(['SIGTERM', 'SIGINT'] as const)(
  'a sandbox that ends by %s undoes the audit before it saves the state',
  async (signal) => {
    const { first, sandbox, app, audit } = await worldWithData()
    const before = await measure(sandbox, app.clientId)
    const running = audit('session/expired-token')
    await expect
      .poll(() => measure(sandbox, app.clientId), { timeout: 30_000 })
      .toMatchObject({ hoursAhead: 9 })
    first.child.kill(signal)
    await once(first.child, 'close')
    await sandbox.close()
    expect((await running.ended).code).toBe(2)
    const second = await start(['--data', 'data'])
    const restarted = await connectSandbox(second.sandbox.url)
    expect(await measure(restarted, app.clientId)).toEqual(before)
    await restarted.close()
    expect(second.output()).not.toContain('killed while it audited')
  },
)
