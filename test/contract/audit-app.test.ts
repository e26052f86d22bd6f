import { describe, expect, onTestFinished, test, vi } from 'vitest'
import type { AuditRunItem } from '../../server/contract/control-types.ts'
import { deviceCodeGrant } from '../../server/contract/words/oauth-words.ts'
import { type Sandbox, startSandbox } from '../../server/index.ts'
import { type AuditedApp, startAuditedApp as startApp } from '../helpers/audited-app.ts'
import { defaultApps, defaultFixtures, startTestSandbox } from '../helpers/sandbox.ts'

vi.setConfig({ testTimeout: 60_000 })

/** A sandbox with an app, which both end with the test. */
async function auditedApp(behaviour?: AuditedApp) {
  const sandbox = await startTestSandbox()
  const app = await startApp(sandbox, behaviour)
  onTestFinished(() => app.close())
  return { sandbox, ...app }
}

function outcomes({ verdicts }: AuditRunItem): Record<string, string> {
  return Object.fromEntries(verdicts.map(({ module, outcome }) => [module, outcome]))
}

async function startedAudit(sandbox: Sandbox, body: object): Promise<string> {
  return (await sandbox.control<{ id: string }>('POST', 'audits', { kind: 'app', ...body })).id
}

async function readUntil(sandbox: Sandbox, id: string, is: (run: AuditRunItem) => boolean) {
  return expect
    .poll(async () => is(await sandbox.control<AuditRunItem>('GET', `audits/${id}`)), {
      timeout: 20_000,
    })
    .toBe(true)
}

/** What an audit must leave as it was. */
async function remains(sandbox: Sandbox, clientId: string) {
  const { offsetMs } = await sandbox.clock.read()
  const tokens = await sandbox.tokens.list()
  return {
    faults: await sandbox.faults.list(),
    barriers: await sandbox.barriers.list(),
    isOnTime: Math.abs(offsetMs) < 1000,
    tokens: tokens.filter(({ app }) => app?.clientId === clientId),
  }
}

/** Signs a user in at the start page of an app, as a person in a browser does. */
async function signInByHand(sandbox: Sandbox, start: string, user = 'alice'): Promise<number> {
  const login = await fetch(start, { redirect: 'manual' })
  const callback = await sandbox.authorize(login.headers.get('location'), { user })
  const cookie = login.headers.get('set-cookie')?.split(';')[0] ?? ''
  return (await fetch(callback, { headers: { cookie }, redirect: 'manual' })).status
}

const nothing = { faults: [], barriers: [], isOnTime: true, tokens: [] }

test('an app that never reads the ID token gets one warning, and nothing stays', async () => {
  const { sandbox, clientId, start, signedIn } = await auditedApp()
  const only = ['id-token/garbage', 'id-token/nonce', 'callback/state-changed', 'session/revoked']
  const run = await sandbox.audit.app({ clientId, start, signedIn, only })
  expect(outcomes(run)).toEqual({
    'id-token/garbage': 'failed',
    'id-token/nonce': 'not-applicable',
    'callback/state-changed': 'passed',
    'session/revoked': 'not-applicable',
  })
  expect(run.verdicts[0]).toMatchObject({ level: 'warning', observed: 'The user is signed in.' })
  expect(run.verdicts[0]?.evidence[0]?.note).toMatch(/^GET \/oauth\/userinfo 200 uses the token$/)
  expect(await remains(sandbox, clientId)).toEqual(nothing)
  // The app did not cause what the sandbox provoked.
  expect((await sandbox.advice.read({ clientId })).items).toEqual([])
})

test('an app that takes its user from claims needs a probe to be judged', async () => {
  const { sandbox, clientId, start, signedIn } = await auditedApp({ user: 'claims' })
  const only = ['id-token/garbage', 'id-token/issuer']
  const blind = await sandbox.audit.app({ clientId, start, only })
  expect(new Set(Object.values(outcomes(blind)))).toEqual(new Set(['inconclusive']))
  expect(blind.verdicts[0]?.observed).toContain('pass --signed-in')
  const seen = await sandbox.audit.app({ clientId, start, signedIn, only })
  expect(outcomes(seen)).toEqual({
    'id-token/garbage': 'failed',
    'id-token/issuer': 'not-applicable',
  })
})

test.each([
  [200, 'The signed-in probe says yes before anybody has signed in'],
  [404, 'The signed-in probe says no after an honest sign-in'],
  [503, 'The signed-in probe cannot tell: http'],
])('a probe that always responds with %i cannot tell', async (me, problem) => {
  const { sandbox, clientId, start, signedIn } = await auditedApp({ me })
  await expect(sandbox.audit.app({ clientId, start, signedIn })).rejects.toThrow(problem)
  expect(await remains(sandbox, clientId)).toEqual(nothing)
})

test('an honest sign-in that ends at an error page of the app has failed', async () => {
  // A session belongs to a user who has begun a sign-in.
  const me: Respond = (request, response) =>
    void response.writeHead(request.headers.cookie === undefined ? 401 : 500).end()
  const { sandbox, clientId, start, signedIn } = await auditedApp({ me })
  await expect(sandbox.audit.app({ clientId, start, signedIn })).rejects.toThrow(
    `The honest sign-in failed: ${signedIn} responded with the status 500.`,
  )
})

test.each<[string, AuditedApp['login'], string]>([
  [
    'loops',
    (request, response) => void response.writeHead(302, { location: request.url }).end(),
    'more than 20 times',
  ],
  ['crashes', (request) => void request.socket.destroy(), 'could not be opened'],
  [
    'shows a page',
    (_request, response) => void response.end('Hello'),
    'without a redirect to the Hub',
  ],
  [
    'sends 200 MB',
    (_request, response) => {
      const chunk = Buffer.alloc(1024 * 1024)
      let sent = 0
      const send = () => {
        sent += 1
        if (sent > 200) response.end()
        else if (response.write(chunk)) send()
        else response.once('drain', send)
      }
      send()
    },
    'without a redirect to the Hub',
  ],
])('an app whose login %s ends the audit with the reason', async (_name, login, problem) => {
  const { sandbox, clientId, start } = await auditedApp({ login })
  await expect(sandbox.audit.app({ clientId, start })).rejects.toThrow(problem)
  expect(await remains(sandbox, clientId)).toEqual(nothing)
})

test('an app may begin a sign-in of the browser that got a foreign callback', async () => {
  const { sandbox, clientId, start, signedIn } = await auditedApp({ beginsAgain: true })
  const only = ['callback/foreign-session']
  const run = await sandbox.audit.app({ clientId, start, signedIn, only })
  expect(outcomes(run)).toEqual({ 'callback/foreign-session': 'passed' })
})

type Respond = NonNullable<AuditedApp['login']>

/** Sends the head of a response, and never its end. */
const neverEnds: Respond = (_request, response) => {
  response.writeHead(200, { 'content-type': 'text/html' }).flushHeaders()
  response.write('<p>')
}
const byteAfterByte: Respond = (request, response) => {
  neverEnds(request, response)
  const timer = setInterval(() => response.write('.'), 1000)
  response.once('close', () => clearInterval(timer))
}
const silent: Respond = () => undefined

describe.concurrent('an app or probe that does not respond in time ends the audit', () => {
  test.each<[string, AuditedApp, string]>([
    ['an app that is silent', { login: silent }, 'no response within 15s'],
    ['an app that never ends', { login: neverEnds }, 'was not complete within 15s'],
    ['an app with a byte a second', { login: byteAfterByte }, 'was not complete within 15s'],
    ['a probe that is silent', { me: silent }, 'probe cannot tell: http'],
    ['a probe that never ends', { me: neverEnds }, 'was not complete within 15s'],
  ])('%s', async (_name, behaviour, problem) => {
    const sandbox = await startSandbox()
    const app = await startApp(sandbox, behaviour)
    const { clientId, start, signedIn } = app
    await expect(sandbox.audit.app({ clientId, start, signedIn })).rejects.toThrow(problem)
    expect(await remains(sandbox, clientId)).toEqual(nothing)
    app.close()
    await sandbox.close()
  })
})

test('an app that is not there ends the audit', async () => {
  const sandbox = await startTestSandbox()
  const app = await startApp(sandbox)
  const { clientId, start } = app
  app.close()
  await expect(sandbox.audit.app({ clientId, start })).rejects.toThrow('ECONNREFUSED')
  expect(await remains(sandbox, clientId)).toEqual(nothing)
})

test('an app that stops in the middle ends no module with a failure', async () => {
  const app = await auditedApp()
  const { sandbox, clientId, start, signedIn } = app
  const only = ['callback/state-changed', 'callback/state-missing', 'session/expired-token']
  const id = await startedAudit(sandbox, { clientId, start, signedIn, use: start, only })
  await readUntil(sandbox, id, ({ verdicts }) => verdicts.length > 0)
  app.close()
  await readUntil(sandbox, id, ({ state }) => state === 'broken')
  const run = await sandbox.control<AuditRunItem>('GET', `audits/${id}`)
  expect(run.problem).toMatch(
    /^The app no longer responds before \S+\. Start it, and the audit, again\.$/,
  )
  expect(outcomes(run)).toMatchObject({
    'callback/state-changed': 'passed',
    'session/expired-token': 'not-reached',
  })
  expect(Object.values(outcomes(run))).not.toContain('failed')
  expect(await remains(sandbox, clientId)).toEqual(nothing)
})

test('a probe that shows everyone the sign-in page says yes to everyone', async () => {
  const page: Respond = (request, response) => {
    if (request.url === '/me') response.writeHead(302, { location: '/sign-in' }).end()
    else response.end('Sign in')
  }
  const { sandbox, clientId, start, signedIn } = await auditedApp({ me: page })
  // A redirect is no.
  await expect(sandbox.audit.app({ clientId, start, signedIn })).rejects.toThrow(
    'The signed-in probe says no after an honest sign-in',
  )
  await expect(
    sandbox.audit.app({ clientId, start, signedIn: signedIn.replace('/me', '/sign-in') }),
  ).rejects.toThrow('The signed-in probe says yes before anybody has signed in')
})

test('a clock that was moved before stays there', async () => {
  const { sandbox, clientId, start, signedIn } = await auditedApp()
  await sandbox.clock.advance('2h')
  const only = ['session/expired-token']
  await sandbox.audit.app({ clientId, start, signedIn, use: start, only })
  const { offsetMs } = await sandbox.clock.read()
  expect(Math.round(offsetMs / 60_000)).toBe(120)
})

test('an audit does not start while anything else changes responses', async () => {
  const { sandbox, clientId, start } = await auditedApp()
  await sandbox.faults.add({ match: { route: '/oauth/token' }, status: 503 })
  await expect(sandbox.audit.app({ clientId, start })).rejects.toThrow('Fault rules are active')
  await sandbox.faults.clear()
  const barrier = await sandbox.barriers.add({ match: { route: '/oauth/token' }, count: 2 })
  await expect(sandbox.audit.app({ clientId, start })).rejects.toThrow('Barriers are active')
  await sandbox.barriers.release(barrier.id)
  await sandbox.clock.freeze()
  await expect(sandbox.audit.app({ clientId, start })).rejects.toThrow('The clock is frozen')
  await sandbox.clock.resume()
  const id = await startedAudit(sandbox, { clientId })
  await expect(sandbox.audit.app({ clientId, start })).rejects.toThrow(`Audit ${id}`)
  await sandbox.control('DELETE', `audits/${id}`)
})

test('an invalid audit is refused with each mistake', async () => {
  const sandbox = await startTestSandbox()
  const body = {
    kind: 'app',
    clientId: 'nobody',
    user: 'alise',
    only: ['id-tokens'],
    start: 'localhost:3000',
  }
  await expect(sandbox.control('POST', 'audits', body)).rejects.toMatchObject({
    status: 400,
    issues: [{ path: 'clientId' }, { path: 'user' }, { path: 'start' }, { path: 'only' }],
  })
})

test('an audit that is stopped keeps its verdicts and undoes what it changed', async () => {
  const { sandbox, clientId, start, signedIn } = await auditedApp()
  const id = await startedAudit(sandbox, { clientId, start, signedIn })
  await readUntil(sandbox, id, ({ verdicts }) => verdicts.length > 0)
  await expect.poll(() => sandbox.faults.list(), { timeout: 20_000 }).not.toEqual([])
  const stopped = await sandbox.control<AuditRunItem>('DELETE', `audits/${id}`)
  expect(stopped.state).toBe('stopped')
  expect(stopped.verdicts[0]?.outcome).toBe('failed')
  expect(stopped.verdicts.at(-1)?.outcome).toBe('not-reached')
  expect(await remains(sandbox, clientId)).toEqual(nothing)
})

test('a reset in the middle of an audit leaves the fixtures', async () => {
  const { sandbox, clientId, start } = await auditedApp()
  await startedAudit(sandbox, { clientId, start })
  await expect
    .poll(async () => (await remains(sandbox, clientId)).tokens, { timeout: 20_000 })
    .not.toEqual([])
  await sandbox.reset()
  await new Promise((resolve) => setTimeout(resolve, 300))
  expect(await remains(sandbox, clientId)).toEqual(nothing)
  expect(await sandbox.control('GET', 'audits')).toMatchObject({ items: [] })
})

test(
  'a fork and a snapshot in the middle of an audit carry nothing of it',
  { timeout: 120_000 },
  async () => {
    const { sandbox, clientId, start, signedIn } = await auditedApp()
    const silence = await startApp(sandbox, { login: silent })
    onTestFinished(() => silence.close())
    const only = ['session/expired-token']
    const id = await startedAudit(sandbox, {
      clientId,
      start,
      signedIn,
      use: silence.start,
      only,
    })
    await expect
      .poll(async () => (await remains(sandbox, clientId)).isOnTime, { timeout: 20_000 })
      .toBe(false)
    expect((await remains(sandbox, clientId)).tokens).not.toEqual([])
    const fork = await sandbox.fork()
    expect(await remains(fork, clientId)).toEqual(nothing)
    await fork.close()
    await sandbox.snapshot('in-an-audit')
    await sandbox.control('DELETE', `audits/${id}`)
    await sandbox.restore('in-an-audit')
    expect(await remains(sandbox, clientId)).toEqual(nothing)
  },
)

test('poison strikes the audited app only', async () => {
  const { sandbox, clientId, start, signedIn } = await auditedApp()
  const id = await startedAudit(sandbox, { clientId, start, signedIn, only: ['id-token/garbage'] })
  await expect.poll(() => sandbox.faults.list(), { timeout: 20_000 }).not.toEqual([])
  const { id_token: idToken } = await sandbox.signIn()
  expect(idToken?.split('.')).toHaveLength(3)
  await readUntil(sandbox, id, ({ state }) => state === 'finished')
  expect((await sandbox.tokens.list()).filter(({ app }) => app !== undefined)).toHaveLength(1)
})

test('a program does the steps by its functions', async () => {
  const { sandbox, clientId, start } = await auditedApp()
  let isIn = false
  const modules = new Set<string>()
  const run = await sandbox.audit.app({
    clientId,
    module: 'id-token/garbage',
    async signIn({ module }) {
      modules.add(module)
      isIn = false
      isIn = (await signInByHand(sandbox, start)) === 302
    },
    signedIn: () => isIn,
  })
  expect(outcomes(run)).toEqual({ 'id-token/garbage': 'failed' })
  expect([...modules]).toEqual(['plain', 'id-token/garbage'])
  await expect(
    sandbox.audit.app({ clientId, signIn: () => Promise.reject(new Error('no browser')) }),
  ).rejects.toThrow('The app did not begin a sign-in. The program printed last:\nno browser')
})

test('a program that reports a failed sign-in is asked for the next one', async () => {
  const { sandbox, clientId, start } = await auditedApp()
  let isIn = false
  const run = await sandbox.audit.app({
    clientId,
    only: ['token/server-error'],
    async signIn() {
      isIn = false
      isIn = (await signInByHand(sandbox, start)) === 302
      if (!isIn) throw new Error('the sign-in failed')
    },
    signedIn: () => isIn,
  })
  expect(outcomes(run)).toEqual({ 'token/server-error': 'passed' })
})

test('an audit by hand ends when another user signs in', async () => {
  const { sandbox, clientId, start } = await auditedApp()
  const id = await startedAudit(sandbox, { clientId, user: 'alice' })
  await readUntil(sandbox, id, ({ state }) => state === 'waiting')
  await signInByHand(sandbox, start, 'bob')
  await readUntil(sandbox, id, ({ state }) => state === 'broken')
  expect(await sandbox.control('GET', `audits/${id}`)).toMatchObject({
    problem: expect.stringMatching(/^bob signed in instead of alice\..+--user bob\.$/),
  })
})

test('a device audit by hand that is continued too early decides nothing', async () => {
  const fixtures = await defaultFixtures({ config: { device: { interval: '1s' } } })
  const sandbox = await startTestSandbox({ fixtures })
  const clientId = defaultApps(sandbox).public.clientId
  const post = async (path: string, form: Record<string, string>) => {
    const body = new URLSearchParams({ client_id: clientId, ...form })
    const answer = await fetch(`${sandbox.url}${path}`, { method: 'POST', body })
    return (await answer.json()) as { device_code: string; error?: string; access_token?: string }
  }
  const poll = (device_code: string) =>
    post('/oauth/token', { grant_type: deviceCodeGrant, device_code })
  const id = await startedAudit(sandbox, { clientId, flow: 'device', only: ['device/denied'] })
  await readUntil(sandbox, id, ({ state }) => state === 'waiting')
  const honest = await post('/oauth/device', {})
  await expect
    .poll(async () => (await poll(honest.device_code)).access_token, {
      timeout: 20_000,
      interval: 1100,
    })
    .toBeDefined()
  await readUntil(sandbox, id, ({ step }) => step?.module === 'device/denied')
  const { device_code: code } = await post('/oauth/device', {})
  expect((await poll(code)).error).toBe('access_denied')
  await sandbox.control('POST', `audits/${id}/continue`, {})
  await readUntil(sandbox, id, ({ state }) => state === 'finished')
  expect((await sandbox.control<AuditRunItem>('GET', `audits/${id}`)).verdicts).toMatchObject([
    { outcome: 'inconclusive', observed: expect.stringContaining('still polling') },
  ])
})

test('a person signs in by hand, and the audit notices', async () => {
  const { sandbox, clientId, start } = await auditedApp()
  const id = await startedAudit(sandbox, { clientId, only: ['id-token/garbage', 'callback/twice'] })
  await readUntil(sandbox, id, ({ state }) => state === 'waiting')
  const waiting = await sandbox.control<AuditRunItem>('GET', `audits/${id}`)
  expect(waiting.waitsFor).toMatch(/^Sign in to Audited as \w+, in a fresh browser session\.$/)
  await signInByHand(sandbox, start)
  await readUntil(sandbox, id, ({ step }) => step?.module === 'id-token/garbage')
  await sandbox.control('POST', `audits/${id}/skip`)
  await readUntil(sandbox, id, ({ state }) => state === 'finished')
  const { verdicts } = await sandbox.control<AuditRunItem>('GET', `audits/${id}`)
  expect(verdicts).toMatchObject([
    {
      module: 'id-token/garbage',
      outcome: 'inconclusive',
      observed: 'The user skipped the module.',
    },
    { module: 'callback/twice', outcome: 'not-applicable' },
  ])
})
