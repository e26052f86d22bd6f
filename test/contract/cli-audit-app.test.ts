import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test, vi } from 'vitest'
import { connectSandbox } from '../../server/index.ts'
import { type AuditedApp, startAuditedApp } from '../helpers/audited-app.ts'
import { commandLineWorld } from '../helpers/command-line.ts'
import { defaultFixtures } from '../helpers/sandbox.ts'

const { folder, run, start } = commandLineWorld()
vi.setConfig({ testTimeout: 120_000 })
const stopSignals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

async function worldWithApp(behaviour?: AuditedApp) {
  const { url } = (await start(['--ephemeral'])).sandbox
  const sandbox = await connectSandbox(url)
  const app = await startAuditedApp(sandbox, behaviour)
  onTestFinished(async () => {
    app.close()
    await sandbox.close()
  })
  const begin = (...args: string[]) =>
    run(['audit', 'app', '--app', 'Audited', ...args, '--url', url])
  return { app, sandbox, begin, audit: (...args: string[]) => begin(...args).ended }
}

test('audit app exits with 0, 1, 2 and 3', async () => {
  const { app, audit, sandbox } = await worldWithApp({ user: 'claims' })
  const good = await audit('--start', app.start, '--only', 'callback/state-changed')
  expect(good).toMatchObject({ code: 0, stdout: expect.stringMatching(/1 passed/) })
  expect(good.stderr).toMatch(/^passed +callback\/state-changed$/m)

  const probe = ['--start', app.start, '--signed-in', app.signedIn]
  const warned = [...probe, '--only', 'id-token/garbage', '--fail-on', 'warning']
  expect(await audit(...warned)).toMatchObject({
    code: 1,
    stdout: expect.stringMatching(
      /^warning {2}id-token\/garbage\n[^]*Observed: The user is signed in/m,
    ),
  })

  const lost = await audit('--start', app.signedIn)
  expect(lost.code).toBe(2)
  expect(lost.stdout).toMatch(/without\s+a\s+redirect\s+to\s+the\s+Hub/)
  expect(await audit('--command', 'no-such-program login')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('Command no-such-program not found.'),
  })
  expect(await audit('--command', '"open')).toMatchObject({ code: 2 })

  const blind = await audit('--start', app.start, '--only', 'id-token/garbage')
  expect(blind.code).toBe(3)
  expect(blind.stdout).toContain('pass --signed-in')
  expect(await sandbox.faults.list()).toEqual([])
})

test('an app is audited by a command', async () => {
  const { app, audit } = await worldWithApp()
  const script = join(folder(), 'sign in.mjs')
  writeFileSync(
    script,
    `const login = await fetch(${JSON.stringify(app.start)}, { redirect: 'manual' })
const url = new URL(login.headers.get('location'))
const body = JSON.stringify({ user: 'alice', ...Object.fromEntries(url.searchParams) })
const headers = { 'content-type': 'application/json' }
const answer = await fetch(process.env.HUB_SANDBOX_URL + '/_sandbox/api/authorize', { method: 'POST', headers, body })
const { redirectTo } = await answer.json()
await fetch(redirectTo, { headers: { cookie: login.headers.get('set-cookie').split(';')[0] } })
console.log('module', process.env.HUB_SANDBOX_MODULE)
`,
  )
  const command = `"${process.execPath}" '${script}'`
  const only = ['--only', 'id-token/garbage', '--only', 'callback/state-changed']
  const { code, stdout, stderr } = await audit('--command', command, ...only, '--format', 'json')
  expect(code).toBe(0)
  expect((JSON.parse(stdout) as { modules: object[] }).modules).toMatchObject([
    { module: 'id-token/garbage', outcome: 'failed' },
    { module: 'callback/state-changed', outcome: 'passed' },
  ])
  expect(stderr).toContain('module plain\n')
  expect(stderr).toContain('module callback/state-changed\n')
})

const cliApp = fileURLToPath(new URL('../helpers/apps/cli-app.mjs', import.meta.url))

/** A sandbox whose devices poll every second, and a program without a page, which stands for the public default app. */
async function worldWithCliApp() {
  const fixtures = join(folder(), 'fixtures.json')
  const changed = await defaultFixtures({ config: { device: { interval: '1s' } } })
  writeFileSync(fixtures, JSON.stringify(changed))
  const { url } = (await start(['--ephemeral', '--fixtures', fixtures])).sandbox
  const app = changed.apps?.find(({ clientSecret }) => clientSecret === undefined)
  const clientId = app?.clientId ?? ''
  const redirectUri = app?.redirectUris?.[0] ?? ''
  const command = (action: string, mistake = '') =>
    `"${process.execPath}" "${cliApp}" ${action} ${clientId} ${redirectUri} ${mistake}`
  const audit = (...args: string[]) =>
    run(['audit', 'app', '--app', clientId, ...args, '--format', 'json', '--url', url]).ended
  return { url, command, audit }
}

function outcomesIn(stdout: string): Record<string, string> {
  const { modules } = JSON.parse(stdout) as { modules: { module: string; outcome: string }[] }
  return Object.fromEntries(modules.map(({ module, outcome }) => [module, outcome]))
}

test('a device that is started by a command is audited', async () => {
  const { audit, command } = await worldWithCliApp()
  const device = ['--flow', 'device', '--command']
  const good = await audit(...device, command('device'))
  expect(outcomesIn(good.stdout)).toEqual({
    'device/slow-down': 'passed',
    'device/denied': 'passed',
    'device/expired': 'passed',
  })
  expect(good.code).toBe(0)
  const bad = await audit(...device, command('device', 'impatient'))
  expect(new Set(Object.values(outcomesIn(bad.stdout)))).toEqual(new Set(['failed']))
  expect(bad.code).toBe(1)
})

test('an app is used by a command', async () => {
  const { audit, command } = await worldWithCliApp()
  const only = ['session/expired-token', 'session/refresh-refused', 'session/revoked']
  const selected = only.flatMap((module) => ['--only', module])
  const byUse = (mistake?: string) =>
    audit('--command', command('code'), '--use-command', command('use', mistake), ...selected)
  const good = await byUse()
  expect(outcomesIn(good.stdout)).toEqual(Object.fromEntries(only.map((id) => [id, 'passed'])))
  expect(outcomesIn((await byUse('keeps')).stdout)).toMatchObject({
    'session/expired-token': 'failed',
    'session/revoked': 'failed',
  })
  const unused = await audit('--command', command('code'), ...selected)
  expect(unused.stdout).toContain('--use-command')
  expect(unused.code).toBe(3)
  expect(await audit('--command', command('code'), '--use-command', 'no-such-program')).toEqual(
    expect.objectContaining({
      code: 2,
      stderr: expect.stringContaining('Pass --use-command with a program'),
    }),
  )
})

test.each([
  ['checks-issuer', 'passed', 'The app does not begin a sign-in.'],
  ['trusts-issuer', 'failed', 'The user is signed in.'],
  ['ends-at-wrong-issuer', 'passed', 'The app does not start with this metadata.'],
] as const)(
  'an app that %s at its start is judged after a restart',
  async (metadata, outcome, observed) => {
    const { app, audit, sandbox } = await worldWithApp({ metadata })
    const script = join(folder(), 'restart.mjs')
    writeFileSync(script, `await fetch(${JSON.stringify(app.restart)})`)
    const driven = ['--start', app.start, '--signed-in', app.signedIn, '--format', 'json']
    const args = [...driven, '--only', 'metadata/other-issuer']
    const cached = await audit(...args)
    expect([cached.code, outcomesIn(cached.stdout)]).toEqual([
      3,
      { 'metadata/other-issuer': 'not-reached' },
    ])
    const { stdout } = await audit(...args, '--restart', `"${process.execPath}" "${script}"`)
    expect((JSON.parse(stdout) as { modules: object[] }).modules).toMatchObject([
      { outcome, observed },
    ])
    // It has read the honest metadata again.
    expect(app.known()).toEqual({ issuer: sandbox.url, starts: 3 })
  },
)

test('an audit names what it does not know, before it begins', async () => {
  const { app, audit, sandbox } = await worldWithApp()
  writeFileSync(join(folder(), 'file'), '')
  const wrong: [args: string[], message: string][] = [
    [['--only', 'callback/state'], 'There is no module callback/state'],
    [['--skip', 'calback'], 'There is no module calback'],
    [['--user', 'alise'], 'did you mean "alice"?'],
    [['--out', 'file/report.json'], '--out: cannot write to'],
    [['--out', '.', '--format', 'json'], 'is a folder'],
    [['--use-command', 'x'], '--use-command requires --command'],
  ]
  for (const [args, message] of wrong) {
    const { code, stderr } = await audit('--start', app.start, ...args)
    expect([args, code, stderr]).toEqual([args, 2, expect.stringContaining(message)])
  }
  expect(await sandbox.control('GET', 'audits')).toMatchObject({ items: [] })

  const report = join('new folder', 'report.json')
  const only = ['--only', 'callback/state-changed']
  expect(await audit('--start', app.start, ...only, '--out', report)).toMatchObject({ code: 0 })
  expect(readFileSync(join(folder(), report), 'utf8')).toContain('callback/state-changed')
})

test.each(stopSignals)('%s ends an audit with a report of what was judged', async (signal) => {
  const { app, begin, sandbox } = await worldWithApp()
  const audit = begin('--start', app.start)
  await expect.poll(() => audit.output(), { timeout: 20_000 }).toContain('id-token/garbage')
  audit.child.kill(signal)
  const { code, stdout } = await audit.ended
  expect(code).toBe(130)
  expect(stdout).toContain('id-token/garbage')
  expect(await sandbox.faults.list()).toEqual([])
})
