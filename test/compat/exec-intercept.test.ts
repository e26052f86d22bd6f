import { execFile } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { nodeOptions } from '../../server/cli/exec/node-options.ts'
import { watchRun } from '../helpers/expect-silent.ts'
import { startTestSandbox } from '../helpers/sandbox.ts'
import { bareEnvironment, hasProgram } from '../helpers/programs.ts'
import { guard, interceptMissing } from '../helpers/intercepted-program.ts'

const cli = fileURLToPath(new URL('../../dist/server/cli.cjs', import.meta.url))
beforeEach(({ skip }) => skip(interceptMissing !== undefined, interceptMissing))

interface Ended {
  code: number
  stdout: string
  stderr: string
  /** Hosts that were asked for beyond this machine, by the program or the command. */
  refused: string[]
}

/** Runs a program by `exec`, under a guard of all that Node does. */
async function exec(
  flags: readonly string[],
  program: string,
  env = {},
  command = [process.execPath, 'program.mjs'],
): Promise<Ended> {
  const folder = mkdtempSync(join(tmpdir(), 'hub-sandbox-exec-intercept-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  writeFileSync(join(folder, 'program.mjs'), program)
  const log = join(folder, 'refused')
  const watched = watchRun(folder, flags)
  const ended = await new Promise<Ended>((resolve) => {
    execFile(
      process.execPath,
      [cli, 'exec', ...flags, ...watched.flags, '--', ...command],
      {
        cwd: folder,
        timeout: 60_000,
        env: bareEnvironment({
          HOME: folder,
          XDG_DATA_HOME: folder,
          NODE_OPTIONS: nodeOptions(process.env['NODE_OPTIONS'], [guard]),
          REFUSED_NETWORK_LOG: log,
          ...env,
        }),
      },
      (error, stdout, stderr) => {
        const refused = existsSync(log) ? readFileSync(log, 'utf8').trim().split('\n') : []
        resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr, refused })
      },
    )
  })
  watched.expectSilent()
  return ended
}

const asksHub = `
const answer = await fetch('https://hub.invalid/.well-known/openid-configuration')
const me = await fetch('https://hub.example/api/whoami-v2', { headers: { authorization: 'Bearer hf_sandbox_alice' } })
const control = (url) => fetch(url + '/_sandbox/api/clock', { headers: { authorization: 'Bearer ' + process.env.HUB_SANDBOX_CONTROL_TOKEN } })
console.log(JSON.stringify({
  issuer: (await answer.json()).issuer,
  name: (await me.json()).name,
  endpoint: process.env.HF_ENDPOINT,
  control: [(await control('https://hub.invalid')).status, (await control(process.env.HUB_SANDBOX_URL)).status],
}))`

const expected = {
  issuer: 'https://hub.invalid',
  name: 'alice',
  endpoint: 'https://hub.invalid',
  control: [403, 200],
}

test.each([[[]], [['--https']]])(
  'a program with the address built in finds the sandbox (start flags: %j)',
  async (flags) => {
    const origins = 'https://hub.invalid,https://hub.example'
    const ended = await exec(['--intercept', origins, ...flags], asksHub)
    expect(ended).toMatchObject({ code: 0, refused: [] })
    expect(JSON.parse(ended.stdout)).toEqual(expected)
    expect(ended.stderr).toContain(
      'Requests of Node programs to https://hub.invalid, https://hub.example go to this sandbox',
    )
    // Where a browser would take the token to the real hub.
    expect(ended.stderr).not.toContain('https://hub.invalid/_sandbox')
  },
)

test('nothing is rerouted unless it is asked for', async () => {
  const ended = await exec([], `await fetch('https://hub.invalid').catch(() => process.exit(5))`)
  expect(ended).toMatchObject({ code: 5, refused: ['hub.invalid'] })
  expect(ended.stderr).not.toContain('Rerouted')
})

test('the user’s proxy is not asked for the hub', async () => {
  const program = `console.log(process.env.NO_PROXY)`
  const env = { HTTPS_PROXY: 'http://proxy.invalid:3128', NO_PROXY: 'intern.invalid' }
  const { stdout } = await exec(['--intercept', 'https://hub.invalid'], program, env)
  expect(stdout.trim().split(',')).toEqual(
    expect.arrayContaining(['intern.invalid', 'hub.invalid']),
  )
})

test('a sandbox that runs is taken where its issuer is the origin, and no other', async () => {
  const fitting = await startTestSandbox({
    intercept: ['https://hub.invalid', 'https://hub.example'],
    controlToken: 'a-token-to-test',
  })
  const flags = (url: string) => [
    '--url',
    new URL(url).origin,
    '--control-token',
    'a-token-to-test',
    '--intercept',
    'https://hub.invalid,https://hub.example',
  ]
  const ended = await exec(flags(fitting.dashboardUrl), asksHub)
  expect(ended).toMatchObject({ code: 0, refused: [] })
  expect(JSON.parse(ended.stdout)).toEqual(expected)

  const other = await startTestSandbox({ controlToken: 'a-token-to-test' })
  expect(await exec(flags(other.url), `console.log('it ran')`)).toMatchObject({
    code: 2,
    stdout: '',
    stderr: expect.stringContaining(`has the issuer ${other.url}, not https://hub.invalid`),
  })
})

test.each([
  ['hub.invalid', 'must be an origin such as https://huggingface.co, not hub.invalid.'],
  ['https://hub.invalid/api', 'must be an origin without path or user'],
  ['http://localhost:3000', 'use the URL of a local server itself'],
  ['https://hub.invalid,https://hub.invalid', 'has https://hub.invalid twice'],
])('refuses --intercept %s in one sentence', async (origins, sentence) => {
  const ended = await exec(['--intercept', origins], `console.log('it ran')`)
  expect(ended).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining(sentence) })
  expect(ended.stderr.trim().split('\n')).toHaveLength(1)
})

describe('programs that are not of Node get there through the proxy', () => {
  const flags = ['--intercept', 'https://hub.invalid', '--proxy']

  test('curl, whose certificate store knows the hub for this run', async ({ skip }) => {
    skip(!hasProgram('curl'), 'curl is not installed')
    const script = `
      curl -sS https://hub.invalid/.well-known/openid-configuration &&
      curl -sS http://hub.invalid/oauth/jwks &&
      curl -sS -o nothing -w '%{http_code} ' --path-as-is https://hub.invalid/%5fsandbox/api/tokens &&
      curl -sS "$HUB_SANDBOX_URL/_sandbox/health" ;
      curl -sS https://other.invalid; test $? = 56`
    const ended = await exec(flags, '', {}, ['sh', '-c', script])
    expect(ended).toMatchObject({ code: 0, refused: [] })
    expect(ended.stdout).toMatch(/"issuer":"https:\/\/hub\.invalid".*"keys":.*403 \{"status":"ok"/s)
  })

  test('Python, with the addresses and the certificate of its environment', async ({ skip }) => {
    skip(!hasProgram('python3', '-c', 'import ssl'), 'Python with ssl is not installed')
    const script = `
import json, urllib.request
print(json.load(urllib.request.urlopen("https://hub.invalid/.well-known/openid-configuration"))["issuer"])`
    const ended = await exec(flags, '', {}, ['python3', '-c', script])
    expect(ended).toMatchObject({ code: 0, stdout: 'https://hub.invalid\n' })
  })

  test('and a browser by the line that is printed', async () => {
    const program = `
      import { X509Certificate, createHash } from 'node:crypto'
      import { readFileSync } from 'node:fs'
      const all = readFileSync(process.env.SSL_CERT_FILE, 'utf8').match(/-----BEGIN[^]*?END CERTIFICATE-----/g)
      const own = all.map((pem) => new X509Certificate(pem)).find(({ subjectAltName }) => subjectAltName === 'DNS:hub.invalid')
      const spki = own.publicKey.export({ type: 'spki', format: 'der' })
      console.log(JSON.stringify({ roots: all.length, ca: own.ca, hash: createHash('sha256').update(spki).digest('base64') }))`
    const ended = await exec(flags, program)
    const { roots, ca, hash } = JSON.parse(ended.stdout) as {
      roots: number
      ca: boolean
      hash: string
    }
    // The public ones, too, since the variable takes their place; and ours is nobody's authority.
    expect(roots).toBeGreaterThan(50)
    expect(ca).toBe(false)
    expect(ended.stderr).toMatch(/^Proxy: http:\/\/127\.0\.0\.1:\d+, for a browser: chromium /m)
    expect(ended.stderr).toContain(`--ignore-certificate-errors-spki-list=${hash} `)
  })

  test('--proxy alone is refused', async () => {
    const ended = await exec(['--proxy'], '')
    expect(ended).toMatchObject({ code: 2, stderr: expect.stringContaining('add --intercept') })
  })
})
