import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http'
import { describe, expect, test } from 'vitest'
import type { AppItem, AppList } from '../../server/contract/control-apps.ts'
import type { FlowDetail } from '../../server/contract/control-flows.ts'
import { SpaceFrameDetail, SpaceFrameItem } from '../../server/contract/control-frames.ts'
import type { FixturesFile } from '../../server/contract/fixtures-types.ts'
import type { Sandbox } from '../../server/index.ts'
import { callerAt } from '../helpers/cast.ts'
import { expectShape } from '../helpers/control.ts'
import { framed, opened, sendPlain, startApp, startEcho } from '../helpers/framed-app.ts'
import { pkce, verifier } from '../helpers/oauth-client.ts'
import { startTestSandbox } from '../helpers/sandbox.ts'

const readme = (...lines: string[]) => ({ 'README.md': ['---', ...lines, '---', ''].join('\n') })

const fixtures: FixturesFile = {
  users: [{ username: 'alice' }, { username: 'bob' }, { username: 'carol' }],
  organizations: [
    { name: 'acme', members: [{ user: 'alice', role: 'admin' }] },
    { name: 'labs', members: [{ user: 'bob', role: 'read' }] },
  ],
  repos: [
    {
      name: 'acme/demo',
      type: 'space',
      sdk: 'gradio',
      files: readme(
        'title: Demo of acme',
        'sdk: gradio',
        'hf_oauth: true',
        'hf_oauth_expiration_minutes: 90',
        'hf_oauth_authorized_org: [acme, labs]',
      ),
    },
    {
      name: 'alice/page',
      type: 'space',
      sdk: 'static',
      files: readme('sdk: static', 'hf_oauth: true', 'hf_oauth_authorized_org: acme'),
    },
  ],
}

const start = () => startTestSandbox({ fixtures })

async function appOf(sandbox: Sandbox, space: string) {
  const { items } = await sandbox.control<AppList>('GET', 'apps')
  const app = items.find((item) => item.space === space)
  if (app === undefined) throw new Error(`${space} has no app`)
  return app
}

const redirectUri = 'http://localhost:7860/callback'
function authorizationUrl(sandbox: Sandbox, clientId: string): string {
  const query = new URLSearchParams({
    client_id: clientId,
    redirect_uri: redirectUri,
    response_type: 'code',
    scope: 'openid profile',
    state: 's',
    ...pkce,
  })
  return `${sandbox.url}/oauth/authorize?${query}`
}

/** An app that keeps the state of its sign-in in a cookie with these attributes, and checks it. */
function startSignInApp(sandbox: Sandbox, clientId: string, attributes: string) {
  return startApp((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://localhost')
    if (pathname === '/login') {
      const query = new URLSearchParams({
        client_id: clientId,
        redirect_uri: `http://${request.headers.host}/callback`,
        response_type: 'code',
        scope: 'openid profile',
        state: 'state-of-app',
      })
      response.setHeader('set-cookie', `state=state-of-app; Path=/; ${attributes}`)
      response.writeHead(303, { location: `${sandbox.url}/oauth/authorize?${query}` })
    } else {
      const isKnown = request.headers.cookie === `state=${searchParams.get('state')}`
      response.statusCode = isKnown ? 200 : 400
    }
    response.end()
  })
}

describe('the control API', () => {
  test('opens, lists, changes and closes a frame', async () => {
    const sandbox = await start()
    const { url } = await startEcho()
    const frame = await sandbox.spaceFrames.open({ target: `${url}/start?a=1`, space: 'ACME/demo' })
    expectShape(SpaceFrameItem, frame)
    expect(frame).toMatchObject({
      space: 'acme/demo',
      mode: 'browser',
      url: `http://127.0.0.1:${frame.port}/start?a=1`,
      pageUrl: `${sandbox.url}/_sandbox/space-frames/${frame.id}`,
    })
    await sendPlain(frame.url, opened)
    const detail = await sandbox.spaceFrames.read(frame.id)
    expectShape(SpaceFrameDetail, detail)
    expect(detail).toMatchObject({ callCount: 1, calls: [{ path: '/start', place: 'direct' }] })
    expect((await sandbox.spaceFrames.setMode(frame.id, 'blocked')).mode).toBe('blocked')
    expect(await sandbox.spaceFrames.list()).toHaveLength(1)

    await sandbox.reset()
    expect(await sandbox.spaceFrames.read(frame.id)).toMatchObject({ callCount: 1, calls: [] })
    await sandbox.spaceFrames.close(frame.id)
    expect(await sandbox.spaceFrames.list()).toEqual([])
    await expect(sandbox.spaceFrames.read(frame.id)).rejects.toMatchObject({ status: 404 })
    await expect(sandbox.spaceFrames.close(frame.id)).rejects.toMatchObject({ status: 404 })
  })

  test.each([
    [{ target: 'nope' }, 400, /not an http or https URL/],
    [{ target: 'http://localhost:1', space: 'acme/demos' }, 404, /acme\/demo/],
    [{ target: 'http://localhost:1', mode: 'odd' }, 400, /mode/],
    [{ target: 'http://localhost:1', port: 70_000 }, 400, /port/],
    [{}, 400, /target/],
  ])('refuses %j', async (body, status, message) => {
    const sandbox = await start()
    await expect(sandbox.control('POST', 'space-frames', body)).rejects.toMatchObject({
      status,
      message: expect.stringMatching(message),
    })
  })

  test('refuses the sandbox as an app', async () => {
    const sandbox = await start()
    await expect(sandbox.spaceFrames.open({ target: sandbox.url })).rejects.toThrow(
      /belongs to this sandbox/,
    )
  })

  test('what a frame forwards cannot reach the control API of another sandbox', async () => {
    const [sandbox, other] = [await start(), await start()]
    // In one process its port is known; the header tells it to one of another process.
    await expect(sandbox.spaceFrames.open({ target: other.url })).rejects.toThrow(/belongs to/)
    const headers = { via: '1.1 hub-sandbox-link' }
    const answer = await fetch(`${other.url}/_sandbox/api/overview`, { headers })
    expect(answer.status).toBe(403)
  })

  test('frames end with the sandbox', async () => {
    const sandbox = await start()
    const frame = await sandbox.spaceFrames.open({ target: 'http://localhost:1' })
    await sandbox.close()
    await expect(fetch(frame.url)).rejects.toThrow(/fetch failed/)
  })

  test('frames of HTTPS sandboxes have HTTPS', async () => {
    const sandbox = await startTestSandbox({ fixtures, https: true })
    const frame = await sandbox.spaceFrames.open({ target: 'http://localhost:1' })
    expect(frame.url).toMatch(/^https:\/\/127\.0\.0\.1:/)
  })
})

describe('the drawing of a sign-in in a frame', () => {
  async function signInFramed(attributes: string, sendsCookie: boolean) {
    const sandbox = await start()
    const app = await appOf(sandbox, 'acme/demo')
    const { url } = await startSignInApp(sandbox, app.clientId, attributes)
    const frame = await sandbox.spaceFrames.open({ target: url, space: 'acme/demo' })
    const origin = `http://127.0.0.1:${frame.port}`
    const login = await sendPlain(`${origin}/login`, framed)
    const back = await sandbox.authorize(login.headers.location ?? '', { user: 'alice' })
    const cookie = login.headers['set-cookie']?.[0]?.split(';')[0]
    const { status } = await sendPlain(back, {
      ...framed,
      ...(sendsCookie ? { cookie } : {}),
    })
    const id = (await sandbox.flows()).at(-1)?.id
    return { sandbox, status, flow: await sandbox.control<FlowDetail>('GET', `flows/${id}`) }
  }

  test('says which cookie was not sent, why, and the fix', async () => {
    const { sandbox, status, flow } = await signInFramed('SameSite=Lax', false)
    expect(status).toBe(400)
    expect(flow.outcome).toBe('pending')
    expect(flow.explanation).toMatch(/redirect URI was called without the cookie state\.$/)
    expect(flow.steps.map(({ name, outcome }) => [name, outcome])).toEqual([
      ['app opened to sign in', 'refused'],
      ['redirect to the Hub', 'ok'],
      ['authorization request', 'ok'],
      ['code → redirect URI', 'ok'],
      ['code not exchanged yet', 'pending'],
      ['redirect URI called without state', 'refused'],
    ])
    const [first, callback] = [flow.steps[0], flow.steps[5]]
    expect(first?.explanation).toMatch(
      /GET \/login in the frame.*sets state, which is not stored: SameSite=Lax.*Set SameSite=None; Secure; Partitioned\./,
    )
    expect(callback).toMatchObject({ status: 400, from: 'browser', to: 'app' })
    expect(callback?.explanation).toMatch(
      /state was not sent: SameSite=Lax.*Set SameSite=None; Secure; Partitioned\./,
    )
    expect(JSON.stringify(flow)).not.toContain('state-of-app')
    const step = await sandbox.control('GET', `flows/${flow.id}/steps/${callback?.id}`)
    expect(step).toMatchObject({ step: { id: callback?.id }, parameters: [] })
    const drawn = await sandbox.control<{ text: string }>('GET', `flows/${flow.id}/mermaid`)
    expect(drawn.text).toContain('redirect URI called without state')
  })

  test('shows that the cookie arrived', async () => {
    const { status, flow } = await signInFramed('SameSite=None; Secure; Partitioned', true)
    expect(status).toBe(200)
    expect(flow.steps[0]).toMatchObject({ name: 'app opened to sign in', outcome: 'ok' })
    expect(flow.steps[5]).toMatchObject({
      name: 'redirect URI called',
      outcome: 'ok',
      explanation: expect.stringMatching(/in the frame, with state\.$/),
    })
    expect(flow.explanation).not.toMatch(/without/)
  })

  test('leaves a sign-in of another app alone', async () => {
    const { sandbox } = await signInFramed('SameSite=Lax', false)
    const page = await appOf(sandbox, 'alice/page')
    await sandbox.authorize(authorizationUrl(sandbox, page.clientId), { user: 'alice' })
    const id = (await sandbox.flows()).at(-1)?.id
    const flow = await sandbox.control<FlowDetail>('GET', `flows/${id}`)
    expect(flow.steps.map(({ id: step }) => step).join()).not.toMatch(/frame/)
  })
})

describe('pages of the hub in a frame', () => {
  const inFrame = { ...framed, accept: 'text/html' }

  async function askForConsent(sandbox: Sandbox, headers: Record<string, string> = inFrame) {
    const { clientId } = await appOf(sandbox, 'acme/demo')
    const session = await sandbox.control<{ name: string; value: string }>('POST', 'sessions', {
      user: 'alice',
    })
    const query = new URLSearchParams({
      client_id: clientId,
      redirect_uri: 'http://127.0.0.1:5000/callback',
      response_type: 'code',
      scope: 'openid profile',
    })
    const cookie = `${session.name}=${session.value}`
    return sendPlain(`${sandbox.url}/oauth/authorize?${query}`, { ...headers, cookie })
  }

  test('are refused while no Space frame is open', async () => {
    const sandbox = await start()
    const answer = await askForConsent(sandbox)
    expect([answer.status, answer.headers['x-frame-options']]).toEqual([403, 'DENY'])
    const login = await sendPlain(`${sandbox.url}/login`, inFrame)
    expect(login.headers['content-security-policy']).toMatch(/frame-ancestors 'none'/)
  })

  test('may be framed by the dashboard alone while one is open', async () => {
    const sandbox = await start()
    await sandbox.spaceFrames.open({ target: 'http://localhost:1' })
    for (const answer of [
      await askForConsent(sandbox),
      await sendPlain(`${sandbox.url}/login`, inFrame),
      await sendPlain(`${sandbox.url}/oauth/authorize?client_id=unknown`, inFrame),
    ]) {
      expect(answer.headers['content-security-policy']).toMatch(/frame-ancestors 'self'/)
      expect(answer.headers['x-frame-options']).toBe('SAMEORIGIN')
    }
    // The app of a Space frame is on another host, so this is the frame of an app on another port.
    const sameSite = await askForConsent(sandbox, { ...inFrame, 'sec-fetch-site': 'same-site' })
    expect(sameSite.headers.location).toMatch(/^\/login\?/)
    const opened = await sendPlain(`${sandbox.url}/login`, { accept: 'text/html' })
    expect(opened.headers['content-security-policy']).toMatch(/frame-ancestors 'none'/)
  })
})

describe('the app of a Space', () => {
  test('gets tokens that live as long as its README says', async () => {
    const sandbox = await start()
    const demo = await appOf(sandbox, 'acme/demo')
    const page = await appOf(sandbox, 'alice/page')
    const lives = async ({ clientId, clientSecret }: AppItem) => {
      const back = await sandbox.authorize(authorizationUrl(sandbox, clientId), { user: 'alice' })
      const form = new URLSearchParams({
        grant_type: 'authorization_code',
        code: new URL(back).searchParams.get('code') ?? '',
        redirect_uri: redirectUri,
        client_id: clientId,
        code_verifier: verifier,
        ...(clientSecret === undefined ? {} : { client_secret: clientSecret }),
      })
      const tokens = await callerAt(sandbox).post<{ expires_in: number }>('/oauth/token', form)
      return tokens.body.expires_in
    }
    expect(await lives(demo)).toBe(90 * 60)
    expect(await lives(page)).toBe(480 * 60)
  })

  test.each([
    ['acme/demo', 'alice', undefined],
    ['acme/demo', 'bob', undefined],
    ['acme/demo', 'carol', 'This app is for members of acme, labs only.'],
    ['alice/page', 'alice', undefined],
    ['alice/page', 'bob', 'This app is for members of acme only.'],
  ])('of %s signs in %s: %s', async (space, user, refusal) => {
    const sandbox = await start()
    const { clientId } = await appOf(sandbox, space)
    const back = await sandbox.authorize(authorizationUrl(sandbox, clientId), { user })
    const { searchParams } = new URL(back)
    expect([searchParams.get('error'), searchParams.get('error_description')]).toEqual(
      refusal === undefined ? [null, null] : ['access_denied', refusal],
    )
  })

  test('has the variables that the Hub sets for its Space', async () => {
    const sandbox = await start()
    const alice = sandbox.fixtures.users.find(({ username }) => username === 'alice')
    const demo = await appOf(sandbox, 'acme/demo')
    expect(demo.spaceVariables).toEqual({
      SPACE_ID: 'acme/demo',
      SPACE_AUTHOR_NAME: 'acme',
      SPACE_REPO_NAME: 'demo',
      SPACE_TITLE: 'Demo of acme',
      SPACE_CREATOR_USER_ID: expect.stringMatching(/^[0-9a-f]{24}$/),
      ACCELERATOR: 'none',
      CPU_CORES: '2',
      MEMORY: '16Gi',
    })
    expect((await appOf(sandbox, 'alice/page')).spaceVariables).toEqual({
      SPACE_ID: 'alice/page',
      SPACE_AUTHOR_NAME: 'alice',
      SPACE_REPO_NAME: 'page',
      SPACE_TITLE: 'page',
      SPACE_CREATOR_USER_ID: alice?.id,
    })
    const frame = await sandbox.spaceFrames.open({
      target: 'http://localhost:7860',
      space: 'spaces/acme/demo',
    })
    const host = `127.0.0.1:${frame.port}`
    expect((await appOf(sandbox, 'acme/demo')).spaceVariables?.['SPACE_HOST']).toBe(host)
    const { variables } = await sandbox.spaceFrames.read(frame.id)
    expect(variables).toMatchObject({ SPACE_ID: 'acme/demo', SPACE_HOST: host })
  })
})

describe('window.huggingface.variables', () => {
  const page = '<!doctype html><html><head><title>Page</title></head></html>'
  const described = {
    'content-type': 'text/html; charset=utf-8',
    'content-length': page.length,
    etag: '"1"',
    'last-modified': new Date(0).toUTCString(),
    'content-digest': 'sha-256=:AAAA:',
  }

  async function framedPage(space: string, headers: OutgoingHttpHeaders = described, status = 200) {
    const sandbox = await start()
    const seen: IncomingHttpHeaders[] = []
    const { url } = await startApp((request, response) => {
      seen.push(request.headers)
      response.writeHead(status, headers).end(page)
    })
    const frame = await sandbox.spaceFrames.open({ target: url, space })
    const ask = (method = 'GET') =>
      sendPlain(frame.url, { ...framed, 'accept-encoding': 'gzip, br' }, { method })
    return { sandbox, frame, ask, seen }
  }

  test('has the variables of a static Space, and its app without a secret', async () => {
    const { sandbox, frame, ask, seen } = await framedPage('alice/page')
    const token = (await sandbox.tokens.mint({ user: 'alice', role: 'write' })).access_token
    const variable = { key: 'MODEL', value: '</script>\u2028' }
    const path = '/api/spaces/alice/page/variables'
    const response = await callerAt(sandbox, token).post(path, variable)
    expect(response.status).toBe(200)
    const { clientId } = await appOf(sandbox, 'alice/page')
    const alice = sandbox.fixtures.users.find(({ username }) => username === 'alice')
    const variables = {
      MODEL: '</script>\u2028',
      SPACE_CREATOR_USER_ID: alice?.id,
      OAUTH_CLIENT_ID: clientId,
      OAUTH_SCOPES: 'openid profile',
    }
    const { pageVariables } = await sandbox.spaceFrames.read(frame.id)
    expect(pageVariables).toEqual(variables)

    const { body, headers } = await ask()
    const [, before, json, after] =
      /^(.*)<script>window\.huggingface=\{variables:(.*?)\};<\/script>(.*)$/.exec(body) ?? []
    expect(`${before}${after}`).toBe(page)
    expect(before).toMatch(/<head>$/)
    expect(JSON.parse(json ?? '')).toEqual(variables)
    expect(headers).not.toHaveProperty('etag')
    expect(headers).not.toHaveProperty('last-modified')
    expect(headers).not.toHaveProperty('content-digest')
    expect(headers).not.toHaveProperty('content-length')
    expect(seen.map((got) => got['accept-encoding'])).toEqual(['identity'])
  })

  test.each([
    ['a Space with another SDK', 'acme/demo', described, 200],
    ['other types', 'alice/page', { ...described, 'content-type': 'text/plain' }, 200],
    ['compressed pages', 'alice/page', { ...described, 'content-encoding': 'gzip' }, 200],
    ['parts of pages', 'alice/page', { ...described, 'content-range': 'bytes 0-59/99' }, 206],
  ])('is missing in responses of %s, which stay unchanged', async (_name, space, sent, status) => {
    const { ask } = await framedPage(space, sent, status)
    const { body, headers } = await ask()
    expect(body).toBe(page)
    expect(headers).toMatchObject({ etag: '"1"', 'content-length': String(page.length) })
  })

  test('changes no response without a body', async () => {
    const { ask } = await framedPage('alice/page')
    const { status, body, headers } = await ask('HEAD')
    expect([status, body]).toEqual([200, ''])
    expect(headers).not.toHaveProperty('content-length')
  })
})
