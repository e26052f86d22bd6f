import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { commandLineWorld, cliCommand } from '../helpers/command-line.ts'
import { printed } from '../helpers/printed.ts'
import { hasProgram } from '../helpers/programs.ts'

const { execute, folder, run, start } = commandLineWorld()
/** Each starts Node twice, whose sources may have to be compiled anew. */
const patience = 120_000

const node = process.execPath
const printEnvironment = [node, '-e', 'console.log(JSON.stringify(process.env))']

/** A temporary folder of the test's own, so that what is left behind is seen. */
function temporary(name: string) {
  const path = join(folder(), `tmp-${name}`)
  mkdirSync(path)
  return { env: { TMPDIR: path }, left: () => readdirSync(path).filter((one) => /exec/.test(one)) }
}

describe('hub-sandbox exec', { timeout: patience }, () => {
  test('runs a program against its own sandbox and exits with its exit code', async () => {
    const { env, left } = temporary('code')
    const program = `fetch(process.env.HF_ENDPOINT + '/api/whoami-v2', { headers: { authorization: 'Bearer hf_sandbox_bob' } })
      .then((answer) => answer.json()).then(({ name }) => { console.log(name); process.exit(3) })`
    const { code, stdout, stderr } = await run(['exec', '--', node, '-e', program], env).ended
    expect({ code, stdout }).toEqual({ code: 3, stdout: 'bob\n' })
    expect(stderr).toMatch(/^hub-sandbox \S+ at http:\/\/localhost:\d+, running: \S*node -e [^\n]*/)
    expect(left()).toEqual([])
  })

  test('sets the variables that `env` prints, and removes tokens of the real hub', async () => {
    const secrets = { HF_TOKEN: 'hf_mine', HUGGING_FACE_HUB_TOKEN: 'x', HF_OIDC_RESOURCE: 'y' }
    const { stdout } = await run(['exec', '--', ...printEnvironment], secrets).ended
    const env = JSON.parse(stdout) as Record<string, string>
    expect(env).toMatchObject({
      HF_ENDPOINT: env['HUB_SANDBOX_URL'],
      OPENID_PROVIDER_URL: env['HUB_SANDBOX_URL'],
      OAUTH_CLIENT_SECRET: 'sandbox_secret_team_dashboard',
    })
    for (const name of Object.keys(secrets)) expect(env).not.toHaveProperty(name)
    expect(env['HF_TOKEN_PATH']).toMatch(/hub-sandbox-exec-\w+[\\/]token$/)
    expect(existsSync(env['HF_TOKEN_PATH'] ?? '')).toBe(false)
    // In the shared cache of the user the sandbox's files would be served later, offline.
    for (const name of ['HF_HUB_CACHE', 'HF_ASSETS_CACHE', 'HF_DATASETS_CACHE']) {
      expect(env[name]).toMatch(/hub-sandbox-exec-\w+[\\/]huggingface[\\/]\w+$/)
    }
    expect(env['HUGGINGFACE_HUB_CACHE']).toBe(env['HF_HUB_CACHE'])

    const kept = await run(['exec', '--keep-token', '--', ...printEnvironment], secrets).ended
    expect(JSON.parse(kept.stdout)).toMatchObject(secrets)
    expect(JSON.parse(kept.stdout)).not.toHaveProperty('HF_TOKEN_PATH')
  })

  test('configures the program as another app or as a Space', async () => {
    const page = await run(['exec', '--client', 'Model Explorer', '--', ...printEnvironment]).ended
    const variables = JSON.parse(page.stdout) as Record<string, string>
    expect(variables['OAUTH_CLIENT_ID']).toBe('0c8f2b5e-6d41-4f0a-9b67-2f1a8f3d7c10')
    expect(variables).not.toHaveProperty('OAUTH_CLIENT_SECRET')

    const args = ['exec', '--space', 'alice/sentiment-demo', '--', ...printEnvironment]
    expect(JSON.parse((await run(args).ended).stdout)).toMatchObject({
      SYSTEM: 'spaces',
      SPACE_ID: 'alice/sentiment-demo',
      OAUTH_CLIENT_ID: expect.not.stringContaining('7d1e9a34'),
    })
  })

  test('reports an unknown Space and a Space without an app', async () => {
    const unknown = await run(['exec', '--space', 'alice/nowhere', '--', ...printEnvironment]).ended
    expect(unknown).toMatchObject({ code: 1, stdout: '' })
    expect(unknown.stderr).toMatch(
      /Unknown Space alice\/nowhere.* Known Spaces: .*alice\/sentiment-demo/,
    )
  })

  test('passes the control token if the sandbox requires one', async () => {
    const line = `${cliCommand.join(' ')} status --json; echo "$HUB_SANDBOX_CONTROL_TOKEN"`
    const args = ['exec', '--host', '0.0.0.0', '--base-url', 'https://hub.test']
    const { code, stdout, stderr } = await run([...args, '--', 'sh', '-c', line]).ended
    expect(code).toBe(0)
    const [, status = '', token = ''] = /^(\{.*\})\n(\S+)\n$/s.exec(stdout) ?? []
    const { url, dashboardUrl } = JSON.parse(status) as Record<string, string>
    expect(url).toBe('https://hub.test')
    expect(dashboardUrl).toMatch(/^http:\/\/localhost:\d+\/_sandbox\/\?token=/)
    expect(dashboardUrl?.endsWith(token)).toBe(true)
    expect(stderr).toContain('Other machines can reach the sandbox at 0.0.0.0')
    const plain = await run(['exec', '--', 'sh', '-c', line]).ended
    expect(plain.stdout).toMatch(/\}\n\n$/)
  })

  test('uses the running sandbox and leaves it running', async () => {
    const { sandbox } = await start(['--ephemeral'])
    const ofAnother = {
      HUB_SANDBOX_URL: 'http://localhost:1',
      HUB_SANDBOX_CONTROL_TOKEN: 'of-another',
    }
    const told = await run(['exec', '--url', sandbox.url, '--', ...printEnvironment], ofAnother)
      .ended
    expect(JSON.parse(told.stdout)).toMatchObject({ HF_ENDPOINT: sandbox.url })
    expect(told.stdout).not.toContain('of-another')
    const env = { HUB_SANDBOX_URL: sandbox.url }
    const found = await run(['exec', '--', ...printEnvironment], env).ended
    expect(JSON.parse(found.stdout)).toMatchObject({ HUB_SANDBOX_URL: sandbox.url })
    const own = await run(['exec', '--seed', '1', '--', ...printEnvironment], env).ended
    expect(JSON.parse(own.stdout)).not.toMatchObject({ HUB_SANDBOX_URL: sandbox.url })
    expect((await fetch(`${sandbox.url}/_sandbox/health`)).status).toBe(200)
  })

  test.each([
    [[], 2, /missing command after "--"/],
    [['echo', 'a b'], 2, /must follow "--": \S.* exec -- echo ['"]a b['"]/],
    [['--nonsense', '--', 'true'], 2, /unknown option '--nonsense'/],
    [['--url', 'http://localhost:1', '--seed', '1', '--', 'true'], 2, /so --seed must be given/],
    [['--import', 'nowhere.mjs', '--', 'true'], 2, /file nowhere\.mjs not found/],
    [['--wait-for', '3000', '--', 'true'], 2, /must be a URL such as/],
    [['--wait-for', 'http://93.184.215.14/', '--', 'true'], 2, /--allow-network/],
    [['--port', '99999', '--', 'true'], 2, /--port: must be a whole number/],
    [['--url', 'http://localhost:1', '--', 'true'], 1, /No sandbox is running at/],
    [['--client', 'Model Explorers', '--', 'true'], 1, /did you mean "Model Explorer"\?/],
    [['--', 'no-such-program'], 127, /Command no-such-program not found\.$/m],
    [['--', '/'], 126, /Cannot run \/: it is a folder\.$/m],
  ])('exec %j exits with %i', async (args, code, message) => {
    const { env, left } = temporary(`bad-${code}-${args.join('-').replaceAll(/\W/g, '')}`)
    const ended = await run(['exec', ...args], env).ended
    expect(ended).toMatchObject({ code, stdout: '' })
    expect(ended.stderr).toMatch(message)
    expect(left()).toEqual([])
  })

  test.skipIf(process.platform === 'win32').each([
    ['is not executable', 0o600, /Cannot run \S*first-\d+: it is not executable\.$/m],
    [
      'is for a program that is not there',
      0o700,
      /Cannot run \S*first-\d+: the interpreter in its first line does not exist\.$/m,
    ],
  ])('a script that %s exits with 126', async (_what, mode, message) => {
    const file = join(folder(), `first-${mode}`)
    writeFileSync(file, '#!/no/such/program\n', { mode })
    const { code, stderr } = await run(['exec', '--', file]).ended
    expect({ code, stderr }).toEqual({ code: 126, stderr: expect.stringMatching(message) })
  })

  test('--export-fixtures writes the final state, which a start accepts', async () => {
    const file = join(folder(), 'end.json')
    const trigger = `fetch(process.env.HUB_SANDBOX_URL + '/_sandbox/api/users', { method: 'POST',
      headers: { 'content-type': 'application/json' }, body: '{"username":"zoe"}' })`
    const args = ['exec', '--export-on-exit', file, '--', node, '-e', trigger]
    expect(await run(args).ended).toMatchObject({ code: 0 })
    expect(readFileSync(file, 'utf8')).toContain('"zoe"')
    const again = await run(['exec', '--fixtures', file, '--', ...printEnvironment]).ended
    expect(again.code).toBe(0)
  })

  test('reports what the exported file cannot hold', async () => {
    const file = join(folder(), 'end.json')
    const branch = `fetch(process.env.HF_ENDPOINT + '/api/datasets/acme/corpus/branch/dev', {
      method: 'POST', body: '{}',
      headers: { authorization: 'Bearer hf_sandbox_alice', 'content-type': 'application/json' } })`
    const args = ['exec', '--export-on-exit', file, '--', node, '-e', branch]
    const { code, stderr } = await run(args).ended
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr: expect.stringContaining('Left out of datasets/acme/corpus: the branches dev.'),
    })
  })

  test('fails when a file requested for the end cannot be written', async () => {
    const gone = join(folder(), 'gone')
    const args = ['exec', '--export-on-exit', join(gone, 'end.json'), '--', 'rm', '-r', gone]
    const { code, stderr } = await run(args).ended
    expect(code).toBe(1)
    expect(stderr).toMatch(/Cannot write \S*end\.json \(ENOENT/)
  })

  test('preloads a module in Node programs, besides those in NODE_OPTIONS', async () => {
    const spaced = join(folder(), 'a "folder" of mine')
    mkdirSync(spaced)
    for (const name of ['first', 'second']) {
      writeFileSync(join(spaced, `${name}.mjs`), `console.log(${JSON.stringify(name)})`)
    }
    const first = join(spaced, 'first.mjs').replaceAll('"', String.raw`\"`)
    const env = { NODE_OPTIONS: `--import "${first}"` }
    const args = ['exec', '--import', join(spaced, 'second.mjs'), '--', node, '-e', '0']
    const { stdout } = await run(args, env).ended
    // The first is loaded by the command itself, too.
    expect(stdout).toBe('first\nfirst\nsecond\n')
  })

  test('a token stored by the program is deleted after the run', async () => {
    const { env, left } = temporary('token')
    const home = join(folder(), 'token-home')
    mkdirSync(join(home, '.cache', 'huggingface'), { recursive: true })
    const mine = join(home, '.cache', 'huggingface', 'token')
    writeFileSync(mine, 'hf_mine')
    const signIn = `const { HF_TOKEN_PATH: path } = process.env
      require('node:fs').writeFileSync(path, 'hf_sandbox_bob')
      console.log(require('node:fs').readFileSync(path, 'utf8'))`
    const { stdout } = await run(['exec', '--', node, '-e', signIn], { ...env, HOME: home }).ended
    expect(stdout).toBe('hf_sandbox_bob\n')
    expect(readFileSync(mine, 'utf8')).toBe('hf_mine')
    expect(left()).toEqual([])
  })

  test('the program trusts the certificate of the sandbox and the user’s own', async () => {
    const data = join(folder(), 'https')
    const { child, ended, sandbox } = await start(['--https', '--data', data])
    const certificate = join(data, 'certificate.pem')
    const ask = `Promise.all([process.env.HF_ENDPOINT, process.argv[1]].map((url) => fetch(url + '/oauth/jwks')))
      .then((answers) => console.log(answers.map(({ status }) => status).join()))`
    const curl = hasProgram('curl')
      ? 'curl -sS -o /dev/null -o /dev/null -w "%{http_code}\\n" "$HF_ENDPOINT/oauth/jwks" "$2/oauth/jwks"'
      : 'echo 200; echo 200'
    const line = `${node} -e "$1" "$2"; ${curl}; ${cliCommand.join(' ')} token --user bob`
    const args = ['exec', '--https', '--', 'sh', '-c', line, 'sh', ask, sandbox.url]
    const trusting = { NODE_EXTRA_CA_CERTS: certificate, SSL_CERT_FILE: certificate }
    const made = await run(args, { ...trusting, XDG_DATA_HOME: join(folder(), 'other') }).ended
    expect(made.stderr).not.toContain('A new certificate')
    expect(made.stdout).toMatch(/^200,200\n200\n200\nhf_oauth_sandbox_[\w.-]+\n$/)
    expect(existsSync(join(folder(), 'other'))).toBe(false)
    child.kill('SIGTERM')
    await ended
  })

  test('any number of runs work at the same time independently', async () => {
    const { env, left } = temporary('at once')
    const folderOfFixtures = join(folder(), 'a folder with "quotes"')
    mkdirSync(folderOfFixtures)
    const fixtures = join(folderOfFixtures, 'my fixtures.json')
    writeFileSync(fixtures, '{ "users": [{ "username": "zoe" }], "config": { "port": 7420 } }')
    const args = ['exec', '--fixtures', fixtures, '--', node, '-p', 'process.env.HF_ENDPOINT']
    const runs = await Promise.all([1, 2, 3, 4, 5].map(() => run(args, env).ended))
    expect(runs.map(({ code }) => code)).toEqual([0, 0, 0, 0, 0])
    expect(new Set(runs.map(({ stdout }) => stdout)).size).toBe(5)
    expect(runs.map(({ stdout }) => stdout)).not.toContain('http://localhost:7420\n')
    expect(left()).toEqual([])
  })

  test('a second run in one data folder names the process that uses it', async () => {
    const data = join(folder(), 'shared')
    const wait = `console.error('ready'); process.on('SIGTERM', () => process.exit(0)); setInterval(() => {}, 1000)`
    const first = run(['exec', '--data', data, '--', node, '-e', wait])
    await printed(first, /^ready/m)
    const second = await run(['exec', '--data', data, '--', 'true']).ended
    expect(second).toMatchObject({ code: 2, stdout: '' })
    expect(second.stderr).toContain(`${data} is in use by process ${first.child.pid}`)
    first.child.kill('SIGTERM')
    expect(await first.ended).toMatchObject({ code: 0 })
    const third = await run(['exec', '--data', data, '--', 'true']).ended
    expect(third).toMatchObject({ code: 0 })
  })

  test('forwards stdin, and passes through stdout and stderr', async () => {
    const count = `${node} -e 'process.stdout.write("x".repeat(5e6))' | wc -c`
    const line = `printf hello | ${cliCommand.join(' ')} exec -- sh -c 'cat; ${count.replaceAll("'", String.raw`'\''`)}'`
    const { code, stdout } = await execute('bash', ['-c', line]).ended
    expect({ code, stdout: stdout.replaceAll(/\s/g, '') }).toEqual({
      code: 0,
      stdout: 'hello5000000',
    })
  })

  test('prints the command on one line, however long it is', async () => {
    const { stderr } = await run(['exec', '--', node, '-e', `0 // ${'long '.repeat(50)}`, '\n'])
      .ended
    expect(stderr.split('\n')).toHaveLength(2)
    expect(stderr.length).toBeLessThan(200)
  })
})
