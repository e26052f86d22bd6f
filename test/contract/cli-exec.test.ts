import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { commandLineWorld } from '../helpers/command-line.ts'

const { folder, run, start } = commandLineWorld()
/** Each starts Node twice, with the sources compiled anew. */
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
  test('runs a program against a sandbox of its own, and ends as it did', async () => {
    const { env, left } = temporary('code')
    const program = `fetch(process.env.HF_ENDPOINT + '/api/whoami-v2', { headers: { authorization: 'Bearer hf_sandbox_bob' } })
      .then((answer) => answer.json()).then(({ name }) => { console.log(name); process.exit(3) })`
    const { code, stdout, stderr } = await run(['exec', '--', node, '-e', program], env).ended
    expect({ code, stdout }).toEqual({ code: 3, stdout: 'bob\n' })
    expect(stderr).toMatch(/^hub-sandbox \S+ at http:\/\/localhost:\d+, running: \S*node -e [^\n]*/)
    expect(left()).toEqual([])
  })

  test('gives it what `env` prints, and no token of the real hub', async () => {
    const secrets = { HF_TOKEN: 'hf_mine', HUGGING_FACE_HUB_TOKEN: 'x', HF_OIDC_RESOURCE: 'y' }
    const { stdout } = await run(['exec', '--', ...printEnvironment], secrets).ended
    const env = JSON.parse(stdout) as Record<string, string>
    expect(env).toMatchObject({
      HF_ENDPOINT: env['HUB_SANDBOX_URL'],
      OPENID_PROVIDER_URL: env['HUB_SANDBOX_URL'],
      HF_HUB_DISABLE_XET: '1',
      OAUTH_CLIENT_SECRET: 'sandbox_secret_team_dashboard',
    })
    for (const name of Object.keys(secrets)) expect(env).not.toHaveProperty(name)
    expect(env['HF_TOKEN_PATH']).toMatch(/hub-sandbox-exec-\w+[\\/]token$/)
    expect(existsSync(env['HF_TOKEN_PATH'] ?? '')).toBe(false)

    const kept = await run(['exec', '--keep-token', '--', ...printEnvironment], secrets).ended
    expect(JSON.parse(kept.stdout)).toMatchObject(secrets)
    expect(JSON.parse(kept.stdout)).not.toHaveProperty('HF_TOKEN_PATH')
  })

  test('sets it up for another app, or as a Space', async () => {
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

  test('takes the sandbox that runs, and leaves it running', async () => {
    const { sandbox } = await start(['--ephemeral'])
    const told = await run(['exec', '--url', sandbox.url, '--', ...printEnvironment]).ended
    expect(JSON.parse(told.stdout)).toMatchObject({ HF_ENDPOINT: sandbox.url })
    const env = { HUB_SANDBOX_URL: sandbox.url }
    const found = await run(['exec', '--', ...printEnvironment], env).ended
    expect(JSON.parse(found.stdout)).toMatchObject({ HUB_SANDBOX_URL: sandbox.url })
    const own = await run(['exec', '--seed', '1', '--', ...printEnvironment], env).ended
    expect(JSON.parse(own.stdout)).not.toMatchObject({ HUB_SANDBOX_URL: sandbox.url })
    expect((await fetch(`${sandbox.url}/_sandbox/health`)).status).toBe(200)
  })

  test.each([
    [[], 2, /say what to run, behind "--"/],
    [['true'], 2, /stands behind "--": hub-sandbox exec -- true/],
    [['--nonsense', '--', 'true'], 2, /unknown option '--nonsense'/],
    [['--url', 'http://localhost:1', '--seed', '1', '--', 'true'], 2, /so --seed must be given/],
    [['--import', 'nowhere.mjs', '--', 'true'], 2, /there is no file nowhere\.mjs/],
    [['--wait-for', '3000', '--', 'true'], 2, /must be an address such as/],
    [['--wait-for', 'http://93.184.215.14/', '--', 'true'], 2, /--allow-network/],
    [['--port', '99999', '--', 'true'], 2, /--port: must be a whole number/],
    [['--url', 'http://localhost:1', '--', 'true'], 1, /No sandbox answers at/],
    [['--client', 'Model Explorers', '--', 'true'], 2, /did you mean "Model Explorer"\?/],
    [['--', 'no-such-program'], 127, /There is no command no-such-program\.$/m],
    [['--', '/'], 126, /\/ cannot be run: it may not be executed\.$/m],
  ])('exec %j ends with %i', async (args, code, message) => {
    const { env, left } = temporary(`bad-${code}-${args.join('-').replaceAll(/\W/g, '')}`)
    const ended = await run(['exec', ...args], env).ended
    expect(ended).toMatchObject({ code, stdout: '' })
    expect(ended.stderr).toMatch(message)
    expect(left()).toEqual([])
  })

  test('writes the state of the end as fixtures that a start takes', async () => {
    const file = join(folder(), 'end.json')
    const trigger = `fetch(process.env.HUB_SANDBOX_URL + '/_sandbox/api/users', { method: 'POST',
      headers: { 'content-type': 'application/json' }, body: '{"username":"zoe"}' })`
    const args = ['exec', '--export-on-exit', file, '--', node, '-e', trigger]
    expect(await run(args).ended).toMatchObject({ code: 0 })
    expect(readFileSync(file, 'utf8')).toContain('"zoe"')
    const again = await run(['exec', '--fixtures', file, '--', ...printEnvironment]).ended
    expect(again.code).toBe(0)
  })

  test('has Node programs load a module first, beside those they load already', async () => {
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
})
