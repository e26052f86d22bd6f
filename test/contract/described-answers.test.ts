import { beforeEach, expect, it } from 'vitest'
import { checkShape } from '../../server/config/check-shape.ts'
import type { JsonSchema } from '../../server/config/json-schema.ts'
import { wireShapes } from '../../server/contract/wire.ts'
import { buildTestApp, type TestApp } from '../helpers/app.ts'
import { basic, createOAuthClient, pkce, redirectUri, verifier } from '../helpers/oauth-client.ts'

type Answer = Awaited<ReturnType<TestApp['server']['inject']>>

let world: TestApp
let client: ReturnType<typeof createOAuthClient>
let described: Record<string, Record<string, Operation>>
interface Operation {
  responses: Record<string, { content?: Record<string, { schema: JsonSchema }> }>
}

beforeEach(async () => {
  world = await buildTestApp()
  client = createOAuthClient(world.server)
  const document = await world.server.inject('/_sandbox/openapi.json')
  described = document.json<{ paths: typeof described }>().paths
})

/** Checks an answer against what the OpenAPI document says of it. */
function expectDescribed(operation: string, answer: Answer): void {
  const [method = '', path = ''] = operation.split(' ')
  const { responses } = described[path]?.[method] ?? { responses: {} }
  const { content } = responses[answer.statusCode] ?? responses['default'] ?? {}
  const [type = ''] = String(answer.headers['content-type'] ?? '').split(';')
  const schema = content?.[type]?.schema
  expect({ operation, status: answer.statusCode, type, schema }).toMatchObject({
    schema: expect.any(Object),
  })
  const body: unknown = type === 'application/json' ? answer.json() : answer.body
  expect({ operation, issues: checkShape(schema ?? {}, body) }).toEqual({ operation, issues: [] })
}

async function signIn(scope: string) {
  const clientId = world.apps.confidential.id
  const code = await client.getCode('alice', { client_id: clientId, scope, ...pkce })
  return client.token(
    { grant_type: 'authorization_code', code, redirect_uri: redirectUri, code_verifier: verifier },
    basic(world.apps.confidential, world.clientSecret),
  )
}

it('describes the answers of a sign-in as they are', async () => {
  const token = await signIn('openid profile email read-billing read-memberships')
  expectDescribed('post /oauth/token', token)
  const headers = { authorization: `Bearer ${token.json<{ access_token: string }>().access_token}` }
  expectDescribed('get /oauth/userinfo', await client.get('/oauth/userinfo', headers))
  expectDescribed('get /api/whoami-v2', await client.get('/api/whoami-v2', headers))
  expectDescribed('get /login', await client.get('/login'))
  const device = await client.postForm('/oauth/device', { client_id: world.apps.public.id })
  expectDescribed('post /oauth/device', device)
})

it('describes no route that is not there', () => {
  const routes = Object.entries(described).flatMap(([path, operations]) =>
    Object.keys(operations).map((method) => `${method.toUpperCase()} ${path}`),
  )
  const named = Object.keys(wireShapes).map((name) =>
    name.replaceAll(/:(\w+)/g, '{$1}').replace(/\*$/, '{path}'),
  )
  expect(routes).toEqual(expect.arrayContaining(named))
})

it('describes refusals as they are', async () => {
  expectDescribed('post /oauth/token', await client.token({}))
  expectDescribed('get /oauth/userinfo', await client.get('/oauth/userinfo'))
  expectDescribed('get /api/whoami-v2', await client.get('/api/whoami-v2'))
  expectDescribed('get /oauth/authorize', await client.get('/oauth/authorize?client_id=nobody'))
})

it('describes registration, metadata, audit log and webhooks as they are', async () => {
  const registered = await world.server.inject({
    method: 'POST',
    url: '/oauth/register',
    payload: { redirect_uris: [redirectUri], client_name: 'An app' },
  })
  expectDescribed('post /oauth/register', registered)
  const metadata = '/.well-known/openid-configuration'
  expectDescribed(`get ${metadata}`, await client.get(metadata))

  const session = await client.signIn('alice')
  await client.token(
    {
      grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
      subject_token: 'bob@example.com',
      subject_token_type: 'urn:service:token-type:user-email',
    },
    basic(world.apps.exchange, world.clientSecret),
  )
  expectDescribed(
    'get /api/organizations/{name}/audit-log/export',
    await client.get('/api/organizations/acme/audit-log/export', session),
  )
  const webhook = await world.server.inject({
    method: 'POST',
    url: '/api/settings/webhooks',
    headers: session,
    payload: { url: 'http://localhost:9/', watched: [{ type: 'user', name: 'alice' }] },
  })
  expectDescribed('post /api/settings/webhooks', webhook)
  expectDescribed('get /api/settings/webhooks', await client.get('/api/settings/webhooks', session))
  expectDescribed('get /api/jobs/hardware', await client.get('/api/jobs/hardware'))
  const job = await world.server.inject({
    method: 'POST',
    url: '/api/jobs/alice',
    headers: session,
    payload: { dockerImage: 'python:3', command: ['true'] },
  })
  expectDescribed('post /api/jobs/{namespace}', job)
})
