import { beforeEach, describe, expect, test } from 'vitest'
import { hubMcpTools } from '../../server/contract/words/mcp-words.ts'
import { commitFiles } from '../../server/hub/commits/commits.ts'
import { createRepo } from '../../server/hub/repos/repos.ts'
import { testApp } from '../helpers/app.ts'
import { pkce, redirectUri } from '../helpers/oauth-client.ts'
import { mintUserToken } from '../helpers/user-token.ts'

const base = 'http://localhost:7420'
const metadataUrl = `${base}/.well-known/oauth-protected-resource/mcp`
const usual = { host: 'localhost:7420', accept: 'application/json, text/event-stream' }

interface Called {
  status: number
  challenge: string | undefined
  text: string
  isError: boolean
  error: { code: number; message: string } | undefined
}

const world = testApp()
/** Token of alice, who owns the repos. */
let alice: string
beforeEach(() => {
  alice = mintUserToken(world, world.users.alice)
  const actorId = world.users.alice.id
  const corpus = createRepo(world.deps, { type: 'dataset', name: 'acme/corpus', actorId })
  const operations = [{ kind: 'add' as const, path: 'a b.txt', content: 'Some words.' }]
  commitFiles(world.deps, { repo: corpus, revision: 'main', title: 'a', operations, actorId })
  createRepo(world.deps, { type: 'dataset', name: 'acme/hidden', actorId, visibility: 'private' })
})

function post(payload: unknown, { token, url = '/mcp', headers = {} }: Asked = {}) {
  return world.server.inject({
    method: 'POST',
    url,
    headers: {
      ...usual,
      'content-type': 'application/json',
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...headers,
    },
    payload: typeof payload === 'string' ? payload : JSON.stringify(payload),
  })
}

interface Asked {
  token?: string
  url?: string
  headers?: Record<string, string>
}

async function send(method: string, params: object, asked?: Asked): Promise<Called> {
  const answer = await post({ jsonrpc: '2.0', id: 7, method, params }, asked)
  const { result, error } = answer.json<{
    result?: { content?: { text: string }[]; isError?: boolean }
    error?: { code: number; message: string }
  }>()
  return {
    status: answer.statusCode,
    challenge: answer.headers['www-authenticate'] as string | undefined,
    text: result?.content?.[0]?.text ?? '',
    isError: result?.isError ?? false,
    error,
  }
}

const call = (name: string, args: object, asked?: Asked) =>
  send('tools/call', { name, arguments: args }, asked)

async function appToken(scope: string, user = 'alice'): Promise<string> {
  const answer = await world.client.postJson('/_sandbox/api/tokens', { user, scope }, usual)
  return answer.json<{ access_token: string }>().access_token
}

describe('metadata of the MCP server (RFC 9728)', () => {
  test.each(['', '/mcp', '/mcp?login'])('oauth-protected-resource%s names it', async (path) => {
    const url = `/.well-known/oauth-protected-resource${path}`
    const answer = await world.server.inject({ url, headers: usual })
    expect(answer.json()).toEqual({
      resource: `${base}/mcp`,
      authorization_servers: [base],
      scopes_supported: [
        'openid',
        'profile',
        'read-mcp',
        'read-repos',
        'jobs',
        'contribute-repos',
        'inference-api',
      ],
      bearer_methods_supported: ['header'],
    })
  })

  test('the resource has the host of the request, the issuer that of the base URL', async () => {
    const url = '/.well-known/oauth-protected-resource/mcp'
    const answer = await world.server.inject({ url, headers: { host: '127.0.0.1:7420' } })
    expect(answer.json()).toMatchObject({
      resource: 'http://127.0.0.1:7420/mcp',
      authorization_servers: [base],
    })
    expect(answer.headers['vary']).toContain('Host')
  })

  test('a registration may ask for hidden scopes', async () => {
    const metadata = { redirect_uris: [redirectUri], token_endpoint_auth_method: 'none' }
    const scope = 'openid read-mcp read-network-security'
    const answer = await world.client.postJson('/oauth/register', { ...metadata, scope }, usual)
    expect(answer.json()).toMatchObject({ scope })
  })
})

describe('reading by nobody', () => {
  test('initialize returns the server', async () => {
    const answer = await post({
      jsonrpc: '2.0',
      id: 1,
      method: 'initialize',
      params: {
        protocolVersion: '2025-11-25',
        capabilities: {},
        clientInfo: { name: 'test', version: '1' },
      },
    })
    expect(answer.statusCode).toBe(200)
    expect(answer.json()).toMatchObject({
      result: { protocolVersion: '2025-11-25', serverInfo: { name: 'hub-sandbox-hub' } },
    })
  })

  test('search finds public repos and no private ones', async () => {
    const { text } = await call('hub_repo_search', { type: 'dataset', author: 'acme' })
    expect(text).toContain('"acme/corpus"')
    const own = await call('hub_repo_search', { type: 'dataset', author: 'acme' }, { token: alice })
    expect(text).not.toContain('acme/hidden')
    expect(own.text).toContain('"acme/hidden"')
  })

  test('a public file is text', async () => {
    const { text, isError } = await call('hub_read_file', {
      repo: 'acme/corpus',
      type: 'dataset',
      path: 'a b.txt',
    })
    expect(isError).toBe(false)
    expect(text).toBe('Some words.')
  })

  test.each([
    ['hf_whoami', {}],
    ['hub_open_discussion', { repo: 'acme/corpus', type: 'dataset', title: 'Hello' }],
    ['hub_run_job', { dockerImage: 'python:3.12', command: ['true'] }],
  ])('%s tells how to sign in', async (name, args) => {
    const { status, isError, text } = await call(name, args)
    expect(status).toBe(200)
    expect(isError).toBe(true)
    expect(text).toContain('connect to /mcp?login')
  })
})

describe('the sign-in (MCP 2025-11-25, Authorization)', () => {
  test('?login requires a token and names the metadata', async () => {
    const { status, challenge, error } = await send('tools/list', {}, { url: '/mcp?login' })
    expect(status).toBe(401)
    expect(challenge).toBe(`Bearer resource_metadata="${metadataUrl}?login"`)
    expect(error?.message).toBe('Sign in to use this MCP server.')
    expect((await send('tools/list', {}, { url: '/mcp?x=login' })).status).toBe(200)
  })

  test('an unknown token gets invalid_token', async () => {
    const { status, challenge } = await send('tools/list', {}, { token: 'hf_unknown' })
    expect(status).toBe(401)
    expect(challenge).toMatch(/^Bearer error="invalid_token", resource_metadata=/)
  })

  test("an app's token without read-mcp is to step up and keeps its scopes", async () => {
    const token = await appToken('openid profile')
    const { status, challenge } = await call('hf_whoami', {}, { token })
    expect(status).toBe(403)
    expect(challenge).toContain('error="insufficient_scope"')
    expect(challenge).toContain('scope="openid profile read-mcp"')
    expect(challenge).toContain(`resource_metadata="${metadataUrl}"`)
  })

  test('a tool that needs a scope names it; with it, the tool works', async () => {
    const args = { repo: 'acme/corpus', type: 'dataset', title: 'From a tool' }
    const few = await appToken('openid read-mcp')
    const refused = await call('hub_open_discussion', args, { token: few })
    expect(refused.status).toBe(403)
    expect(refused.challenge).toContain('scope="openid read-mcp write-discussions"')
    const enough = await appToken('openid read-mcp write-discussions')
    const opened = await call('hub_open_discussion', args, { token: enough })
    expect(opened.isError).toBe(false)
    expect(JSON.parse(opened.text)).toMatchObject({ num: expect.any(Number) })
  })

  test('the dashboard lists the tools with the scopes that they need', async () => {
    const answer = await post({ jsonrpc: '2.0', id: 1, method: 'tools/list' })
    const { result } = answer.json<{ result: { tools: { name: string }[] } }>()
    expect(hubMcpTools.map(({ name }) => name)).toEqual(result.tools.map(({ name }) => name))
    const token = await appToken('openid read-mcp')
    const ofCorpus = { repo: 'acme/corpus', type: 'dataset' }
    const args: Record<(typeof hubMcpTools)[number]['name'], object> = {
      hf_whoami: {},
      hub_repo_search: {},
      hub_read_file: { ...ofCorpus, path: 'a b.txt' },
      hub_open_discussion: { ...ofCorpus, title: 'Hello' },
      hub_run_job: { dockerImage: 'python:3.12', command: ['true'] },
    }
    const refusedFor = async (name: (typeof hubMcpTools)[number]['name']) => {
      const { challenge } = await call(name, args[name], { token })
      return /scope="openid read-mcp ([^"]+)"/.exec(challenge ?? '')?.[1]
    }
    for (const tool of hubMcpTools) {
      const needed = 'needs' in tool && tool.needs !== 'a token' ? tool.needs : undefined
      expect([tool.name, await refusedFor(tool.name)]).toEqual([tool.name, needed])
    }
  })

  test('a user token needs no scope', async () => {
    const { text } = await call('hf_whoami', {}, { token: alice })
    expect(JSON.parse(text)).toMatchObject({ name: 'alice' })
  })

  test('a job runs in the namespace of the caller', async () => {
    const { text, isError } = await call(
      'hub_run_job',
      { dockerImage: 'python:3.12', command: ['true'] },
      { token: alice },
    )
    expect(isError).toBe(false)
    expect(JSON.parse(text)).toMatchObject({ owner: { name: 'alice' } })
  })
})

describe('bad input', () => {
  test('an unknown tool gets a suggestion', async () => {
    const { error } = await call('hf_whoamI', {})
    expect(error).toMatchObject({ code: -32_602 })
    expect(error?.message).toContain('did you mean "hf_whoami"?')
  })

  test.each([
    [{ repo: 'corpus', path: 'README.md' }, 'repo must match pattern'],
    [{ repo: 'acme/corpus' }, "must have required property 'path'"],
    [{ repo: 'acme/corpus', path: 'a', revisions: 'x' }, 'must NOT have additional properties'],
    [{ repo: 'acme/corpus', type: 'table', path: 'a' }, 'type must be equal to one of'],
    [{ repo: 'acme/corpus', path: 5 }, 'path must be string'],
  ])('arguments %o are refused', async (args, message) => {
    const { isError, text } = await call('hub_read_file', args)
    expect(isError).toBe(true)
    expect(text).toContain(message)
  })

  test.each([
    { repo: 'acme/corpus', path: '../../../../../_sandbox/api/tokens' },
    { repo: 'acme/corpus', path: '..' },
    { repo: '../_sandbox', path: 'api' },
    { repo: 'acme/..', path: 'a' },
    { repo: 'acme/corpus', path: 'a', revision: '..' },
    { repo: 'acme/corpus', path: '%2e%2e/%2e%2e/%2e%2e/%2e%2e/%2e%2e/_sandbox/api/tokens' },
  ])('%o cannot leave the repo', async (args) => {
    const { isError, text } = await call('hub_read_file', { ...args, type: 'dataset' })
    expect(isError).toBe(true)
    expect(text).toMatch(/^(Invalid arguments: |Entry not found)/)
    const requests = await world.server.inject({ url: '/_sandbox/api/requests', headers: usual })
    expect(requests.body).not.toMatch(/"path":"\/_sandbox/)
  })

  test('a body that is not JSON gets a parse error', async () => {
    const answer = await post('{')
    expect(answer.statusCode).toBe(400)
    expect(answer.json()).toMatchObject({ jsonrpc: '2.0', id: null, error: { code: -32_700 } })
  })

  test.each([[[]], [{}], [true]])('an error has no id for the invalid id %j', async (id) => {
    const listed = { jsonrpc: '2.0', id, method: 'tools/list' }
    const answer = await post(listed, { token: 'hf_oauth_sandbox_unknown' })
    expect(answer.statusCode).toBe(401)
    expect(answer.json()).toMatchObject({ id: null, error: { code: -32_000 } })
    // With a valid token, the MCP server refuses the request.
    expect((await post(listed, { token: alice })).json()).toMatchObject({ id: null })
  })

  test('oversized arguments get 413', async () => {
    const args = { repo: 'acme/corpus', path: 'x'.repeat(2_000_000) }
    expect((await call('hub_read_file', args)).status).toBe(413)
  })

  test.each(['GET', 'DELETE'] as const)('%s gets 405: there are no sessions', async (method) => {
    const answer = await world.server.inject({ method, url: '/mcp', headers: usual })
    expect(answer.statusCode).toBe(405)
    expect(answer.headers['allow']).toBe('POST')
  })

  test('a page of another origin, or by another name, is refused', async () => {
    const listed = { jsonrpc: '2.0', id: 1, method: 'tools/list' }
    const foreign = await post(listed, { headers: { origin: 'https://evil.example' } })
    expect(foreign.statusCode).toBe(403)
    const rebound = await post(listed, { headers: { host: 'evil.example' } })
    expect(rebound.statusCode).toBe(403)
  })
})

describe('with --require-resource (RFC 8707)', () => {
  const { client } = world
  beforeEach(() => world.begin({ requireResource: true }))

  async function authorize(resource?: string): Promise<URL> {
    const url = client.authorizeUrl({
      client_id: world.apps.public.id,
      redirect_uri: redirectUri,
      scope: 'openid read-mcp',
      ...pkce,
      resource,
    })
    const session = await client.signIn('alice')
    const asked = await client.get(url, session)
    if (asked.statusCode === 303) return new URL(asked.headers.location!)
    return new URL((await client.postForm(url, '', session)).headers.location!)
  }

  async function redeem(authorized: string, redeemed?: string) {
    const code = (await authorize(authorized)).searchParams.get('code')!
    return client.redeem(code, { client_id: world.apps.public.id, resource: redeemed })
  }

  test.each([
    [undefined, /The parameter resource is missing/],
    ['mcp', /use an absolute URI without a fragment/],
    [`${base}/mcp#x`, /use an absolute URI without a fragment/],
  ])('an authorization request for %s is refused', async (resource, message) => {
    const back = (await authorize(resource)).searchParams
    expect(back.get('error')).toBe('invalid_target')
    expect(back.get('error_description')).toMatch(message)
  })

  test.each([
    [undefined, /The parameter resource is missing/],
    ['https://other.example/', /was not authorized/],
  ])('a token request for %s is refused and the code stays valid', async (resource, message) => {
    const answer = await redeem(`${base}/mcp`, resource)
    expect(answer.statusCode).toBe(400)
    expect(answer.json()).toMatchObject({
      error: 'invalid_target',
      error_description: expect.stringMatching(message),
    })
    expect(world.state.codes.last()?.usedAt).toBeUndefined()
  })

  test('a token for another resource is refused, one for the MCP server is accepted', async () => {
    const tokenFor = async (resource: string) =>
      (await redeem(resource, resource)).json<{ access_token: string }>().access_token
    const other = await tokenFor('https://other.example/mcp')
    const refused = await send('tools/list', {}, { token: other })
    expect(refused.status).toBe(401)
    expect(refused.challenge).toContain('error="invalid_token"')
    for (const resource of [`${base}/mcp`, `${base}/mcp?login`]) {
      expect((await send('tools/list', {}, { token: await tokenFor(resource) })).status).toBe(200)
    }
  })
})

test('with --send-iss, each response names the issuer (RFC 9207)', async () => {
  await world.begin({ sendIss: true })
  const { client } = world
  const metadata = await client.get('/.well-known/oauth-authorization-server')
  expect(metadata.json()).toMatchObject({ authorization_response_iss_parameter_supported: true })
  const session = await client.signIn('alice')
  const url = client.authorizeUrl({
    client_id: world.apps.public.id,
    redirect_uri: redirectUri,
    scope: 'openid',
    prompt: 'none',
    ...pkce,
  })
  const back = new URL((await client.get(url, session)).headers.location!)
  expect(back.searchParams.get('error')).toBe('consent_required')
  expect(back.searchParams.get('iss')).toBe(base)
})
