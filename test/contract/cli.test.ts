import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import { commandText } from '../../server/core/shell-words.ts'
import { cliCommand, commandLineWorld, isBuiltCommand } from '../helpers/command-line.ts'
import { openPipeInstead } from '../helpers/open-pipe-instead.ts'
import { printed } from '../helpers/printed.ts'
import { hasProgram } from '../helpers/programs.ts'

const { execute, folder, run, shell, start } = commandLineWorld()
const patience = 60_000

/** Folders that cannot be data folders or locked. */
function unusable(kind: 'unmakeable' | 'below a file' | 'dangling lock'): string {
  if (kind === 'unmakeable') return '/proc/x/y'
  const below = join(folder(), kind.replaceAll(' ', '-'))
  if (kind === 'below a file') {
    writeFileSync(below, '')
    return join(below, 'data')
  }
  mkdirSync(below)
  symlinkSync(join(folder(), 'nowhere', 'lock.json'), join(below, 'lock.json'))
  return below
}

describe('hub-sandbox', { timeout: patience }, () => {
  // Windows does not remove the folder of a process, and tsx, which runs the sources, does not start without one.
  test.skipIf(process.platform === 'win32' || !isBuiltCommand)(
    'reports that its working folder was deleted',
    () => {
      const gone = join(folder(), 'gone')
      mkdirSync(gone)
      const script = 'cd "$1" && rmdir "$1" && shift && exec "$@"'
      const called = [...cliCommand, 'exec', '--', process.execPath, '-e', '']
      const { status, stderr } = spawnSync('sh', ['-c', script, 'sh', gone, ...called], {
        encoding: 'utf8',
      })
      expect(stderr).toBe('The current folder no longer exists. Change to another one.\n')
      expect(status).toBe(2)
    },
  )

  test('serves, is found by its lock, and exits with 0 on SIGTERM', async () => {
    const { child, ended, sandbox } = await start([])
    expect(sandbox.pid).toBe(child.pid)
    expect(sandbox.dashboardUrl).toBe(`${sandbox.url}/_sandbox/`)

    const token = await run(['token', '--user', 'bob', '--scope', 'openid profile']).ended
    expect(token).toMatchObject({ code: 0, stderr: '' })
    const whoami = await fetch(`${sandbox.url}/api/whoami-v2`, {
      headers: { authorization: `Bearer ${token.stdout.trim()}` },
    })
    expect(await whoami.json()).toMatchObject({ name: 'bob' })

    const second = await run(['start', '--port', '0']).ended
    expect(second.code).toBe(2)
    expect(second.stderr).toContain(`in use by process ${child.pid}`)

    child.kill('SIGTERM')
    const { code, stdout, stderr } = await ended
    expect(code).toBe(0)
    expect(stdout.trim().split('\n')).toHaveLength(1)
    expect(stderr.split('\n')[0]).toMatch(/^hub-sandbox .* with the default fixtures$/)
  })

  test('keeps its state and reports that the fixtures have changed since', async () => {
    const data = join(folder(), 'kept')
    const file = join(folder(), 'mine.json')
    writeFileSync(file, JSON.stringify({ users: [{ username: 'zoe' }] }))
    const first = await start(['--data', data, '--fixtures', file])
    first.child.kill('SIGINT')
    expect(await first.ended).toMatchObject({ code: 0 })

    writeFileSync(file, JSON.stringify({ users: [{ username: 'yan' }] }))
    const again = await start(['--data', data, '--fixtures', file])
    const env = { HUB_SANDBOX_DATA: data }
    const exported = await run(['snapshot', 'export'], env).ended
    expect(JSON.parse(exported.stdout)).toMatchObject({ users: [{ username: 'zoe' }] })
    again.child.kill('SIGTERM')
    expect((await again.ended).stderr).toContain('have changed since they were loaded')
  })

  test('uses the stored users, whatever the fixtures name', async () => {
    const data = join(folder(), 'of-zoe')
    const file = join(folder(), 'zoe.json')
    const zoe = { username: 'zoe', tokens: [{ token: 'hf_sandbox_zoe' }] }
    writeFileSync(file, JSON.stringify({ users: [zoe], repos: [{ name: 'zoe/m' }] }))
    const first = await start(['--data', data, '--fixtures', file])
    first.child.kill('SIGINT')
    await first.ended

    const refused = await run(['start', '--port', '0', '--data', data, '--auto-approve', 'alice'])
      .ended
    expect(refused.stderr).toContain('--auto-approve: unknown user "alice"')
    expect(refused.code).toBe(2)

    const again = run(['start', '--data', data, '--port', '0', '--auto-approve', 'zoe'])
    await printed(again, /^ {2}Users +zoe \(token of zoe: hf_sandbox_zoe\)$/m)
    const env = { HUB_SANDBOX_DATA: data }
    expect(await run(['token', '--role', 'read'], env).ended).toMatchObject({ code: 0, stderr: '' })
    const demo = await run(['demo', 'webhook'], env).ended
    expect(demo.stdout).toContain('A webhook of zoe that watches zoe/m')
    expect(demo.code).toBe(0)
    const listening = run(['listen', '--forward-to', '9'], env)
    await printed(listening, /Forwarding events that zoe may see to /)
  })

  test.each(['start --port 0 --ephemeral --json', 'demo sign-in --yes'])(
    '%s reports a failed write in one sentence',
    async (line) => {
      const { code, stderr } = await shell(`${commandText(cliCommand)} ${line} > /dev/full`)
      expect(stderr).toMatch(/^Cannot write any more output: .*ENOSPC/m)
      expect(stderr).not.toContain('    at ')
      expect(code).toBe(1)
    },
  )

  test.skipIf(process.platform === 'win32')(
    'serves although its log is on a full disk',
    async () => {
      const line = `${commandText(cliCommand)} start --port 0 --ephemeral --json 2> /dev/full`
      const running = execute('bash', ['-c', `exec ${line}`])
      await printed(running, /./, 'stdout')
      running.child.kill('SIGTERM')
      expect(await running.ended).toMatchObject({ code: 0 })
    },
  )

  test('shows the help of a command within a group', async () => {
    const asked = await run(['help', 'fault', 'add']).ended
    expect(asked).toEqual(await run(['fault', 'add', '--help']).ended)
    expect(asked.stdout).toContain('--oauth-error')
    const unknown = await run(['help', 'fault', 'ad']).ended
    expect(unknown).toMatchObject({ code: 1, stderr: expect.stringContaining('"add"') })
  })

  test('passes the control token to the other commands of the user', async () => {
    const data = join(folder(), 'guarded')
    const { child, ended, sandbox } = await start(['--data', data, '--control-token'])
    expect(sandbox.controlToken).toMatch(/^[\w-]{32}$/)
    const refused = await run(['clock', '--url', sandbox.url, '--data', folder()]).ended
    expect(refused).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(/with --control-token or HUB_SANDBOX_CONTROL_TOKEN\.\n$/),
    })
    const clock = await run(['clock', 'advance', '8h'], { HUB_SANDBOX_DATA: data }).ended
    expect(clock.code).toBe(0)
    expect(Date.parse(clock.stdout.trim())).toBeGreaterThan(Date.now() + 7 * 3_600_000)
    child.kill('SIGTERM')
    await ended
  })

  test.runIf(hasProgram('mkfifo'))('refuses a pipe in place of a file of its state', async () => {
    const data = join(folder(), 'pipe')
    mkdirSync(data)
    const journal = join(data, 'journal-1.ndjson')
    execFileSync('mkfifo', [journal])
    const refused = await run(['start', '--port', '0', '--data', data]).ended
    expect(refused).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(`${journal} is a pipe or device, not a file: remove it`),
    })
    expect(existsSync(journal)).toBe(true)
  })

  test.runIf(hasProgram('mkfifo')).each([
    [['SIGTERM'], /stopped during its start/],
    [['SIGTERM', 'SIGINT'], /^hub-sandbox .* with the default fixtures\n$/],
  ] as const)('a hanging start ends on %j', async (signals, message) => {
    const data = join(folder(), `hanging-${signals.length}`)
    mkdirSync(data)
    writeFileSync(join(data, 'journal-1.ndjson'), '')
    const env = openPipeInstead('journal-1.ndjson')
    const { child, ended } = run(['start', '--port', '0', '--data', data], env)
    await vi.waitFor(() => expect(existsSync(join(data, 'lock.json'))).toBe(true), patience)
    for (const signal of signals) child.kill(signal)
    const { stdout, stderr } = await ended
    expect(stdout).toBe('')
    expect(stderr).toMatch(message)
  })

  test.each([
    [['--prot', '1'], /unknown option '--prot'/],
    [['--port', 'x', '--seed', 'y'], /--port: .*\n.*--seed: /],
    [['--fixtures', 'nope.json'], /nope\.json: there is no such file/],
    [['no-such-command'], /too many arguments|unknown command/],
    [['trigger', '--repo', 'a/b', '--nope'], /unknown option/],
  ])('refuses %j with one message and exit code 2', async (args, message) => {
    const { code, stdout, stderr } = await run(args).ended
    expect(stderr).toMatch(message)
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
  })

  test('a preview that no webhook would receive says so', async () => {
    const { child, ended, sandbox } = await start(['--ephemeral'])
    const words = ['trigger', 'repo.content', '--repo', 'acme/corpus', '--preview']
    const { code, stdout } = await run([...words, '--url', sandbox.url]).ended
    expect(code).toBe(0)
    expect(stdout).toMatch(/^event +\w+ +repo\.content update\nNo webhook receives this event\.\n$/)
    child.kill('SIGTERM')
    await ended
  })

  test('explains how to start a sandbox if none is running', async () => {
    const { code, stderr } = await run(['token', '--url', 'http://127.0.0.1:9']).ended
    expect(code).toBe(1)
    expect(stderr).toMatch(/No sandbox is running.*\nStart one with/)
  })

  test('writes a fixtures file that a start accepts, and never overwrites one', async () => {
    const init = await run(['init', 'new.json']).ended
    expect(init.code).toBe(0)
    expect(JSON.parse(readFileSync(join(folder(), 'new.json'), 'utf8'))).toHaveProperty('$schema')
    expect((await run(['init', 'new.json']).ended).code).toBe(2)
    const { child, ended } = await start(['--ephemeral', '--fixtures', 'new.json'])
    child.kill('SIGTERM')
    expect((await ended).stderr.split('\n')[0]).toContain('with new.json')
  })

  test('writes a skill for agents that names each tool, and never overwrites one', async () => {
    const file = join('skills', 'hub', 'SKILL.md')
    expect((await run(['init', '--agent', file]).ended).code).toBe(0)
    const skill = readFileSync(join(folder(), file), 'utf8')
    expect(skill).toMatch(/^---\nname: hub-sandbox\ndescription: .+\n---\n/)
    for (const name of ['sign_in', 'last_refusal', 'apply_fix', 'replay']) {
      expect(skill).toContain(`| \`${name}\` | `)
    }
    expect((await run(['init', '--agent', file]).ended).code).toBe(2)
    expect((await run(['init', '--agent', 'skill.json']).ended).code).toBe(2)
  })
})

describe('an unusable data folder', { timeout: patience }, () => {
  test.each([
    ...(existsSync('/proc/self')
      ? [['unmakeable', /cannot use the data folder \/proc\/x/] as const]
      : []),
    ['below a file', /cannot use the data folder .*file/],
    ['dangling lock', /lock\.json is a link: remove it/],
  ] as const)('is refused at once with exit code 2: %s', async (kind, message) => {
    const { ended } = run(['start', '--port', '0', '--data', unusable(kind)])
    const { code, stdout, stderr } = await ended
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toMatch(message)
  })

  test('is reported by the doctor, too', async () => {
    if (!existsSync('/proc/self')) return
    const { ended } = run(['doctor'], { XDG_DATA_HOME: '/proc/x' })
    expect((await ended).stdout).toMatch(/\/proc\/x\S* is not writable/)
  })
})
