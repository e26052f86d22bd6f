import { readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { commandLineWorld } from '../helpers/command-line.ts'

const { folder, run } = commandLineWorld()
/** Each starts Node several times. */
const patience = 180_000

/** Signs in twice at once, asks who it is, and is refused once; what it asks for is its first argument. */
const program = `
const { createHash, randomBytes } = await import('node:crypto')
const { HUB_SANDBOX_URL: url, HUB_SANDBOX_CONTROL_TOKEN: control } = process.env
const [scope, refused = 'redirect'] = process.argv.slice(1)
const api = (path, body) => fetch(url + '/_sandbox/api/' + path, {
  method: body ? 'POST' : 'GET',
  headers: { 'content-type': 'application/json', ...(control ? { authorization: 'Bearer ' + control } : {}) },
  body: body && JSON.stringify(body),
}).then((answer) => answer.json())
const { items: apps } = await api('apps')
const app = apps.find(({ clientSecret, redirectUris }) => !clientSecret && redirectUris.length > 0)
const redirect_uri = app.redirectUris[0]
async function signIn(user) {
  const verifier = randomBytes(32).toString('base64url')
  const { redirectTo } = await api('authorize', {
    user, client_id: app.clientId, redirect_uri, response_type: 'code', scope,
    state: randomBytes(8).toString('hex'),
    code_challenge: createHash('sha256').update(verifier).digest('base64url'), code_challenge_method: 'S256',
  })
  const answer = await fetch(url + '/oauth/token', { method: 'POST', body: new URLSearchParams({
    grant_type: 'authorization_code', code: new URL(redirectTo).searchParams.get('code'),
    client_id: app.clientId, redirect_uri, code_verifier: verifier }) })
  const { access_token } = await answer.json()
  await fetch(url + '/oauth/userinfo', { headers: { authorization: 'Bearer ' + access_token } })
}
await Promise.all(['alice', 'bob'].map(signIn))
await fetch(url + '/oauth/authorize?client_id=' + app.clientId + '&response_type=code&redirect_uri=https://' + refused + '.invalid/')
`
const play = (...args: string[]) => [
  '--',
  process.execPath,
  '--input-type=module',
  '-e',
  program,
  ...args,
]

describe('hub-sandbox exec --record and --compare', { timeout: patience }, () => {
  test('accept an equal run, and name the first request that differs', async () => {
    const file = join(folder(), 'record.json')
    const recorded = await run(['exec', '--record', file, ...play('openid')]).ended
    expect(recorded).toMatchObject({ code: 0 })
    const text = readFileSync(file, 'utf8')
    expect(JSON.parse(text)).toMatchObject({ hubSandboxRecord: 1, requests: { length: 7 } })
    // What a run left behind may be shared: nothing in it is good for anything.
    expect(text).not.toMatch(/hf_oauth_sandbox_\w/)
    expect(text).not.toMatch(/"code_verifier": "\w/)

    const again = await run(['exec', '--compare', file, ...play('openid')]).ended
    expect(again.stderr).toContain(`The run matches ${file}: 7 requests.`)
    expect(again.code).toBe(0)

    const other = await run(['exec', '--compare', file, ...play('openid profile')]).ended
    expect(other.code).toBe(1)
    expect(other.stderr).toMatch(
      /differs from \S+ in request \d \(\d in the recording\): GET \/oauth\/authorize\?.* \(.*(alice|bob)\)\n {2}scope of its URL: "openid" before, "openid profile" now\n/,
    )

    const moved = await run(['exec', '--compare', file, ...play('openid', 'elsewhere')]).ended
    expect(moved.code).toBe(1)
    expect(moved.stderr).toContain('redirect_uri of its URL')
  })

  test('compare ids and tokens as well if both runs had the same seed', async () => {
    const file = join(folder(), 'seeded.json')
    const seeded = ['--seed', '7']
    await run(['exec', ...seeded, '--record', file, ...play('openid')]).ended
    const record = JSON.parse(readFileSync(file, 'utf8')) as { seed: number }
    expect(record.seed).toBe(7)
    const again = await run(['exec', ...seeded, '--compare', file, ...play('openid')]).ended
    expect(again).toMatchObject({ code: 0 })
    writeFileSync(file, JSON.stringify({ ...record, seed: 8 }).replaceAll('"7"', '"8"'))
    const other = await run(['exec', '--seed', '8', '--compare', file, ...play('openid')]).ended
    expect(other.stderr).toMatch(/code of its redirect: "…\w{4}" before, "…\w{4}" now/)
    expect(other.code).toBe(1)
  })

  test('keep the exit code of a failed program and still print the differences', async () => {
    const file = join(folder(), 'empty.json')
    await run(['exec', '--record', file, '--', process.execPath, '-e', '']).ended
    const ask = `await fetch(process.env.HF_ENDPOINT + '/api/whoami-v2'); process.exit(7)`
    const failing = ['--', process.execPath, '--input-type=module', '-e', ask]
    const { code, stderr } = await run(['exec', '--compare', file, ...failing]).ended
    expect(code).toBe(7)
    expect(stderr).toContain('request 1 is not in the recording: GET /api/whoami-v2.\n')
  })

  test('fail and name the file that was not written since its folder was deleted', async () => {
    const file = join(folder(), 'of-the-run/record.json')
    const remove = `require('fs').rmSync(${JSON.stringify(dirname(file))}, { recursive: true })`
    const removing = ['--', process.execPath, '-e', remove]
    const { code, stderr } = await run(['exec', '--record', file, ...removing]).ended
    expect(stderr).toMatch(/Cannot write \S*of-the-run\/record\.json \(ENOENT/)
    expect(code).toBe(1)
  })

  test('refuse an invalid recording, and both flags together, before the program starts', async () => {
    const damaged = join(folder(), 'damaged.json')
    const never = ['--', process.execPath, '-e', 'console.log("ran")']
    const cases: [string | undefined, string[], RegExp][] = [
      [undefined, ['--compare', join(folder(), 'none.json')], /--compare: \S+ cannot be read \(/],
      ['[', ['--compare', damaged], /--compare: \S+ cannot be read \(/],
      [
        '{"requests": 3}',
        ['--compare', damaged],
        /is not a recording: hubSandboxRecord is missing/,
      ],
      [undefined, ['--record', folder()], /--record requires a file, but \S+ is a folder/],
      [undefined, ['--record', damaged, '--compare', damaged], /cannot be combined/],
    ]
    for (const [text, flags, sentence] of cases) {
      if (text !== undefined) writeFileSync(damaged, text)
      const { code, stdout, stderr } = await run(['exec', ...flags, ...never]).ended
      expect(stderr).toMatch(sentence)
      expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    }
  })
})
