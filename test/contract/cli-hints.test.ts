import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { describe, expect, onTestFinished, test } from 'vitest'
import { frameworks } from '../../server/contract/words/sandbox-words.ts'
import { commandLineWorld } from '../helpers/command-line.ts'
import { printed } from '../helpers/printed.ts'

const { folder, run, shell, start } = commandLineWorld()
const patience = 60_000

type Running = ReturnType<typeof run>

/** Ends it with the test: two sandboxes cannot have one data folder. */
function stopLater({ child, ended }: Pick<Running, 'child' | 'ended'>): void {
  onTestFinished(async () => {
    child.kill('SIGTERM')
    await ended
  })
}

describe('the hint of a start for setting up a client', { timeout: patience }, () => {
  test.each([
    ['in memory only', () => ['--ephemeral']],
    ['in memory only, with a control token', () => ['--ephemeral', '--control-token']],
    ['in a folder of its own', () => ['--data', join(folder(), "it's here")]],
    ['known by another name', () => ['--ephemeral', '--base-url', 'http://hub.example:9']],
  ])('works as printed for a sandbox %s', async (_which, args) => {
    // Without its options the hint would lead to this one.
    stopLater(await start([]))
    const running = run(['--port', '0', ...args()])
    stopLater(running)
    const [, hub, hint] = await printed(running, /Hub +(\S+)[^]*Set up a client: +(.+)\n/)
    const { code, stdout, stderr } = await shell(`${hint} && echo "$HF_ENDPOINT"`)
    expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: `${hub}\n`, stderr: '' })
  })

  test('needs no options for the default sandbox of the user', async () => {
    const running = run(['--port', '0'])
    stopLater(running)
    const [, hub, hint] = await printed(running, /Hub +(\S+)[^]*Set up a client: +(.+)\n/)
    expect(hint).toMatch(/ env\)"$/)
    expect(await shell(`${hint} && echo "$HF_ENDPOINT"`)).toMatchObject({ stdout: `${hub}\n` })
  })
})

describe('without a running sandbox', { timeout: patience }, () => {
  const noSandbox = ['--url', 'http://localhost:9']

  /** Variables with which nothing reaches the real Hub; a name under `.invalid` never resolves (RFC 6761 §6.4). */
  const unusable = {
    HF_ENDPOINT: expect.stringMatching(/^http:\/\/[\w-]+\.invalid$/) as string,
    OPENID_PROVIDER_URL: expect.stringMatching(/^http:\/\/[\w-]+\.invalid$/) as string,
  }

  test.each([
    ['no sandbox', ['env', ...noSandbox], 1],
    ['no sandbox, with its URL first', [...noSandbox, 'env'], 1],
    ['an unknown option', ['env', '--clinet', 'x'], 2],
    ['an option of env before it', ['--shell', 'env'], 2],
    ['an option of env with a value before it', [...noSandbox, '--client', 'x', 'env'], 2],
    ['options that cannot be combined', ['env', '--client', 'x', '--space', 'y'], 2],
  ])(
    'the eval around env fails and leaves no way to the real Hub: %s',
    async (_why, words, code) => {
      const failed = await run(words).ended
      expect(failed.code).toBe(code)
      const evaluate = (after: string) =>
        shell(`eval '${failed.stdout.replaceAll("'", "'\\''")}'${after}`)
      expect(await evaluate(' && echo set up')).toMatchObject({ code: 1, stdout: '' })
      const { stdout } = await evaluate('\nnode -p process.env.HF_ENDPOINT')
      expect(stdout.trim()).toEqual(unusable.HF_ENDPOINT)
      expect(failed.stderr).toContain(stdout.trim())
    },
  )

  test('env --json and --dotenv print variables that reach no Hub', async () => {
    const json = await run(['env', '--json', ...noSandbox]).ended
    expect(json.code).toBe(1)
    expect(JSON.parse(json.stdout)).toEqual(unusable)
    const { stdout, code } = await run(['env', '--dotenv', ...noSandbox]).ended
    expect({ code, variables: parseEnv(stdout) }).toEqual({ code: 1, variables: unusable })
  })

  test('a command that only names env prints nothing for a shell', async () => {
    for (const words of [
      ['token', '--user', 'env', ...noSandbox],
      ['exec', '--port', 'x', '--', 'env'],
    ]) {
      expect((await run(words).ended).stdout).toBe('')
    }
  })

  test('a shell that reads the program of env --for fails', async () => {
    const { stdout } = await run(['env', '--for', 'curl', ...noSandbox]).ended
    expect(await shell(`echo '${stdout}' | sh`)).toMatchObject({ code: 1, stdout: '' })
  })

  test('env --help prints no variables', async () => {
    const { code, stdout } = await run(['env', '--help']).ended
    expect(code).toBe(0)
    expect(stdout).not.toContain('.invalid')
  })

  test('env --for with an unknown program lists the known ones without looking for a sandbox', async () => {
    const { code, stdout, stderr } = await run(['env', '--for', 'openid_client']).ended
    expect({ code, stdout }).toEqual({ code: 2, stdout: 'exit 1\n' })
    expect(stderr).toContain('No settings for openid_client (did you mean "openid-client"?)')
    for (const name of [...frameworks, 'python', 'mcp']) expect(stderr).toContain(name)
  })

  test.each([
    ['http://localhost:9', / --port 9"/],
    ['https://localhost:7420', / --https"/],
    ['http://localhost:7420', /(cli\.cjs|from-sources\.ts) start"/],
  ])('the printed command would start a sandbox at %s', async (url, command) => {
    expect((await run(['token', '--url', url]).ended).stderr).toMatch(command)
  })
})

describe('a sandbox behind another host name', { timeout: patience }, () => {
  test('is reachable for commands on this machine, with its control token', async () => {
    const data = join(folder(), 'named')
    const running = await start(['--data', data, '--base-url', 'http://hub.example:7420'])
    stopLater(running)
    expect(running.sandbox).toMatchObject({ url: 'http://hub.example:7420' })
    expect(running.sandbox.controlToken).toBeDefined()
    const env = { HUB_SANDBOX_DATA: data }
    expect(await run(['clock'], env).ended).toMatchObject({ code: 0, stderr: '' })
    const named = ['clock', '--url', 'http://hub.example:7420']
    expect(await run(named, env).ended).toMatchObject({ code: 0, stderr: '' })
    const { stdout } = await run(['env', '--json'], env).ended
    expect(JSON.parse(stdout)).toMatchObject({
      HF_ENDPOINT: 'http://hub.example:7420',
      OPENID_PROVIDER_URL: 'http://hub.example:7420',
    })
  })
})

describe('a sandbox that listens on one IP address', { timeout: patience }, () => {
  test('uses it for its URL and issuer, and responds there', async ({ skip }) => {
    skip(process.platform !== 'linux', 'only Linux has all of 127.0.0.0/8 by default')
    const running = await start(['--ephemeral', '--host', '127.0.0.2'])
    stopLater(running)
    const { url } = running.sandbox
    expect(url).toMatch(/^http:\/\/127\.0\.0\.2:\d+$/)
    const metadata = await fetch(`${url}/.well-known/openid-configuration`)
    expect(await metadata.json()).toMatchObject({ issuer: url })
    expect(await run(['clock', '--url', url]).ended).toMatchObject({ code: 0 })
  })
})
