import { describe, expect, test } from 'vitest'
import { buildTestApp, testApp } from '../helpers/app.ts'
import { createOAuthClient } from '../helpers/oauth-client.ts'
import { formOf } from '../helpers/page.ts'

const world = testApp()
const { client } = world

const whoami = (session: { cookie: string }) => client.get('/api/whoami-v2', session)

describe('login', () => {
  test('lists the users and signs in the selected one', async () => {
    const page = await client.get('/login')
    for (const name of ['alice', 'bob', 'carol', 'dana', 'mallory']) {
      expect(page.body).toContain(`name="user" value="${name}"`)
    }
    const session = await client.signIn('ALICE')
    expect((await whoami(session)).json()).toMatchObject({ name: 'alice' })
  })

  test('names the signed-in user', async () => {
    expect((await client.get('/login')).body).not.toContain('signed in')
    const page = await client.get('/login', await client.signIn('carol'))
    expect(page.body).toContain('you are signed in as <strong>carol</strong>')
  })

  test('sets a cookie that scripts and other sites cannot read, for the lifetime of the session', async () => {
    const answer = await client.postForm('/login', { user: 'alice' })
    expect(answer.headers['set-cookie']).toMatch(
      /^hub_sandbox_session_7420=sandbox_\w{40}; Path=\/; HttpOnly; SameSite=Lax; Max-Age=2592000$/,
    )
    expect(answer.headers['cache-control']).toBe('no-store')
    const secure = await buildTestApp({ baseUrl: 'https://localhost:7420' })
    const overTls = await createOAuthClient(secure).postForm('/login', { user: 'alice' })
    expect(overTls.headers['set-cookie']).toMatch(/; Secure$/)
  })

  test('refuses an unknown user', async () => {
    const answer = await client.postForm('/login', { user: '<b>nobody' })
    expect(answer.statusCode).toBe(404)
    expect(answer.body).toContain('&lt;b&gt;nobody')
    expect(answer.headers).not.toHaveProperty('set-cookie')
    expect((await client.postForm('/login', '')).statusCode).toBe(404)
  })

  test('asks for a password if the user has one', async () => {
    const asked = await client.postForm('/login', { user: 'dana', next: '/oauth/device' })
    expect(asked.statusCode).toBe(200)
    expect(asked.headers).not.toHaveProperty('set-cookie')
    const { fields } = formOf(asked.body)
    expect(fields).toEqual({
      nonce: expect.any(String),
      next: '/oauth/device',
      user: 'dana',
      password: '',
    })

    const wrong = await client.postForm('/login', { ...fields, password: 'guess' })
    expect(wrong.statusCode).toBe(403)
    expect(wrong.body).toContain('This password is wrong.')
    expect(wrong.body).not.toContain('guess')
    expect(wrong.headers).not.toHaveProperty('set-cookie')
    const right = await client.postForm('/login', { ...fields, password: 'correct horse' })
    expect(right.statusCode).toBe(303)
    expect(right.headers.location).toBe('/oauth/device')
  })

  test.each([
    'https://evil.example/',
    '//evil.example/',
    '/\\evil.example/',
    '\\\\evil.example',
    '/\t/evil.example',
    '/\n/evil.example',
    ' //evil.example',
    'javascript:alert(1)',
    'evil.example',
    '',
    '/\u0001',
    '/\u20ac',
    '/a\r\nSet-Cookie: x=y',
  ])('redirects only to its own paths: %j', async (next) => {
    const page = await client.get(`/login?next=${encodeURIComponent(next)}`)
    expect(formOf(page.body).fields['next']).toBe('/')
    const answer = await client.postForm('/login', { user: 'alice', next })
    expect(answer.statusCode).toBe(303)
    expect(answer.headers.location).toBe('/')
  })

  test.each([
    ['bob', ['bob']],
    ['CAROL@example.com', ['carol']],
    ['somebody', []],
  ])('preselects the hinted user: %s', async (hint, users) => {
    const next = `/oauth/authorize?login_hint=${encodeURIComponent(hint)}`
    const { body } = await client.get(`/login?next=${encodeURIComponent(next)}`)
    const buttons = [...body.matchAll(/<button name="user" value="(\w+)"([^>]*)>/g)]
    const isSuggested = ([, , rest]: string[]) => rest?.includes('autofocus') ?? false
    expect(buttons).toHaveLength(5)
    expect(buttons.filter(isSuggested).map(([, user]) => user)).toEqual(users)
    expect(buttons.slice(users.length).filter(isSuggested)).toEqual([])
  })

  test('ignores a repeated next', async () => {
    const page = await client.get('/login?next=/oauth/authorize?a&next=/b')
    expect(page.statusCode).toBe(200)
    expect(formOf(page.body).fields['next']).toBe('/')
    expect((await client.postForm('/login', 'user=alice&next=/a&next=/b')).statusCode).toBe(400)
  })

  test.each([
    { origin: 'http://localhost:3000' },
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
  ])('cannot be posted by a page of another origin: %j', async (headers) => {
    for (const path of ['/login', '/logout']) {
      const answer = await client.postForm(path, { user: 'alice' }, headers)
      expect(answer.statusCode).toBe(403)
      expect(answer.headers).not.toHaveProperty('set-cookie')
    }
  })

  test('a form that the browser sends twice starts one session', async () => {
    const next = `/oauth/authorize?client_id=${world.apps.public.id}`
    const { fields } = formOf((await client.get(`/login?next=${encodeURIComponent(next)}`)).body)
    const post = (user: string, headers = {}) =>
      client.postForm('/login', { ...fields, user }, headers)
    const [first, second] = await Promise.all([post('alice'), post('alice')])
    expect(first.headers.location).toMatch(`${next}&signed_in=`)
    const [cookie] = String(first.headers['set-cookie']).split(';')
    for (const repeated of [second, await post('alice', { cookie })]) {
      expect(repeated.headers.location).toBe(first.headers.location)
      expect(repeated.headers['set-cookie']).toBe(first.headers['set-cookie'])
    }
    expect(world.state.sessions.size).toBe(1)
    expect(world.events.filter(({ type }) => type === 'session.started')).toHaveLength(1)

    // The same page, found again with the browser's back button, signs in anew.
    expect((await post('bob', { cookie })).headers['set-cookie']).not.toContain(cookie)
    const anew = await post('alice')
    expect(anew.statusCode).toBe(303)
    expect(anew.headers['set-cookie']).not.toContain(cookie)
  })

  test('ends the previous session when another user signs in', async () => {
    const alice = await client.signIn('alice')
    await client.postForm('/login', { user: 'bob' }, alice)
    expect((await whoami(alice)).statusCode).toBe(401)
    expect(world.state.sessions.size).toBe(1)
  })
})

describe('logout', () => {
  test('ends the session and deletes the cookie', async () => {
    const session = await client.signIn('alice')
    const answer = await client.postForm('/logout', '', session)
    expect(answer.statusCode).toBe(303)
    expect(answer.headers.location).toBe('/login')
    expect(answer.headers['set-cookie']).toMatch(/^hub_sandbox_session_7420=; .*Max-Age=0/)
    expect((await whoami(session)).statusCode).toBe(401)
  })

  test('redirects back to the open page as another user, and nowhere else', async () => {
    const next = '/oauth/device?user_code=ABCD-EFGH'
    const out = async (form: Record<string, string>) =>
      (await client.postForm('/logout', form, await client.signIn('alice'))).headers.location
    expect(await out({ next })).toBe(`/login?next=${encodeURIComponent(next)}`)
    expect(await out({ next: 'https://evil.example/' })).toBe('/login')
  })

  test('does nothing without a session', async () => {
    expect((await client.postForm('/logout', '')).statusCode).toBe(303)
  })
})
