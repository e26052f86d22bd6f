import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { commandLineWorld } from '../helpers/command-line.ts'

const { folder, run, start } = commandLineWorld()
/** Each starts Node several times. */
const options = { timeout: 180_000 }

/** An app that signs in with PKCE and a state, or with neither, for the server at `hub`. */
const app = `
import { createHash, randomBytes } from 'node:crypto'
import { createServer } from 'node:http'

const { OAUTH_CLIENT_ID: client_id, OAUTH_CLIENT_SECRET: secret } = process.env

export async function startApp(hub, isRight) {
  const begun = new Map()
  const server = createServer(async (request, response) => {
    const url = new URL(request.url, 'http://' + request.headers.host)
    const redirect_uri = url.origin + '/callback'
    if (url.pathname === '/login') {
      const [state, verifier] = [randomBytes(16).toString('hex'), randomBytes(32).toString('base64url')]
      begun.set(state, verifier)
      const code_challenge = createHash('sha256').update(verifier).digest('base64url')
      const bound = isRight ? { state, code_challenge, code_challenge_method: 'S256' } : {}
      const asked = new URLSearchParams({ client_id, redirect_uri, response_type: 'code', scope: 'openid', ...bound })
      response.writeHead(302, { location: hub + '/oauth/authorize?' + asked }).end()
      return
    }
    const verifier = begun.get(url.searchParams.get('state'))
    if (isRight && verifier === undefined) return response.writeHead(400).end()
    const token = await fetch(hub + '/oauth/token', {
      method: 'POST',
      headers: { authorization: 'Basic ' + btoa(client_id + ':' + secret) },
      body: new URLSearchParams({ grant_type: 'authorization_code', code: url.searchParams.get('code'), redirect_uri,
        ...(isRight && { code_verifier: verifier }) }),
    })
    response.writeHead(token.status).end()
  })
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { url: 'http://127.0.0.1:' + server.address().port, close: () => server.close() }
}
`

/** A suite that passes whether its app is right or not: a reset or a fork for each test, and one test without an app. */
const suite = `
import assert from 'node:assert/strict'
import { afterEach, beforeEach, test } from 'node:test'
import { startApp } from './app.mjs'

const { HUB_SANDBOX_URL: own, APP, BETWEEN } = process.env
const send = (url, path, body = {}, method = 'POST') => fetch(url + '/_sandbox/api/' + path, {
  method, headers: { 'content-type': 'application/json' }, body: method === 'POST' ? JSON.stringify(body) : undefined,
}).then((response) => response.json())

let hub = own
let fork
beforeEach(async () => {
  if (BETWEEN === 'fork') ({ id: fork, url: hub } = await send(own, 'forks'))
  else await send(own, 'reset')
})
afterEach(async () => {
  if (BETWEEN === 'fork') await send(own, 'forks/' + fork, {}, 'DELETE')
  else await send(own, 'reset')
})

for (const user of ['alice', 'bob']) {
  test(user + ' signs in', async () => {
    const app = await startApp(hub, APP === 'right')
    const { headers } = await fetch(app.url + '/login', { redirect: 'manual' })
    const asked = new URL(headers.get('location'))
    const { redirectTo } = await send(hub, 'authorize', { ...Object.fromEntries(asked.searchParams), user })
    assert.equal((await fetch(redirectTo)).status, 200)
    app.close()
  })
}

test('a sum is right', () => assert.equal(1 + 1, process.env.SUM ? 3 : 2))
`

function writeProject(test = 'node --test'): void {
  writeFileSync(join(folder(), 'app.mjs'), app)
  writeFileSync(join(folder(), 'app.test.mjs'), suite)
  writeFileSync(join(folder(), 'package.json'), JSON.stringify({ scripts: { test } }))
}

/** The line of the README. */
const gate = ['exec', '--fail-on', 'error']
const tests = ['--', 'npm', 'test']

describe.each(['reset', 'fork'])('exec --fail-on around a suite with a %s for each test', (how) => {
  const env = (more: Record<string, string>) => ({ BETWEEN: how, ...more })

  test('fails for an app without PKCE and state, whose tests pass', options, async () => {
    writeProject()
    const ended = await run([...gate, ...tests], env({ APP: 'wrong' })).ended
    expect(ended.stdout).toMatch(/^. pass 3$/m)
    expect(ended).toMatchObject({ code: 1 })
    expect(ended.stderr).toMatch(
      /^error {2}sign-in\/no-code-binding {2}Team Dashboard, 2 times\n(?: .+\n)+ {2}Fix: .*PKCE/m,
    )
  })

  test('passes for a right app', options, async () => {
    writeProject()
    const ended = await run([...gate, ...tests], env({ APP: 'right' })).ended
    expect(ended.stderr).toMatch(
      /^No findings that fail\. \d+ of \d+ checks had something to judge/m,
    )
    expect(ended).toMatchObject({ code: 0 })
  })
})

test('exec --fail-on keeps the exit code of a failed command', options, async () => {
  writeProject()
  const ended = await run([...gate, ...tests], { APP: 'wrong', SUM: '1' }).ended
  expect(ended).toMatchObject({ code: 1, stderr: expect.stringContaining('no-code-binding') })
  const seven = await run([...gate, '--', process.execPath, '-e', 'process.exit(7)']).ended
  expect(seven).toMatchObject({ code: 7 })
})

test('exec --fail-on tells a run without a request from a clean one', options, async () => {
  const ended = await run([...gate, '--', process.execPath, '-e', '0']).ended
  expect(ended).toMatchObject({ code: 3, stderr: expect.stringContaining('Nothing to check') })
  const wrong = await run(['exec', '--fail-on', 'errors', '--', 'true']).ended
  expect(wrong).toMatchObject({ code: 2, stderr: expect.stringContaining('did you mean "error"?') })
})

test('exec --fail-on --url judges what came during the run', options, async () => {
  const { url } = (await start(['--ephemeral'])).sandbox
  const mistake = `fetch(process.env.HUB_SANDBOX_URL + '/api/models?access_token=hf_sandbox_alice')`
  const fine = `fetch(process.env.HUB_SANDBOX_URL + '/api/models')`
  const exec = async (script: string) =>
    (await run([...gate, '--url', url, '--', process.execPath, '-e', script]).ended).code
  expect(await exec(mistake)).toBe(1)
  expect(await exec(fine)).toBe(0)
  expect(await exec('0')).toBe(3)
  expect(await exec(mistake)).toBe(1)
})

test('check covers the resets and the forks of a run, in each report', options, async () => {
  writeProject()
  const { url } = (await start(['--ephemeral'])).sandbox
  const env = { HUB_SANDBOX_URL: url, APP: 'wrong' }
  for (const between of ['reset', 'fork']) {
    await run(['exec', ...tests], { ...env, BETWEEN: between }).ended
  }
  const checked = (...args: string[]) => run(['check', '--url', url, ...args]).ended
  const text = await checked()
  expect(text).toMatchObject({ code: 1 })
  expect(text.stdout).toMatch(/^error {2}sign-in\/no-code-binding {2}Team Dashboard, 4 times$/m)
  expect(text.stdout).toContain('had something to judge over 6 resets')
  expect(await checked('--app', 'Team Dashboard')).toMatchObject({ code: 1 })
  expect(await checked('--app', 'Model Explorer')).toMatchObject({ code: 3 })
  expect(await checked('--since', 'reset')).toMatchObject({ code: 3 })
  for (const name of ['a.sarif', 'a.xml', 'a.md', 'a.json']) {
    const file = join(folder(), name)
    expect(await checked('--out', file)).toMatchObject({ code: 1 })
    expect(readFileSync(file, 'utf8')).toContain('sign-in/no-code-binding')
  }
})
