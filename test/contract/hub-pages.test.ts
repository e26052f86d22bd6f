import { beforeEach, describe, expect, test } from 'vitest'
import { createBucket } from '../../server/hub/buckets/buckets.ts'
import { moveRepo } from '../../server/hub/repos/repos.ts'
import { testApp } from '../helpers/app.ts'
import { pkce, redirectUri } from '../helpers/oauth-client.ts'

const world = testApp()
const { client } = world

const accept = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'
const browse = (url: string, headers: Record<string, string> = {}) =>
  client.get(url, { accept, ...headers })

function expectPage(answer: Awaited<ReturnType<typeof browse>>, status: number): void {
  expect(answer.statusCode).toBe(status)
  expect(answer.headers).toMatchObject({
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': expect.stringMatching(/default-src 'none'.*frame-ancestors 'none'/),
    'x-frame-options': 'DENY',
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-store',
  })
  expect(answer.body).not.toContain('<script')
}

describe('pages of the hub, for browsers', () => {
  beforeEach(() => {
    const actorId = world.users.alice.id
    world.makeRepo('acme/corpus', { type: 'dataset', gated: 'auto' })
    world.makeRepo('alice/tiny', { description: 'A tiny one' })
    world.makeRepo('alice/demo', { type: 'space', sdk: 'gradio' })
    world.makeRepo('acme/secret', { visibility: 'private' })
    createBucket(world.deps, { actorId, name: 'alice/results' })
    createBucket(world.deps, { actorId, visibility: 'private', name: 'acme/secret' })
  })

  test('a user has organizations and repos, in any letter case', async () => {
    const page = await browse('/Alice')
    expectPage(page, 200)
    expect(page.body).toContain('<h1><bdi>Alice Example</bdi>')
    for (const link of [
      '/acme',
      '/alice/tiny',
      '/spaces/alice/demo',
      '/buckets/alice/results',
      '/_sandbox/people',
    ]) {
      expect(page.body).toContain(`href="${link}"`)
    }
  })

  test('an organization shows what the viewer may see', async () => {
    const page = await browse('/acme')
    expectPage(page, 200)
    for (const link of ['/alice', '/bob', '/datasets/acme/corpus']) {
      expect(page.body).toContain(`href="${link}"`)
    }
    expect(page.body).not.toContain('acme/secret')
    const member = await browse('/acme', await client.signIn('bob'))
    expect(member.body).toContain('href="/acme/secret"')
  })

  test.each([
    ['/alice/tiny', 'A tiny one'],
    ['/datasets/acme/corpus', 'gated'],
    ['/spaces/alice/demo', 'space (gradio)'],
    ['/buckets/alice/results', '<dt>Files</dt>'],
  ])('a repo has a page: %s', async (path, text) => {
    const page = await browse(path)
    expectPage(page, 200)
    expect(page.body).toContain(text)
    expect(page.body).toMatch(/href="\/_sandbox\/repos\?open=[\da-f]{24}"/)
  })

  test('a private repo is hidden from other users', async () => {
    expectPage(await browse('/acme/secret', await client.signIn('bob')), 200)
    const stranger = await browse('/acme/secret', await client.signIn('carol'))
    expectPage(stranger, 404)
    const missing = await browse('/acme/missing', await client.signIn('carol'))
    expect(stranger.body.replaceAll('secret', 'missing')).toBe(missing.body)
  })

  test.each([
    '/acme/secret',
    '/acme/secret/tree/main',
    '/datasets/acme/secret',
    '/buckets/acme/secret',
    '/secret',
  ])('a page that may be private offers to sign in, like a missing one: %s', async (path) => {
    const url = `${path}?q=1&r="2"`
    const page = await browse(url)
    expectPage(page, 404)
    expect(page.body).toContain('<button class="main">Sign in</button>')
    const next = `${path}?q=1&amp;r=%222%22`
    expect(page.body).toContain(`name="next" value="${next}"`)
    const missing = await browse(url.replace('secret', 'absent'))
    expect(page.body.replaceAll('secret', 'absent')).toBe(missing.body)
    const { date: _date, 'x-request-id': _id, ratelimit: _left, ...headers } = page.headers
    for (const [name, value] of Object.entries(headers)) {
      expect([name, String(missing.headers[name])]).toEqual([
        name,
        String(value).replaceAll('secret', 'absent'),
      ])
    }
    const signedIn = await browse(url, await client.signIn('carol'))
    expect(signedIn.body).not.toContain('>Sign in<')
  })

  test('pages that nobody can see after a sign-in offer none', async () => {
    for (const path of ['/oauth/nothing', '/.well-known/nothing', '/api/papers', '/_sandbox/no']) {
      expect((await browse(path)).body).not.toContain('>Sign in<')
    }
  })

  test('a moved repo redirects to its new name', async () => {
    const repo = world.state.repos.find('name', 'model/alice/tiny')!
    moveRepo(world.deps, { repo, toName: 'acme/tiny', actorId: world.users.alice.id })
    const answer = await browse('/alice/tiny')
    expect(answer.statusCode).toBe(307)
    expect(answer.headers.location).toBe('/acme/tiny')
  })

  test('programs get JSON in place of pages', async () => {
    for (const path of ['/alice', '/acme', '/alice/tiny', '/nobody']) {
      const answer = await client.get(path, { accept: '*/*' })
      expect(answer.statusCode).toBe(404)
      expect(answer.json()).toMatchObject({ error: 'not_found' })
    }
  })
})

describe('unknown URLs', () => {
  test.each([
    ['/nobody', 404, 'GET /nobody'],
    ['/alice/nothing', 404, 'GET /alice/nothing'],
    ['/datasets/a/b/c/d', 404, 'GET /datasets/a/b/c/d'],
    ['/oauth/nothing', 404, 'GET /oauth/nothing'],
    ['/.well-known/nothing', 404, 'GET /.well-known/nothing'],
    ['/api/papers', 501, 'GET /api/papers'],
  ])('browsers get a page: %s', async (path, status, text) => {
    const page = await browse(`${path}?q=<script>`)
    expectPage(page, status)
    expect(page.body).toContain(text)
    expect(page.body).toContain('href="/_sandbox/"')
    const program = await client.get(path)
    expect(program.statusCode).toBe(status)
    expect(program.headers['content-type']).toBe('application/json; charset=utf-8')
  })

  test('requests other than navigations get data', async () => {
    const answer = await world.as().post('/nobody', undefined, { accept })
    expect(answer).toMatchObject({ status: 404, body: { error: 'not_found' } })
  })
})

describe('pages with a session', () => {
  test('a page names its user and signs out', async () => {
    const session = await client.signIn('alice')
    const app = world.apps.public
    const parameters = { client_id: app.id, redirect_uri: redirectUri, scope: 'openid', ...pkce }
    const consent = client.authorizeUrl(parameters)
    const { user_code: userCode } = (
      await client.postForm('/oauth/device', { client_id: app.id })
    ).json<{ user_code: string }>()
    const typed = { user_code: userCode }
    const verified = await client.postForm('/oauth/device/verify', typed, session)
    const allowed = { ...typed, decision: 'approve' }
    const confirm = await browse(verified.headers.location!, session)
    const done = await client.postForm('/oauth/device/verify', allowed, session)
    const pages = {
      [consent]: await browse(consent, session),
      '/x': await browse('/login?next=/x', session),
      '/y': await client.postForm('/login', { user: 'dana', next: '/y' }, session),
      '/oauth/device': await browse('/oauth/device', session),
      [`/oauth/device?user_code=${userCode}`]: confirm,
      '/oauth/device#done': await browse(done.headers.location!, session),
      '/': await client.postForm('/oauth/device/verify', { user_code: 'WRNG' }, session),
      '/oauth/authorize?client_id=x': await browse('/oauth/authorize?client_id=x', session),
      '/alice': await browse('/alice', session),
      '/nothing': await browse('/nothing', session),
    }
    for (const [next, { body }] of Object.entries(pages)) {
      expect(body).toContain('Signed in as <strong>alice</strong>')
      expect(body).toContain('<button form="sign-out">Sign out</button>')
      const field =
        /<form id="sign-out" method="post" action="\/logout">\s*<input type="hidden" name="next" value="([^"]*)"/
      const value = field.exec(body)?.[1]?.replaceAll('&amp;', '&')
      expect([next.split('#')[0], '/oauth/device']).toContain(value)
    }
    await client.postForm('/logout', '', session)
    expect((await browse('/alice', session)).body).not.toContain('Sign out')
  })
})
