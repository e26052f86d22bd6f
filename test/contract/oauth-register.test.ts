import { describe, expect, test } from 'vitest'
import type { RequestList } from '../../server/contract/control-requests.ts'
import { testApp } from '../helpers/app.ts'
import { basic, expectOAuthError, pkce, redirectUri, verifier } from '../helpers/oauth-client.ts'

const world = testApp()

const register = (payload: object | string, contentType = 'application/json') =>
  world.server.inject({
    method: 'POST',
    url: '/oauth/register',
    headers: { 'content-type': contentType },
    payload: typeof payload === 'string' ? payload : JSON.stringify(payload),
  })

describe('client registration (RFC 7591 §3)', () => {
  test('an empty registration creates a confidential app', async () => {
    const answer = await register({})
    expect(answer.statusCode).toBe(201)
    expect(answer.headers).toMatchObject({ 'cache-control': 'no-store', pragma: 'no-cache' })
    expect(answer.json()).toEqual({
      client_id: expect.stringMatching(/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/),
      client_id_issued_at: Math.floor(world.clock.now() / 1000),
      client_secret: expect.stringMatching(/sandbox_/),
      client_secret_expires_at: 0,
      redirect_uris: [],
      scope: 'openid profile',
      grant_types: [
        'authorization_code',
        'refresh_token',
        'urn:ietf:params:oauth:grant-type:device_code',
      ],
      token_endpoint_auth_method: 'client_secret_basic',
    })
  })

  test('the response has the given metadata and the grant types of the sandbox', async () => {
    const described = {
      redirect_uris: ['http://localhost/callback', 'myapp:/callback'],
      client_name: 'Editor',
      client_uri: 'https://editor.example',
      logo_uri: 'https://editor.example/logo.png',
      contacts: ['dev@editor.example'],
      software_id: 'editor',
      software_version: '2.0',
      scope: 'openid read-repos',
      token_endpoint_auth_method: 'none',
    }
    const ignored = { jwks_uri: 'x', policy_uri: 'https://editor.example/privacy', tos_uri: 7 }
    const answer = await register({ ...described, grant_types: ['implicit'], ...ignored })
    const body = answer.json<Record<string, unknown>>()
    expect(body).toMatchObject(described)
    expect(body).not.toHaveProperty('client_secret')
    for (const name of Object.keys(ignored)) expect(body).not.toHaveProperty(name)
    expect(body['grant_types']).not.toContain('implicit')
  })

  test('a null member counts as absent (RFC 7592 §2.2)', async () => {
    const absent = {
      redirect_uris: null,
      client_name: null,
      client_uri: null,
      logo_uri: null,
      scope: null,
      contacts: null,
      token_endpoint_auth_method: null,
      software_id: null,
    }
    const [given, least] = [await register(absent), await register({})]
    expect(given.statusCode).toBe(201)
    const names = (answer: typeof given) => Object.keys(answer.json<object>())
    expect(names(given)).toEqual(names(least))
    expect(given.json()).toMatchObject({ scope: 'openid profile' })
  })

  test.each([undefined, '', ' \t'])('an app with the name %j is unnamed', async (name) => {
    const body = (await register({ client_name: name })).json<Record<string, string>>()
    expect(body['client_name']).toBe(name)
    expect(world.state.apps.get(body['client_id'] ?? '')?.name).toBe('Unnamed app')
  })

  test.each([
    ['', 'openid profile'],
    [
      'openid profile read-mcp read-repos jobs contribute-repos inference-api',
      'openid profile read-mcp read-repos jobs contribute-repos inference-api',
    ],
    ['openid offline_access read-mcp', 'openid read-mcp'],
  ])('scope %j is registered as %j', async (asked, granted) => {
    const answer = await register({ scope: asked })
    expect(answer.statusCode).toBe(201)
    expect(answer.json()).toMatchObject({ scope: granted })
    const log = await world.server.inject('/_sandbox/api/requests')
    const { detail } = log.json<RequestList>().items[0]!
    const remark = asked.includes('offline_access') ? /offline_access: left out/ : /^none$/
    expect(detail ?? 'none').toMatch(remark)
  })

  test.each([
    ['redirect URIs that are no list', { redirect_uris: 'x' }, 'invalid_redirect_uri'],
    ['a redirect URI that is no text', { redirect_uris: [1] }, 'invalid_redirect_uri'],
    ['a host in place of a URI', { redirect_uris: ['localhost:3000/cb'] }, 'invalid_redirect_uri'],
    ['a pattern', { redirect_uris: ['http://localhost/*'] }, 'invalid_redirect_uri'],
    ['a scope without a known name', { scope: 'offline_access' }, 'invalid_scope'],
    ['a scope of spaces', { scope: ' ' }, 'invalid_scope'],
    ['a relative redirect URI', { redirect_uris: ['/callback'] }, 'invalid_redirect_uri'],
    ['a fragment', { redirect_uris: ['https://a.example/#x'] }, 'invalid_redirect_uri'],
    ['a URI that runs code', { redirect_uris: ['javascript:alert(1)'] }, 'invalid_redirect_uri'],
    ['an unknown method', { token_endpoint_auth_method: 'private_key_jwt' }, metadataError()],
    ['a scope that is no text', { scope: ['openid'] }, metadataError()],
    ['a name that is no text', { client_name: 7 }, metadataError()],
    ['half a character in a name', { client_name: 'a\ud800b' }, metadataError()],
    ['an address that is none', { client_uri: 'javascript:alert(1)' }, metadataError()],
    ['contacts that are no list', { contacts: 'dev' }, metadataError()],
    ['a list', [], metadataError()],
  ])('refuses %s', async (_name, metadata, error) => {
    const before = world.state.apps.size
    expectOAuthError(await register(metadata), 400, error)
    expect(world.state.apps.size).toBe(before)
  })

  test('refuses a body that is not JSON', async () => {
    const before = world.state.apps.size
    const form = await register('client_name=x', 'application/x-www-form-urlencoded')
    expectOAuthError(form, 400, 'invalid_client_metadata', /JSON object/)
    const type = /content type application\/json/
    for (const other of ['text/plain', 'text/html', 'application/x-www-form-urlencoded']) {
      expectOAuthError(await register('{}', other), 400, 'invalid_client_metadata', type)
    }
    const untyped = await world.server.inject({
      method: 'POST',
      url: '/oauth/register',
      payload: Buffer.from('{}'),
    })
    expectOAuthError(untyped, 400, 'invalid_client_metadata', type)
    expectOAuthError(await register('{'), 400, 'invalid_client_metadata', /not valid JSON/)
    expectOAuthError(await register(''), 400, 'invalid_client_metadata', /JSON object/)
    expectOAuthError(await register('x'.repeat(70_000)), 413, 'invalid_request')
    expect(world.state.apps.size).toBe(before)
  })

  test('the first supported method replaces an unsupported one (RFC 7591 §2)', async () => {
    const answer = await register({
      token_endpoint_auth_method: 'private_key_jwt',
      token_endpoint_auth_methods_supported: ['private_key_jwt', 'none', 'client_secret_post'],
    })
    expect(answer.statusCode).toBe(201)
    expect(answer.json()).toMatchObject({ token_endpoint_auth_method: 'none' })
    expect(answer.json()).not.toHaveProperty('client_secret')
  })

  test('a registered app has no management endpoint', async () => {
    const { client_id: id } = (await register({})).json<{ client_id: string }>()
    for (const method of ['GET', 'PUT', 'DELETE'] as const) {
      const answer = await world.server.inject({ method, url: `/oauth/register/${id}` })
      expect(answer.statusCode).toBe(404)
    }
  })

  test.each(['none', 'client_secret_post', 'client_secret_basic'])(
    'an app with the method %s can sign in at once',
    async (method) => {
      const app = (
        await register({ redirect_uris: [redirectUri], token_endpoint_auth_method: method })
      ).json<{ client_id: string; client_secret?: string }>()
      const { client } = world
      const code = await client.getCode('alice', { client_id: app.client_id, ...pkce })
      const form = {
        grant_type: 'authorization_code',
        redirect_uri: redirectUri,
        code_verifier: verifier,
        client_id: app.client_id,
        code,
      }
      const answer =
        method === 'client_secret_basic'
          ? await client.token(form, basic({ id: app.client_id }, app.client_secret!))
          : await client.token({ ...form, client_secret: app.client_secret })
      expect(answer.json()).toMatchObject({ scope: 'openid profile' })
    },
  )
})

function metadataError() {
  return 'invalid_client_metadata' as const
}
