import { describe, expect, test } from 'vitest'
import { createRepo } from '../../server/hub/repos/repos.ts'
import { testApp } from '../helpers/app.ts'
import { pkce, redirectUri } from '../helpers/oauth-client.ts'

const world = testApp()
const { client } = world

const hostile = `"><script>alert(1)</script><img src=x onerror='alert(1)'>`

describe('pages with names from users', () => {
  async function everyPage(): Promise<string[]> {
    const { clientId, session } = await hostileWorld()
    const parameters = { client_id: clientId, redirect_uri: redirectUri, ...pkce }
    const authorize = client.authorizeUrl(parameters)
    const device = (await client.postForm('/oauth/device', { client_id: clientId })).json<{
      user_code: string
    }>()
    const typed = { user_code: device.user_code }
    const answers = [
      await client.get('/login'),
      await client.get(`/login?next=${encodeURIComponent(authorize)}`),
      await client.get(authorize, session),
      await client.get(client.authorizeUrl({ ...parameters, redirect_uri: hostile }), session),
      await client.get(`/oauth/device?user_code=${encodeURIComponent(hostile)}`, session),
      await client.postForm('/oauth/device/verify', { user_code: hostile }, session),
      await after(await client.postForm('/oauth/device/verify', typed, session), session),
      await after(
        await client.postForm('/oauth/device/verify', { ...typed, decision: 'deny' }, session),
        session,
      ),
      await client.postForm('/login', { user: hostile }),
      await client.postForm('/login', { user: 'dana', next: '/x' }),
      ...(await Promise.all(
        ['/villain', '/acme', '/datasets/acme/hostile', `/${encodeURIComponent(hostile)}`].map(
          (path) => client.get(path, { ...session, accept: 'text/html' }),
        ),
      )),
    ]
    return answers.map(({ body }) => body)
  }

  const after = (
    { headers }: { headers: { location?: string | undefined } },
    session: { cookie: string },
  ) => client.get(headers.location ?? '', session)

  async function hostileWorld() {
    const { acme } = world.organizations
    world.state.organizations.put({ ...acme, fullname: hostile, avatarUrl: hostile })
    world.user('villain', { fullname: hostile, avatarUrl: hostile })
    world.state.users.put({ ...world.users.alice, fullname: hostile })
    world.state.users.put({ ...world.users.dana, fullname: hostile })
    createRepo(world.deps, {
      type: 'dataset',
      name: 'acme/hostile',
      actorId: world.users.alice.id,
      description: hostile,
    })
    const app = world.app(hostile, { logoUri: hostile, organizationId: acme.id })
    return { clientId: app.id, session: await client.signIn('alice') }
  }

  test('escape the names', async () => {
    const pages = await everyPage()
    expect(pages).toHaveLength(14)
    for (const page of pages) {
      expect(page).toContain('<!doctype html>')
      expect(page).not.toMatch(/<script|<img src=x|onerror='/)
    }
    expect(pages.filter((page) => page.includes('&lt;script&gt;'))).not.toHaveLength(0)
  })

  test('isolate the names, so that none changes the text direction around it', async () => {
    const name = '&lt;script&gt;'
    // A refusal repeats what was asked, in a paragraph of its own.
    const apart = /<title>.*?<\/title>|<bdi>.*?<\/bdi>|<p class="notice bad".*?<\/p>|<[^>]*>/gs
    const texts = (await everyPage()).map((page) => page.replaceAll(apart, ''))
    expect(texts.filter((text) => text.includes(name))).toEqual([])
  })

  test('load images from their own origin only', async () => {
    world.app('Logo app', { logoUri: 'https://tracker.example/pixel.png' })
    const sources = (await everyPage()).flatMap((page) =>
      [...page.matchAll(/src="([^"]*)"/g)].map(([, source]) => source),
    )
    expect(sources.length).toBeGreaterThan(5)
    for (const source of sources) expect(source).toMatch(/^\/avatars\/[^"]+\.svg$/)
  })
})

describe('avatars', () => {
  test('are images in which nothing runs', async () => {
    const answer = await client.get(`/avatars/${encodeURIComponent('<script>')}.svg`)
    expect(answer.statusCode).toBe(200)
    expect(answer.headers).toMatchObject({
      'content-type': 'image/svg+xml; charset=utf-8',
      'content-security-policy': expect.stringMatching(/^sandbox; default-src 'none'/),
      'x-content-type-options': 'nosniff',
    })
    expect(answer.body).not.toContain('<script')
  })

  test('depend on the name, in any letter case', async () => {
    const [one, same, other] = await Promise.all(
      ['alice', 'Alice', 'bob'].map((name) => client.get(`/avatars/${name}.svg`)),
    )
    expect(same!.body).toBe(one!.body)
    expect(other!.body).not.toBe(one!.body)
  })
})

describe('URLs of the dashboard', () => {
  test.each([
    ['/', '/_sandbox/'],
    ['/settings/applications', '/_sandbox/apps'],
    ['/settings/applications/new', '/_sandbox/apps?new'],
    ['/settings/connected-applications', '/_sandbox/consents'],
    ['/settings/tokens', '/_sandbox/tokens'],
    ['/settings/webhooks', '/_sandbox/webhooks'],
    ['/settings/webhooks/abc/activity', '/_sandbox/webhooks/abc/activity'],
    ['/organizations/acme/settings/audit-log', '/_sandbox/organizations/acme/audit-log'],
    [
      '/settings/webhooks/..%2F..%2Fx%0d%0aa/activity',
      '/_sandbox/webhooks/..%2F..%2Fx%0D%0Aa/activity',
    ],
  ])('%s redirects to %s', async (path, place) => {
    const answer = await client.get(path)
    expect(answer.statusCode).toBe(303)
    expect(answer.headers.location).toBe(place)
  })

  test('the stylesheet of the pages is served', async () => {
    const answer = await client.get('/_sandbox/pages.css')
    expect(answer.headers['content-type']).toBe('text/css; charset=utf-8')
    const page = await client.get('/login')
    expect(page.body).toContain('href="/_sandbox/pages.css"')
  })
})
