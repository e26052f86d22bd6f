import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { splitWords } from '../../server/commands/audit-app.ts'
import { connectSandbox } from '../../server/index.ts'
import { type AuditedApp, startAuditedApp } from '../helpers/audited-app.ts'
import { commandLineWorld } from '../helpers/command-line.ts'

const { folder, run, start } = commandLineWorld()
const options = { timeout: 120_000 }

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

test('audit app exits with 0, 1, 2 and 3', options, async () => {
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
  expect(lost.stdout).toMatch(/without\s+a\s+redirect\s+to\s+the\s+hub/)
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

test('an app is audited by a command', options, async () => {
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

test('Ctrl-C ends an audit with a report of what was judged', options, async () => {
  const { app, begin, sandbox } = await worldWithApp()
  const audit = begin('--start', app.start)
  await expect.poll(() => audit.output(), { timeout: 20_000 }).toContain('id-token/garbage')
  audit.child.kill('SIGINT')
  const { code, stdout } = await audit.ended
  expect(code).toBe(130)
  expect(stdout).toContain('id-token/garbage')
  expect(await sandbox.faults.list()).toEqual([])
})

test('a command is split without a shell', () => {
  expect(splitWords(`npm run "my test" -- --name='a b'c $HOME`)).toEqual([
    'npm',
    'run',
    'my test',
    '--',
    '--name=a bc',
    '$HOME',
  ])
  expect(() => splitWords(`npm 'run`)).toThrow('is not closed')
  expect(() => splitWords('  ')).toThrow('requires a program')
})
