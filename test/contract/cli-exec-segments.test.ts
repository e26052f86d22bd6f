import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import type { FlowItem } from '../../server/contract/control-requests.ts'
import type { FixturesFile } from '../../server/contract/fixtures-types.ts'
import { commandLineWorld } from '../helpers/command-line.ts'

const { folder, run, start } = commandLineWorld()
/** Each starts Node several times. */
vi.setConfig({ testTimeout: 180_000 })

/** Fixtures file that `--artifact kept` has written. */
function artifact(): string {
  const names = readdirSync(join(folder(), 'kept'))
  return join(folder(), 'kept', names.find((name) => name.endsWith('.hubsandbox')) ?? '')
}

/**
 * A suite of ten tests: a reset (or a fork) before each, as `useSandbox` does. The fourth is broken, the seventh a
 * denial, and each sends an event to a receiver that does not listen.
 */
const suite = `
const { createHash, randomBytes } = await import('node:crypto')
const { HUB_SANDBOX_URL: own } = process.env
const [how, scope = 'openid', between = 'reset'] = process.argv.slice(1)
const api = (url, method, path, body) => fetch(url + '/_sandbox/api/' + path, {
  method, headers: { 'content-type': 'application/json' }, body: body && JSON.stringify(body),
}).then((answer) => answer.json())
async function signIn(url, number, asked) {
  const { items: apps } = await api(url, 'GET', 'apps')
  const app = apps.find(({ clientSecret, redirectUris }) => !clientSecret && redirectUris.length > 0)
  const redirect_uri = app.redirectUris[0]
  const verifier = randomBytes(32).toString('base64url')
  const { redirectTo } = await api(url, 'POST', 'authorize', {
    user: 'alice', client_id: app.clientId, redirect_uri, response_type: 'code', scope: asked, state: 'fixed',
    code_challenge: createHash('sha256').update(verifier).digest('base64url'), code_challenge_method: 'S256',
    decision: number === 7 ? 'deny' : 'approve',
  })
  const code = new URL(redirectTo).searchParams.get('code')
  if (code === null) return
  await fetch(url + '/oauth/token', { method: 'POST', body: new URLSearchParams({
    grant_type: 'authorization_code', code, client_id: app.clientId, redirect_uri,
    code_verifier: number === 4 ? verifier.slice(1) + 'x' : verifier }) })
}
async function one(url, number) {
  await signIn(url, number, number === 9 ? scope : 'openid')
  await api(url, 'POST', 'webhooks', { user: 'alice', url: 'http://localhost:9/hook', watched: [{ type: 'user', name: 'alice' }] })
  await api(url, 'POST', 'events', { event: 'repo.content', repo: 'alice/tiny-sentiment' })
}
const numbers = Array.from({ length: 10 }, (_, index) => index + 1)
if (between !== 'reset') await api(own, 'POST', 'snapshots', { name: 'start' })
if (how === 'resets') {
  for (const number of numbers) {
    await api(own, 'POST', between)
    await one(own, number)
  }
} else {
  await Promise.all(numbers.map(async (number) => {
    const fork = await api(own, 'POST', 'forks', {})
    await one(fork.url, number)
    if (number % 2) await api(own, 'DELETE', 'forks/' + fork.id)
  }))
}
process.exit(1)
`
const play = (...args: string[]) => [
  '--',
  process.execPath,
  '--input-type=module',
  '-e',
  suite,
  ...args,
]

/** Sign-ins of one request (a denial) and of two. */
const sizesOf = (flows: FlowItem[]) => ({
  one: flows.filter(({ requestCount }) => requestCount === 1).length,
  two: flows.filter(({ requestCount }) => requestCount === 2).length,
})

const count = (text: string, pattern: RegExp) => text.match(pattern)?.length ?? 0

describe.each(['resets', 'forks'])('exec around a suite of ten tests with %s', (how) => {
  test('--junit contains the sign-ins and deliveries of all tests, and a denial neither passed nor failed', async () => {
    const file = join(folder(), 'run.xml')
    await run(['exec', '--junit', file, ...play(how)]).ended
    const xml = readFileSync(file, 'utf8')
    expect(xml).toContain('<testsuite name="hub-sandbox sign-ins" tests="10" failures="1"')
    expect(xml).toMatch(/<testsuite name="hub-sandbox deliveries" tests="10"/)
    expect(count(xml, /type="refused"/g)).toBe(1)
    expect(xml).toContain('message="invalid_grant: ')
    expect(xml).toMatch(
      /name="[^"]*, alice, denied by the user" [^>]*[^/]>\s*<skipped message="denied: /,
    )
  })

  test('a failed run ends with the kinds of its refused requests', async () => {
    const { stderr } = await run(['exec', ...play(how)]).ended
    expect(stderr).toMatch(
      /Refused requests of this run, with their reasons:\n(?:.*\n)? {2}1 × POST \/oauth\/token {2}400 invalid_grant: .*code_verifier/,
    )
  })

  test('--artifact shows all of them in a new sandbox', async () => {
    await run(['exec', '--artifact', 'kept', ...play(how)]).ended
    const file = artifact()
    const report = readFileSync(file.replace(/hubsandbox$/, 'html'), 'utf8')
    expect(report).toContain('10 sign-ins, 10 deliveries')
    const { log } = JSON.parse(readFileSync(file, 'utf8')) as FixturesFile
    const ids = log?.requests?.map(({ id }) => id) ?? []
    expect(new Set(ids).size).toBe(ids.length)
    const { sandbox } = await start(['--ephemeral', '--fixtures', file])
    const shown = await run(['flows', '--json', '--url', sandbox.url]).ended
    const flows = JSON.parse(shown.stdout) as FlowItem[]
    expect(sizesOf(flows)).toEqual({ one: 1, two: 9 })
    expect(flows.filter(({ outcome }) => outcome === 'refused')).toHaveLength(2)
    const deliveries = await run(['deliveries', '--json', '--url', sandbox.url]).ended
    expect(JSON.parse(deliveries.stdout)).toHaveLength(10)
  })

  test('--record and --compare cover all tests and find the request that differs', async () => {
    const file = join(folder(), 'record.json')
    await run(['exec', '--record', file, ...play(how)]).ended
    expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ requests: { length: 19 } })
    const again = await run(['exec', '--compare', file, ...play(how)]).ended
    expect(again.stderr).toContain(`The run matches ${file}: 19 requests.`)
    const other = await run(['exec', '--compare', file, ...play(how, 'openid profile')]).ended
    expect(other.stderr).toMatch(/scope of its URL: "openid" before, "openid profile" now/)
  })
})

test('restoring a snapshot starts a new segment like a reset, even if a seed repeats ids', async () => {
  const file = join(folder(), 'run.xml')
  const args = ['exec', '--seed', '7', '--junit', file, '--artifact', 'kept']
  await run([...args, ...play('resets', 'openid', 'snapshots/start/restore')]).ended
  expect(readFileSync(file, 'utf8')).toContain('sign-ins" tests="10"')
  const { sandbox } = await start(['--ephemeral', '--fixtures', artifact()])
  const shown = await run(['flows', '--json', '--url', sandbox.url]).ended
  const flows = JSON.parse(shown.stdout) as FlowItem[]
  expect(sizesOf(flows)).toEqual({ one: 1, two: 9 })
  const deliveries = await run(['deliveries', '--json', '--url', sandbox.url]).ended
  expect(JSON.parse(deliveries.stdout)).toHaveLength(10)
})

test('a sandbox that was already running keeps no segments, which is reported', async () => {
  const { sandbox } = await start(['--ephemeral'])
  const file = join(folder(), 'run.xml')
  const { stderr } = await run(['exec', '--url', sandbox.url, '--junit', file, ...play('resets')])
    .ended
  expect(readFileSync(file, 'utf8')).toContain('sign-ins" tests="1"')
  expect(stderr).toContain(`The sandbox at ${sandbox.url} was reset 10 times during the run`)
})
