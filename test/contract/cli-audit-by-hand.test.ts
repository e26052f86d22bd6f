import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, onTestFinished, test } from 'vitest'
import { commandText } from '../../server/core/shell-words.ts'
import { cliCommand, commandLineWorld } from '../helpers/command-line.ts'
import { printed, watch } from '../helpers/printed.ts'
import { bareEnvironment, hasProgram } from '../helpers/programs.ts'
import { defaultFixtures } from '../helpers/sandbox.ts'

const { folder, run, start, execute } = commandLineWorld()
const options = { timeout: 120_000 }
const patienceMs = 40_000
const enter = '\r'
const ctrlC = '\u0003'
const ctrlD = '\u0004'
/** That of util-linux, which makes a pseudo terminal; the one of macOS takes other options. */
const hasTerminal = process.platform === 'linux' && hasProgram('script')
const cliApp = fileURLToPath(new URL('../helpers/apps/cli-app.mjs', import.meta.url))

/** A sandbox whose devices poll every second, with the terminal of a person who audits one of its apps. */
async function worldOfPerson() {
  const fixtures = join(folder(), 'fixtures.json')
  const changed = await defaultFixtures({ config: { device: { interval: '1s' } } })
  writeFileSync(fixtures, JSON.stringify(changed))
  const { url } = (await start(['--ephemeral', '--fixtures', fixtures])).sandbox
  const apps = (changed.apps ?? []).filter(({ clientSecret }) => clientSecret === undefined)
  const [app, other] = apps.map(({ clientId = '', name, redirectUris = [] }) => ({
    name,
    /** The app signs in. */
    signIn: (action: 'device' | 'code') =>
      execute(process.execPath, [cliApp, action, clientId, redirectUris[0] ?? ''], {
        HUB_SANDBOX_URL: url,
      }).ended,
  }))
  if (app === undefined || other === undefined) throw new Error('The fixtures lack a public app.')

  function audit(...args: string[]) {
    const words = ['audit', 'app', '--app', app?.name ?? '', ...args, '--url', url]
    const child = spawn('script', ['-qec', commandText([...cliCommand, ...words]), '/dev/null'], {
      cwd: folder(),
      env: bareEnvironment({ HOME: folder(), SHELL: '/bin/sh' }),
    })
    onTestFinished(() => void child.kill('SIGKILL'))
    const running = watch(child)
    return {
      /** Waits until the terminal shows a pattern, once more. */
      shows: (pattern: RegExp) => printed(running, pattern, 'stdout', patienceMs),
      press: (keys: string) => void child.stdin.write(keys),
      output: running.output,
      code: once(child, 'close').then(([code]) => code as number),
    }
  }
  return { app, other, audit }
}

describe.runIf(hasTerminal)('an audit by hand in a terminal', options, () => {
  test('leads a person through the sign-ins of a device, and continues by itself', async () => {
    const { app, audit } = await worldOfPerson()
    const { shows, output, code } = audit('--flow', 'device', '--only', 'device/denied')
    await shows(/Honest sign-in: Sign in to .+ with a device code\.[^]+continues by itself/)
    const next = shows(/device\/denied \(1 of 1\): Sign in to [^]+ skip the module/)
    await app.signIn('device')
    await next
    await app.signIn('device')
    expect([await code, output()]).toEqual([0, expect.stringMatching(/^passed +device\/denied/m)])
    expect(output()).toMatch(/^You sign in to .+: honestly first, and then for one module\./m)
    expect(output()).toMatch(/The honest sign-in succeeded\.\s+device\/denied/)
  })

  test('skips a module by the key s, and repeats the keys after any other word', async () => {
    const { app, audit } = await worldOfPerson()
    const { shows, press, output, code } = audit('--only', 'callback/state-changed')
    await shows(/begins no sign-in\./)
    const next = shows(/callback\/state-changed \(1 of 1\): [^]+skip the module\./)
    await app.signIn('code')
    await next
    const repeated = shows(/Press Enter [^]+skip the module\./)
    press(`later${enter}`)
    await repeated
    press(`S${enter}`)
    expect([await code, output()]).toEqual([3, expect.stringContaining('skipped the module')])
  })

  test('names the app that signed in instead, after Enter', async () => {
    const { other, audit } = await worldOfPerson()
    const { shows, press, output, code } = audit('--flow', 'device')
    await shows(/begins no sign-in\./)
    await other.signIn('device')
    press(enter)
    expect(await code).toBe(2)
    expect(output().replaceAll(/\s+/g, ' ')).toContain(`begin a sign-in. ${other.name} did`)
  })

  test.each([
    ['Ctrl-C', ctrlC],
    ['Ctrl-D', ctrlD],
  ])('%s ends it with a report', async (_key, key) => {
    const { audit } = await worldOfPerson()
    const { shows, press, output, code } = audit('--only', 'callback')
    await shows(/begins no sign-in\./)
    press(key)
    expect([await code, output()]).toEqual([130, expect.stringMatching(/^not reached: /m)])
  })
})

test.each([
  [[], '--start or --command'],
  [['--flow', 'device'], '--command'],
])('an audit by hand %j requires a terminal', options, async (flow, ways) => {
  const { url } = (await start(['--ephemeral'])).sandbox
  expect(await run(['audit', 'app', '--app', 'x', ...flow, '--url', url]).ended).toMatchObject({
    code: 2,
    stderr: expect.stringContaining(`requires a terminal. Pass ${ways}, or`),
  })
})
