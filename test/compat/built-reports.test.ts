import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { beforeAll, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import type { AppItem, AuditRunItem } from '../../server/contract/control-types.ts'
import { type ReportFormat, reportFormats } from '../../server/contract/words/advice-words.ts'
import { connectSandbox } from '../../server/index.ts'
import { startWebApp } from '../helpers/apps/web-app.ts'
import { commandLineWorld, isBuiltCommand } from '../helpers/command-line.ts'
import { createWebUser } from '../helpers/recipes/web-user.ts'
import { effectsOf, hostileText } from '../helpers/report-effects.ts'
import { installReportReaders, type ReportReaders } from '../helpers/report-readers.ts'

// The built command in an empty folder: every format with every exit code, read by programs of others.

const { folder, run, start } = commandLineWorld()
const options = { timeout: 600_000 }
const judged = ['passed', 'failed', 'tolerated']

let readers: ReportReaders
let obstacle: string | undefined
beforeAll(async () => {
  const installed = await installReportReaders()
  if (typeof installed === 'string') obstacle = installed
  else readers = installed
}, 240_000)
beforeEach(({ skip }) => {
  skip(obstacle !== undefined, obstacle)
  skip(!isBuiltCommand, 'the build is missing or older than the sources')
})

/** Members and parameters whose values are secrets. */
const secretNames =
  /^(access_token|refresh_token|id_token|code|code_verifier|client_secret|clientSecret|device_code|user_code|subject_token)$/

/** Values of secrets that this process sends and receives. */
function collectSecrets(): Set<string> {
  const secrets = new Set<string>()
  const collect = (value: unknown, name = ''): void => {
    if (typeof value === 'string') {
      if (secretNames.test(name)) secrets.add(value)
    } else if (typeof value === 'object' && value !== null) {
      for (const [key, member] of Object.entries(value)) collect(member, key)
    }
  }
  const collectUrl = (text: string | null) => {
    if (text === null || !URL.canParse(text)) return
    for (const [name, value] of new URL(text).searchParams) collect(value, name)
  }
  const { fetch: send } = globalThis
  vi.stubGlobal('fetch', async (...input: Parameters<typeof fetch>) => {
    const request = new Request(...input)
    collectUrl(request.url)
    for (const [name, value] of new URLSearchParams(await request.clone().text())) {
      collect(value, name)
    }
    const response = await send(request)
    collectUrl(response.headers.get('location'))
    for (const cookie of response.headers.getSetCookie()) {
      const value = /^[^=]+=([^;]*)/.exec(cookie)?.[1] ?? ''
      if (value.length > 8) secrets.add(value)
    }
    try {
      collect(await response.clone().json())
    } catch {
      // A page has no members.
    }
    return response
  })
  onTestFinished(() => void vi.unstubAllGlobals())
  return secrets
}

/** Checks that an output has no part of a secret: reports may show its kind and the last characters. */
function expectNoSecrets(text: string, secrets: ReadonlySet<string>): void {
  const parts = [...secrets].flatMap((whole) => {
    const secret = whole.replace(/^hf_(oauth_)?sandbox_/, '')
    const all = secret.match(/.{1,16}/gs) ?? []
    return all.filter((part) => part.length >= 12 || part === secret)
  })
  expect(parts.filter((part) => text.includes(part))).toEqual([])
}

/** Mistakes in a report, by the rules of its format. */
const mistakesIn: Readonly<Record<ReportFormat, (text: string) => unknown[]>> = {
  text: () => [],
  json: () => [],
  github: () => [],
  markdown: (text) => (text.startsWith('### hub-sandbox ') ? [] : ['no heading']),
  sarif: (text) => readers.sarifErrors(text),
  junit(text) {
    const { counts, cases } = readers.readJunit(text)
    const count = (result: string) => cases.filter((one) => one.result === result).length
    const counted = {
      tests: cases.length,
      failures: count('failure'),
      errors: count('error'),
      skipped: count('skipped'),
    }
    return Object.entries(counted).filter(([name, number]) => counts[name] !== String(number))
  },
}

function expectValid(format: ReportFormat, text: string): void {
  expect([format, ...mistakesIn[format](text), ...effectsOf[format](text)]).toEqual([format])
}

/** Starts the built command with an app that has a hostile name. */
async function startWorld(more: readonly string[] = []) {
  const secrets = collectSecrets()
  const { url } = (await start(['--ephemeral', ...more])).sandbox
  const sandbox = await connectSandbox(url)
  onTestFinished(() => sandbox.close())
  return { secrets, url, sandbox }
}

type World = Awaited<ReturnType<typeof startWorld>>

async function startApp(
  { url, sandbox }: World,
  mistakes: Parameters<typeof startWebApp>[0]['mistakes'],
) {
  const redirectUris = ['http://127.0.0.1/callback']
  const { clientId, clientSecret = '' } = await sandbox.control<AppItem>('POST', 'apps', {
    name: `My app ${hostileText.replaceAll(/[\uD800\uFFFE]/g, '')}`,
    redirectUris,
    scopes: ['openid', 'profile', 'email'],
  })
  const app = await startWebApp({ issuer: url, clientId, clientSecret, mistakes: mistakes ?? [] })
  onTestFinished(() => app.close())
  const user = () => createWebUser({ sandboxUrl: url, username: 'alice', decision: 'approve' })
  return { ...app, clientId, user }
}

/** Runs a command once for each format, and checks what it writes. */
async function reportsOf(
  args: readonly string[],
  formats: readonly ReportFormat[],
  { code, secrets }: { code: number; secrets: ReadonlySet<string> },
): Promise<Map<ReportFormat, string>> {
  const reports = new Map<ReportFormat, string>()
  for (const format of formats) {
    const ended = await run([...args, '--format', format]).ended
    expect([format, ended.code, ended.stderr]).toEqual([format, code, ended.stderr])
    expectValid(format, ended.stdout)
    expectNoSecrets(ended.stdout + ended.stderr, secrets)
    reports.set(format, ended.stdout)
  }
  return reports
}

test('check', options, async () => {
  const world = await startWorld()
  const { url, secrets } = world
  const args = ['check', '--url', url]

  const nothing = await reportsOf(args, reportFormats, { code: 3, secrets })
  const { cases } = readers.readJunit(nothing.get('junit') ?? '')
  expect(new Set(cases.map(({ result }) => result))).toEqual(new Set(['skipped']))

  const good = await startApp(world, [])
  const page = await good.user().open(good.loginUrl)
  expect(page.text).toContain('Signed in as')
  await reportsOf(args, reportFormats, { code: 0, secrets })

  await makeMistakes(world)
  expect(secrets.size).toBeGreaterThan(10)
  const found = await reportsOf(args, reportFormats, { code: 1, secrets })
  for (const [format, text] of found) {
    expect([format, text]).toEqual([format, expect.stringContaining('token/secret-in-url')])
    expect([format, text]).toEqual([
      format,
      expect.stringMatching(/token\/refresh-(race|repeated)/),
    ])
  }
  const silent = readers.readJunit(found.get('junit') ?? '').cases
  const skipped = silent.filter(({ result }) => result === 'skipped').map(({ name }) => name)
  const json = JSON.parse(found.get('json') ?? '') as { rules: { id: string; judged: number }[] }
  const idle = json.rules.filter((rule) => rule.judged === 0).map(({ id }) => id)
  expect(skipped.toSorted()).toEqual(idle.toSorted())
  expect(idle.length).toBeGreaterThan(0)

  const gone = await run(['check', '--url', 'http://127.0.0.1:9', '--format', 'junit']).ended
  expect(gone).toMatchObject({ code: 2, stdout: '' })
  expect(gone.stderr).toContain('http://127.0.0.1:9')
})

/** Sends the secrets of an app where they do not belong. */
async function makeMistakes(world: World): Promise<void> {
  const { url, sandbox } = world
  const app = await startApp(world, ['refreshes-at-once'])
  const user = app.user()
  await user.open(app.loginUrl)
  await sandbox.clock.advance('9h')
  await Promise.all(Array.from({ length: 8 }, () => user.open(app.useUrl)))
  await app.user().open(app.loginUrl)
  const [token = ''] = [...world.secrets]
    .filter((secret) => secret.startsWith('hf_oauth'))
    .slice(-1)
  const referer = `http://127.0.0.1/callback?code=${[...world.secrets].at(-1) ?? ''}`
  await fetch(`${url}/api/models?access_token=${token}&x=<script>|[a](b)`, {
    headers: { referer, 'user-agent': '::error::x <script>alert(1)</script> `*[a](javascript:1)' },
  })
  await fetch(`${url}/api/daily_papers?token=${token}`, {
    headers: { authorization: `Bearer ${token}` },
  })
}

test('audit app', options, async () => {
  const world = await startWorld()
  const { url, secrets } = world
  const bad = await startApp(world, ['ignores-id-token', 'shows-description-unescaped'])
  const begin = (...more: string[]) =>
    ['audit', 'app', '--app', bad.clientId, '--start', bad.loginUrl, ...more, '--url', url] as const
  const only = [
    '--only',
    'id-token/garbage',
    '--only',
    'id-token/nonce',
    '--only',
    'callback/markup',
  ]
  const probe = ['--signed-in', bad.whoamiUrl]

  const found = await reportsOf(begin(...probe, ...only), reportFormats, { code: 1, secrets })
  expect(secrets.size).toBeGreaterThan(10)
  for (const [format, text] of found) {
    expect([format, text]).toEqual([format, expect.stringContaining('callback/markup')])
  }
  await expectSkipped(world, found.get('junit') ?? '')
  const some = ['sarif', 'junit'] as const
  await reportsOf(begin(...probe, '--only', 'callback/state-changed'), some, { code: 0, secrets })
  const inApp = ['--start', bad.whoamiUrl, '--only', 'callback/markup']
  await reportsOf(begin(...inApp), some, { code: 2, secrets })
  const blind = await startApp(world, [])
  const alone = ['audit', 'app', '--app', blind.clientId, '--start', blind.loginUrl, '--url', url]
  const silent = await reportsOf([...alone, '--only', 'session'], some, { code: 3, secrets })
  await expectSkipped(world, silent.get('junit') ?? '')

  const stopped = run([...begin(...probe), '--out', join(folder(), 'stopped.xml')])
  await expect.poll(() => stopped.output(), { timeout: 60_000 }).toContain('id-token/garbage')
  stopped.child.kill('SIGINT')
  expect(await stopped.ended).toMatchObject({ code: 130 })
  const text = readFileSync(join(folder(), 'stopped.xml'), 'utf8')
  expectValid('junit', text)
  expectNoSecrets(text + stopped.output(), secrets)
  await expectSkipped(world, text)
})

/** Checks that the JUnit file of the last audit skips what could not be judged, and nothing else. */
async function expectSkipped({ sandbox }: World, junit: string): Promise<void> {
  const { items } = await sandbox.control<{ items: AuditRunItem[] }>('GET', 'audits')
  const [last] = items.toSorted((a, b) => b.startedAt.localeCompare(a.startedAt))
  const modules = last?.verdicts.filter(({ outcome }) => !judged.includes(outcome)) ?? []
  const skipped = readers.readJunit(junit).cases.filter(({ result }) => result === 'skipped')
  expect(skipped.map(({ name }) => name)).toEqual(modules.map(({ module }) => module))
  expect(modules.length).toBeGreaterThan(0)
}

test('audit receiver', options, async () => {
  const world = await startWorld()
  const { url, secrets } = world
  const secret = 'Kept-Secret-77-of-a-webhook'
  secrets.add(secret)
  const receiver = await startReceiver(secret)
  const begin = (path: string, ...more: string[]) =>
    ['audit', 'receiver', `${receiver}${path}`, '--secret', secret, ...more, '--url', url] as const

  const modules = ['--only', 'secret/missing', '--only', 'secret/no-leak', '--only', 'again/same']
  const found = await reportsOf(begin('/open', ...modules), reportFormats, { code: 1, secrets })
  for (const [format, text] of found) {
    expect([format, text]).toEqual([format, expect.stringContaining('secret/missing')])
  }
  await expectSkipped(world, found.get('junit') ?? '')
  const some = ['sarif', 'junit'] as const
  await reportsOf(begin('/hook', '--only', 'secret/missing'), some, { code: 0, secrets })
  const wrong = ['audit', 'receiver', `${receiver}/hook`, '--secret', 'another', '--url', url]
  const early = await reportsOf(wrong, some, { code: 2, secrets })
  const { cases } = readers.readJunit(early.get('junit') ?? '')
  expect(cases.filter(({ result }) => result === 'error')).toHaveLength(1)
  const silent = await reportsOf(begin('/hook', '--only', 'again'), some, { code: 3, secrets })
  await expectSkipped(world, silent.get('junit') ?? '')

  const slow = ['--only', 'secret/missing', '--only', 'time/slow-sender']
  const stopped = run([...begin('/hook', ...slow), '--out', join(folder(), 'stopped.xml')])
  await expect.poll(() => stopped.output(), { timeout: 60_000 }).toContain('secret/missing')
  stopped.child.kill('SIGINT')
  expect(await stopped.ended).toMatchObject({ code: 130 })
  const text = readFileSync(join(folder(), 'stopped.xml'), 'utf8')
  expectValid('junit', text)
  await expectSkipped(world, text)
})

/** A receiver whose responses are hostile. It repeats the secret, and checks it except at `/open`. */
async function startReceiver(secret: string): Promise<string> {
  const server = createServer((request, response) => {
    request.resume()
    request.on('error', () => undefined)
    request.on('end', () => {
      const given = request.headers['x-webhook-secret']
      const isRight = request.url?.startsWith('/open') === true || given === secret
      response.writeHead(isRight ? 200 : 401, '::error::x <b>', {
        'x-echo': encodeURIComponent(hostileText.replaceAll('\uD800', '')),
      })
      response.end(`${hostileText} ${String(given)}`)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}
