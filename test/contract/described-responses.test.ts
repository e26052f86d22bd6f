import { randomUUID } from 'node:crypto'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { partBytes } from '../../server/hub/uploads/lfs-batch.ts'
import { startSandbox } from '../../server/index.ts'
import { type Caller, callerAt, type Received, receivedFrom } from '../helpers/cast.ts'
import { hubDocument, namedMembers, requiredMembers } from '../helpers/hub-document.ts'
import { hasGit } from '../helpers/git-client.ts'
import { openServer } from '../helpers/json-receiver.ts'
import { askTransfers, contentOf, lfsLine, uploadContent } from '../helpers/large-files.ts'
import { basic, pkce, verifier } from '../helpers/oauth-client.ts'
import { defaultApps, sharedSandbox } from '../helpers/sandbox.ts'
import { ggufFile } from '../helpers/weights.ts'
import { uploadByXet, xetHashAt } from '../helpers/xet-files.ts'

interface Operation {
  responses: Record<string, { content?: Record<string, { schema: object }> }>
}

// Not the sandbox's own reader of schemas: that one made the answers.
const ajv = addFormats.default(new Ajv2020({ strict: false, allErrors: true }))
const redirectUri = 'http://localhost/callback'

const sandbox = sharedSandbox({}, { keepsState: true })
const alice = callerAt(sandbox, 'hf_sandbox_alice')
const carol = callerAt(sandbox, 'hf_sandbox_carol')
const dave = callerAt(sandbox, 'hf_sandbox_dave')
/** Sends a token that nobody issued. */
const unknown = callerAt(sandbox, 'hf_sandbox_nobody')
const anyone = callerAt(sandbox)
const browser = callerAt(sandbox, { accept: 'text/html' })

type Body = object | string | undefined
type Request = readonly [path: string, body?: Body, headers?: Record<string, string>]
interface OwnRequest {
  user: Caller | Promise<Caller>
  request: Request
}
/** A path or request of alice, a request of another user, or a response; {@link things} in braces are made for it. */
type Call = string | Request | OwnRequest | Received | Promise<Received>
type Calls = Record<string, readonly Call[] | (() => Promise<readonly Call[]> | readonly Call[])>

const by = (user: OwnRequest['user'], ...request: Request): OwnRequest => ({ user, request })

/** Sends the calls of an operation one after the other. */
async function sendAll(operation: string, listed: Calls[string]): Promise<Received[]> {
  const [method = ''] = operation.split(' ')
  const made = new Map<string, Promise<string>>()
  const answers: Received[] = []
  for (const call of typeof listed === 'function' ? await listed() : listed) {
    const own = typeof call === 'string' ? by(alice, call) : call
    if ('status' in own || 'then' in own) {
      answers.push(await own)
      continue
    }
    const { user, request } = 'user' in own ? own : by(alice, ...own)
    const [path, ...rest] = request
    const [, name = ''] = /\{(\w+)\}/.exec(path) ?? []
    const make = things.get(name)
    if (make !== undefined && !made.has(name)) made.set(name, make())
    const filled = path.replace(`{${name}}`, (await made.get(name)) ?? '')
    answers.push(await (await user).send(method as 'GET', filled, ...rest))
  }
  return answers
}

let receiver: Awaited<ReturnType<typeof openServer>>
let document: { paths: Record<string, Record<string, Operation>> }
/** Routes that the server has handed a request to, in their order. */
const handled: string[] = []
const note = (message: unknown) => {
  const { route } = message as { route: { method: string; url: string } }
  handled.push(operationOf(route.method, route.url))
}
const operationOf = (method: string, url: string) =>
  `${method} ${url.replaceAll(/:(\w+)(?:\([^)]*\))?/g, '{$1}').replace(/\*$/, '{path}')}`

beforeAll(async () => {
  receiver = await openServer((request, response) => {
    request.resume()
    response.end('ok')
  })
  document = (await anyone.get<typeof document>('/_sandbox/openapi.json')).body
  subscribe('tracing:fastify.request.handler:start', note)
})
afterAll(async () => {
  unsubscribe('tracing:fastify.request.handler:start', note)
  await receiver.close()
})

async function sessionOf(user: string): Promise<Caller> {
  const session = await sandbox.control<{ name: string; value: string }>('POST', 'sessions', {
    user,
  })
  return callerAt(sandbox, { cookie: `${session.name}=${session.value}` })
}
type Mint = Parameters<typeof sandbox.tokens.mint>[0]
const withToken = async (details: Mint) =>
  callerAt(sandbox, (await sandbox.tokens.mint(details)).access_token)

const form = (fields: Record<string, string> = {}) => new URLSearchParams(fields)
const authorizePath = () =>
  `/oauth/authorize?${form({
    response_type: 'code',
    client_id: defaultApps(sandbox).confidential.clientId,
    redirect_uri: redirectUri,
    scope: 'openid profile email',
    ...pkce,
  })}`

const tokenRequest = (
  app: 'confidential' | 'exchange',
  fields: Record<string, string>,
): Promise<Received<{ access_token: string }>> => {
  const { clientId, clientSecret = '' } = defaultApps(sandbox)[app]
  return anyone.post('/oauth/token', form(fields), basic({ id: clientId }, clientSecret))
}

async function redeem() {
  const { headers } = await (await sessionOf('alice')).post(authorizePath(), form())
  const code = new URL(String(headers['location'])).searchParams.get('code') ?? ''
  return tokenRequest('confidential', {
    grant_type: 'authorization_code',
    redirect_uri: redirectUri,
    code_verifier: verifier,
    code,
  })
}

const signedIn = async () => callerAt(sandbox, (await redeem()).body.access_token)

/** Has a token with everything that userinfo and whoami tell of a user and her organizations. */
const fullySignedIn = () =>
  withToken({
    user: 'alice',
    scope: 'openid profile email read-billing read-memberships',
    organizations: ['acme'],
  })

const fineGrained = () =>
  withToken({
    user: 'alice',
    role: 'fineGrained',
    name: 'exact',
    fineGrained: {
      global: ['discussion.write'],
      canReadGatedRepos: true,
      scoped: [
        { entity: { type: 'org', name: 'acme' }, permissions: ['repo.content.read'] },
        { entity: { type: 'dataset', name: 'acme/corpus' }, permissions: ['repo.write'] },
      ],
    },
  })

const exchange = (subject: string) =>
  tokenRequest('exchange', {
    grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
    subject_token: subject,
    subject_token_type: 'urn:service:token-type:user-email',
  })

const startDevice = () =>
  anyone.post<{ user_code: string }>(
    '/oauth/device',
    form({ client_id: defaultApps(sandbox).public.clientId, scope: 'openid' }),
  )

/** Types the code of a new device and returns the session. */
async function typeCode() {
  const { user_code: userCode } = (await startDevice()).body
  const session = await sessionOf('alice')
  const typed = await session.post('/oauth/device/verify', form({ user_code: userCode }))
  return { userCode, session, next: String(typed.headers['location']) }
}

/** Everything that a client may say of itself (RFC 7591, section 2). */
const clientMetadata = {
  redirect_uris: [redirectUri],
  token_endpoint_auth_method: 'client_secret_post',
  grant_types: ['authorization_code'],
  response_types: ['code'],
  client_name: 'An app',
  client_uri: 'https://app.example/',
  logo_uri: 'https://app.example/logo.png',
  scope: 'openid profile',
  contacts: ['ops@app.example'],
  tos_uri: 'https://app.example/terms',
  policy_uri: 'https://app.example/privacy',
  software_id: 'app',
  software_version: '1.0',
}

/** More than a part of an address may have. */
const endless = 'x'.repeat(9000)

const makeWebhook = () =>
  alice.post<{ webhook: { id: string } }>('/api/settings/webhooks', {
    url: `${receiver.origin}/hook`,
    watched: [{ type: 'org', name: 'acme' }],
  })
const webhookPath = async () => `/api/settings/webhooks/${(await makeWebhook()).body.webhook.id}`
/** Creates a gated repo that dave asks to access. @returns the path of its page */
async function gatedRepo(type: 'model' | 'dataset' = 'model'): Promise<string> {
  const name = `gated-${randomUUID()}`
  await alice.post('/api/repos/create', { name, type })
  await alice.put(`/api/${type}s/alice/${name}/settings`, { gated: 'manual' })
  const page = `${type === 'model' ? '' : '/datasets'}/alice/${name}`
  await dave.post(`${page}/ask-access`, { use: 'research' })
  return page
}

const corpus = '/api/datasets/acme/corpus'
const demo = '/api/spaces/alice/sentiment-demo'
const groups = '/api/organizations/acme/resource-groups'
const volumes = [{ type: 'bucket', source: 'alice/data', mountPath: '/data' }]
const item = { type: 'dataset', id: 'acme/corpus' }

/** Creates a collection with one item. */
const makeCollection = async () =>
  (
    await alice.post<{ slug: string; items: { _id: string }[] }>('/api/collections', {
      title: randomUUID(),
      namespace: 'alice',
      item,
    })
  ).body

/** Opens a discussion. */
async function discussionPath(more: object = {}): Promise<string> {
  const discussion = { title: 'A question', description: 'Text', ...more }
  const { num } = (await alice.post<{ num: number }>(`${corpus}/discussions`, discussion)).body
  return `${corpus}/discussions/${num}`
}

const jobOptions = {
  spaceId: 'alice/sentiment-demo',
  command: ['python', 'app.py'],
  arguments: ['--fast'],
  environment: { LEVEL: 'debug' },
  secrets: { KEY: 'hidden' },
  flavor: 'cpu-basic',
  arch: 'amd64',
  timeoutSeconds: 60,
  labels: { team: 'a' },
  volumes: [{ type: 'dataset', source: 'acme/corpus', mountPath: '/data', readOnly: true }],
}
const chat = { model: 'a/b', messages: [{ role: 'user', content: 'Hi' }] }
const makeScheduledJob = () =>
  alice.post<{ id: string }>('/api/scheduled-jobs/alice', {
    jobSpec: jobOptions,
    schedule: '@hourly',
  })
const makeEndpoint = () =>
  alice.post<{ name: string }>('/v2/endpoint/alice', {
    name: `e-${randomUUID().slice(0, 8)}`,
    model: { repository: 'a/b' },
  })
const endpointPath = async () => `/v2/endpoint/alice/${(await makeEndpoint()).body.name}`
const makeJob = () =>
  alice.post<{ id: string }>('/api/jobs/alice', {
    dockerImage: 'python:3',
    command: ['true'],
    flavor: 'cpu-basic',
  })
const makeRepo = (more: object = { type: 'dataset' }) =>
  alice.post<{ name: string }>('/api/repos/create', { name: `tiny-${randomUUID()}`, ...more })
const repoName = async () => (await makeRepo()).body.name
const repoPath = async () => `/api/datasets/${await repoName()}`
interface Manifest {
  config: { digest: string }
  layers: { digest: string }[]
}
const makeGguf = () =>
  makeRepo({
    name: 'gguf',
    files: [
      {
        path: 'x-Q8_0.gguf',
        content: ggufFile({ 'general.architecture': 'llama' }).toString('base64'),
        encoding: 'base64',
      },
      { path: 'template', content: '{{ .Prompt }}' },
    ],
  })
const makeGroup = () =>
  alice.post<{ id: string }>(groups, {
    name: randomUUID(),
    description: 'One',
    users: [{ user: 'bob', role: 'read' }],
  })
const groupId = async () => (await makeGroup()).body.id
const commit = (revision: string, ...lines: object[]) =>
  alice.postLines<{ pullRequestUrl: string }>(`${corpus}/commit/${revision}`, [
    { key: 'header', value: { summary: 'one' } },
    ...lines,
  ])
async function resolveImage(): Promise<Received> {
  const name = await repoName()
  const content = Buffer.from('89504e470d0a1a0a', 'hex').toString('base64')
  await alice.postLines(`/api/datasets/${name}/commit/main`, [
    { key: 'header', value: { summary: 'An image' } },
    { key: 'file', value: { path: 'x.png', content, encoding: 'base64' } },
  ])
  return alice.get(`/datasets/${name}/resolve/main/x.png`)
}
/** A new dataset with a large file, and its path below /api. */
async function repoWithLargeFile(): Promise<string> {
  const name = await repoName()
  const bytes = Buffer.from(randomUUID())
  await uploadContent(alice, `/datasets/${name}`, bytes)
  const path = `/api/datasets/${name}`
  const lfsFiles = [lfsLine('data/large.bin', contentOf(bytes)).value]
  const committed = await alice.post(`${path}/commit/main`, { summary: 'Add', lfsFiles })
  expect(committed.status).toBe(200)
  expect((await alice.get(`${path}/lfs-files`)).body).toHaveLength(1)
  return path
}

/** Paths of things that are made for the calls of an operation. */
const things = new Map<string, () => Promise<string>>([
  ['webhook', webhookPath],
  ['gated', gatedRepo],
  ['gatedDataset', () => gatedRepo('dataset')],
  ['collection', async () => `/api/collections/${(await makeCollection()).slug}`],
  [
    'item',
    async () => {
      const { slug, items } = await makeCollection()
      const [id] = items.map(({ _id }) => _id)
      return `/api/collections/${slug}/items/${id}`
    },
  ],
  ['discussion', discussionPath],
  ['pull', () => discussionPath({ pullRequest: true })],
  // The first comment of a discussion, with which it is opened.
  [
    'comment',
    async () => {
      const path = await discussionPath()
      const { events } = (await alice.get<{ events: { id: string }[] }>(path)).body
      return `${path}/comment/${events[0]?.id}`
    },
  ],
  ['scheduledJob', async () => `/api/scheduled-jobs/alice/${(await makeScheduledJob()).body.id}`],
  ['job', async () => `/api/jobs/alice/${(await makeJob()).body.id}`],
  ['endpoint', endpointPath],
  [
    'endpointUrl',
    async () => {
      const path = await endpointPath()
      await sandbox.clock.advance('3s')
      const { status } = (await alice.get<{ status: { url: string } }>(path)).body
      return new URL(status.url).pathname
    },
  ],
  ['repo', repoPath],
  ['large', repoWithLargeFile],
  [
    'page',
    async () => {
      const { name } = (await makeRepo({ type: 'space', sdk: 'static' })).body
      return `/api/spaces/${name}`
    },
  ],
  ['group', async () => `${groups}/${await groupId()}`],
  [
    'organizationRepo',
    async () => `/api/models/${(await makeRepo({ organization: 'acme' })).body.name}`,
  ],
])

const git = (service: 'receive' | 'upload') => ({
  'content-type': `application/x-git-${service}-pack-request`,
})

/** Calls of Git LFS at the address of a repo, each about a content of its own. */
function lfsCalls(route: string, repo: string): Calls {
  const objects = `${route}/info/lfs/objects`
  const locks = `${repo}.git/info/lfs/locks`
  const newContent = (size = 40) => Buffer.alloc(size, randomUUID())
  const batch = (operation: string, bytes: Buffer) =>
    askTransfers(alice, repo, operation, [bytes], { transfers: ['multipart'] })
  const actionOf = async (name: 'upload' | 'verify' | 'download', bytes: Buffer) => {
    const { body } = await batch(name === 'download' ? name : 'upload', bytes)
    const { href = '', header = {} } = body.objects[0]?.actions?.[name] ?? {}
    return { href, header }
  }
  const upload = (bytes: Buffer) => uploadContent(alice, repo, bytes)
  return {
    [`POST ${objects}/batch`]: () => [batch('upload', newContent()), batch('move', newContent())],
    [`PUT ${objects}/{oid}`]: async () => {
      const bytes = newContent()
      const { href } = await actionOf('upload', bytes)
      return [await anyone.put(href, newContent()), await anyone.put(href, bytes)]
    },
    [`POST ${objects}/{oid}`]: async () => {
      const bytes = newContent(partBytes + 1)
      const { href, header } = await actionOf('upload', bytes)
      const sent = await Promise.all([
        anyone.put(header['1'] ?? '', bytes.subarray(0, partBytes)),
        anyone.put(header['2'] ?? '', bytes.subarray(partBytes)),
      ])
      const { oid } = contentOf(bytes)
      const parts = sent.map(({ headers }, index) => ({
        partNumber: index + 1,
        etag: headers['etag'],
      }))
      return [by(anyone, href, { oid, parts: [] }), by(anyone, href, { oid, parts })]
    },
    [`GET ${objects}/{oid}`]: async () => {
      const bytes = newContent()
      await upload(bytes)
      const { href } = await actionOf('download', bytes)
      return [by(anyone, href), by(anyone, `${href}x`)]
    },
    [`POST ${route}/info/lfs/locks`]: () => {
      const path = randomUUID()
      return [
        [locks, { path }],
        [locks, { path }],
      ]
    },
    [`GET ${route}/info/lfs/locks`]: [locks, `${locks}?cursor=none`],
    [`POST ${route}/info/lfs/locks/verify`]: [[`${locks}/verify`, {}]],
    [`POST ${route}/info/lfs/locks/{id}/unlock`]: async () => {
      const made = await alice.post<{ lock: { id: string } }>(locks, { path: randomUUID() })
      const unlock = [`${locks}/${made.body.lock.id}/unlock`, {}] as const
      return [unlock, unlock]
    },
    [`POST ${objects}/{oid}/verify`]: async () => {
      const bytes = newContent()
      const { href } = await actionOf('verify', bytes)
      const isThere = () => anyone.post(href, contentOf(bytes))
      const before = await isThere()
      await upload(bytes)
      return [before, await isThere()]
    },
  }
}

/** Calls of the Xet storage, about a file that the hub's own client has uploaded. */
function xetCalls(): Calls {
  const none = '0'.repeat(64)
  const base = '/api/models/alice/chunks'
  const storage = '/api/xet/{storage}'
  let uploading: ReturnType<typeof upload> | undefined
  const uploaded = () => (uploading ??= upload())
  async function upload() {
    const {
      storage: user,
      shard,
      xorbs,
    } = await uploadByXet(sandbox.url, Buffer.from(randomUUID()))
    const [xorb = { hash: none, body: Buffer.alloc(0) }] = xorbs
    return {
      user,
      shard,
      xorb,
      hash: await xetHashAt(anyone, '/alice/chunks/resolve/main/w.bin'),
    }
  }
  /** Calls about the hash of the file, and about one that is unknown. */
  const both =
    (
      requestOf: (hash: string) => Request,
      hashOf = (sent: { hash: string; xorb: { hash: string } }) => sent.hash,
    ) =>
    async () => {
      const sent = await uploaded()
      return [hashOf(sent), none].map((hash) => by(sent.user, ...requestOf(hash)))
    }
  // The only chunk of a file is its xorb.
  const ofXorb = (path: string) =>
    both(
      (hash) => [`${path}/${hash}`],
      ({ xorb }) => xorb.hash,
    )
  const shards = (path: string) => async () => {
    const { user, shard } = await uploaded()
    return [by(user, path, shard), by(user, path, Buffer.alloc(0))]
  }
  return {
    ...Object.fromEntries(
      ['xet-read-token', 'xet-write-token'].map((route) => [
        `GET ${ofRepo}/${route}/{path}`,
        async () => {
          await uploaded()
          return [`${base}/${route}/main`, by(unknown, `${base}/${route}/main`)]
        },
      ]),
    ),
    [`GET ${storage}/v1/reconstructions/{hash}`]: both((hash) => [`/v1/reconstructions/${hash}`]),
    [`GET ${storage}/v2/reconstructions/{hash}`]: both((hash) => [`/v2/reconstructions/${hash}`]),
    [`GET ${storage}/v1/reconstructions`]: both((hash) => [`/v1/reconstructions?file_id=${hash}`]),
    [`GET ${storage}/v2/file-chunk-hashes/{hash}`]: async () => {
      const { user, hash } = await uploaded()
      const path = `/v2/file-chunk-hashes/${hash}`
      return [by(user, path, undefined, { 'x-range-dirty': 'bytes=0-0' }), by(user, path)]
    },
    [`POST ${storage}/v1/reconstructions`]: both((hash) => [
      '/v1/reconstructions',
      [{ prefix: 'default', hash }],
    ]),
    [`GET ${storage}/v1/chunks/{prefix}/{hash}`]: ofXorb('/v1/chunks/default'),
    [`GET ${storage}/v1/xorbs/{prefix}/{hash}`]: ofXorb('/v1/xorbs/default'),
    [`GET ${storage}/v1/files/{hash}`]: both((hash) => [`/v1/files/${hash}`]),
    [`GET ${storage}/xorbs/{hash}`]: async () => {
      const { user, hash } = await uploaded()
      const found = await user.get<{
        fetch_info: Record<string, { url: string; url_range: { start: number; end: number } }[]>
      }>(`/v1/reconstructions/${hash}`)
      const { url = '', url_range: part } = Object.values(found.body.fetch_info)[0]?.[0] ?? {}
      const range = `bytes=${part?.start}-${part?.end}`
      return [by(anyone, url, undefined, { range }), by(anyone, url)]
    },
    [`POST ${storage}/v1/xorbs/{prefix}/{hash}`]: async () => {
      const { user, xorb } = await uploaded()
      const path = '/v1/xorbs/default'
      return [
        by(user, `${path}/${xorb.hash}`, xorb.body),
        by(user, `${path}/${none}`, Buffer.alloc(0)),
      ]
    },
    [`POST ${storage}/v1/shards`]: shards('/v1/shards'),
    [`POST ${storage}/v2/shards`]: shards('/v2/shards'),
  }
}

/** Calls of every route of a bucket, in an order that leaves it there until the end. */
function bucketCalls(): Calls {
  const bucket = '/api/buckets/alice/described'
  const route = '/api/buckets/{namespace}/{name}'
  const path = '/buckets/alice/described'
  const none = '/api/buckets/alice/none'
  const batch = (...operations: object[]) => alice.postLines(`${bucket}/batch`, operations)
  const empty = { type: 'addFile', path: 'a.bin', xetHash: '0'.repeat(64) }
  const missing = { type: 'deleteFile', path: 'none' }
  return {
    [`POST ${route}`]: [
      [bucket, {}],
      [bucket, {}],
    ],
    [`POST ${route}/batch`]: async () => [
      await batch(empty, missing),
      await batch(missing),
      await batch(),
    ],
    'GET /api/buckets/{namespace}': ['/api/buckets/alice', '/api/buckets/nobody'],
    [`GET ${route}`]: [bucket, none],
    'GET /buckets/{namespace}/{name}': [by(browser, path), by(browser, `${path}-none`)],
    [`PUT ${route}/settings`]: [
      [`${bucket}/settings`, { private: true }],
      [`${bucket}/settings`, { visibility: 'none' }],
    ],
    [`GET ${route}/resource-group`]: async () => {
      const grouped = '/api/buckets/acme/grouped'
      await alice.post(grouped, { resourceGroupId: await groupId() })
      return [`${grouped}/resource-group`, `${bucket}/resource-group`]
    },
    [`POST ${route}/resource-group`]: [[`${bucket}/resource-group`, { resourceGroupId: null }]],
    [`GET ${route}/tree`]: [`${bucket}/tree`, `${none}/tree`],
    [`GET ${route}/tree/{path}`]: [`${bucket}/tree/a?recursive=false`],
    [`POST ${route}/paths-info`]: [
      [`${bucket}/paths-info`, { paths: ['a.bin'] }],
      [`${bucket}/paths-info`, {}],
    ],
    [`POST ${route}/lfs-files/duplicate`]: [
      [
        `${bucket}/lfs-files/duplicate`,
        {
          target: { type: 'model', name: 'alice/tiny-sentiment' },
          files: [{ sha256: '0'.repeat(64), xetHash: '0'.repeat(64) }],
        },
      ],
      [`${bucket}/lfs-files/duplicate`, {}],
    ],
    // A stream that ends: what was so early is not known.
    [`GET ${route}/events`]: [
      `${bucket}/events?since=2001-01-01`,
      `${bucket}/events?since=yesterday`,
    ],
    [`GET ${route}/xet-read-token`]: grantedAndRefused(`${bucket}/xet-read-token`),
    [`GET ${route}/xet-write-token`]: grantedAndRefused(`${bucket}/xet-write-token`),
    'GET /buckets/{namespace}/{name}/resolve/{path}': [
      `${path}/resolve/a.bin`,
      `${path}/resolve/none`,
    ],
    'GET /buckets/{namespace}/{name}/contents/{oid}': async () => {
      const url = String((await alice.get(`${path}/resolve/a.bin`)).headers['location'])
      return [by(anyone, url), by(anyone, url.replace(/secret=[^&]*/, 'secret=none'))]
    },
    [`DELETE ${route}`]: [bucket, bucket],
  }
}

/** A request of alice, and the same with an unknown token. */
function grantedAndRefused(...request: Request): Call[] {
  return [request, by(unknown, ...request)]
}

/** A request with one body after the other. */
const each = (path: string, ...bodies: object[]): Call[] => bodies.map((body) => [path, body])

const ofRepo = '/api/{types}/{namespace}/{name}'
const ofSpace = '/api/spaces/{namespace}/{name}'
const ofDiscussion = `${ofRepo}/discussions/{num}`
const ofAccess = `${ofRepo}/user-access-request`
const tiny = '/alice/tiny-sentiment'
const ofOrganization = '/api/organizations/{name}'
const ofUser = '/api/users/{username}'
const ofCollection = '/api/collections/{namespace}/{slug}'
const ofScheduled = '/api/scheduled-jobs/{namespace}'
const ofEndpoint = '/v2/endpoint/{namespace}/{name}'
const ofHook = '/api/settings/webhooks/{id}'
const page = '/{namespace}/{name}'
const typedPage = '/{types}/{namespace}/{name}'
const acme = '/api/organizations/acme'
const hooks = '/api/settings/webhooks'
const data = '/datasets/acme/corpus'
const wellKnown = '/.well-known'
const overviewOf = (name: string) => `/api/users/${name}/overview`

/** For every route of the hub: calls of it, at least one of which it grants. */
const calls: Calls = {
  ...Object.fromEntries(
    [
      `${wellKnown}/openid-configuration`,
      `${wellKnown}/oauth-authorization-server`,
      `${wellKnown}/oauth-protected-resource`,
      `${wellKnown}/oauth-protected-resource/mcp`,
      '/oauth/jwks',
      '/login',
      '/api/agent-harnesses',
      '/api/jobs/hardware',
      '/v1/models',
      '/api/spaces/hardware',
      '/api/spaces/templates',
      '/api/models-tags-by-type',
      '/api/datasets-tags-by-type',
      '/',
      '/settings/applications',
      '/settings/applications/new',
      '/settings/connected-applications',
      '/settings/tokens',
      '/settings/webhooks',
    ].map((path) => [`GET ${path}`, [path]]),
  ),
  'POST /mcp': () => {
    const accept = { accept: 'application/json, text/event-stream' }
    const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' }
    return [
      ['/mcp', list, accept],
      ['/mcp', { jsonrpc: '2.0', method: 'notifications/initialized' }, accept],
      ['/mcp', { ...list, method: 'none' }, accept],
      by(anyone, '/mcp?login', list, accept),
    ]
  },
  'GET /oauth/authorize': () => [
    by(sessionOf('carol'), authorizePath()),
    by(anyone, authorizePath()),
    '/oauth/authorize?client_id=nobody',
  ],
  'POST /oauth/authorize': () => [by(sessionOf('alice'), authorizePath(), form())],
  'POST /oauth/token': () => [redeem(), exchange('carol@example.com'), ['/oauth/token', form()]],
  'POST /oauth/device': () => [startDevice(), ['/oauth/device', form()]],
  'GET /oauth/device': () => [by(sessionOf('alice'), '/oauth/device'), '/oauth/device'],
  'POST /oauth/device/verify': async () => {
    const { user_code: code } = (await startDevice()).body
    return [code, 'none'].map((typed) =>
      by(sessionOf('alice'), '/oauth/device/verify', form({ user_code: typed })),
    )
  },
  'GET /oauth/device/verify': async () => {
    const { session, next } = await typeCode()
    return [by(session, next), by(session, '/oauth/device/verify?user_code=none')]
  },
  'GET /oauth/device/done': async () => {
    const { userCode, session } = await typeCode()
    const decision = form({ user_code: userCode, decision: 'approve' })
    const done = await session.post('/oauth/device/verify', decision)
    return [by(session, String(done.headers['location'])), by(session, '/oauth/device/done')]
  },
  'GET /oauth/userinfo': () =>
    [signedIn(), fullySignedIn(), unknown].map((user) => by(user, '/oauth/userinfo')),
  'POST /oauth/userinfo': () => [signedIn(), unknown].map((user) => by(user, '/oauth/userinfo')),
  'POST /oauth/register': [
    by(anyone, '/oauth/register', clientMetadata),
    by(anyone, '/oauth/register', { redirect_uris: 7 }),
  ],
  'POST /login': ['bob', 'nobody'].map((user) => by(anyone, '/login', form({ user }))),
  'POST /logout': () => [form(), {}].map((body) => by(sessionOf('bob'), '/logout', body)),
  'GET /api/whoami-v2': () =>
    [alice, signedIn(), fullySignedIn(), fineGrained(), unknown].map((user) =>
      by(user, '/api/whoami-v2'),
    ),
  'GET /api/telemetry/{path}': ['/api/telemetry/a/b'],
  [`GET ${ofOrganization}/audit-log/export`]: async () => {
    await exchange('carol@example.com')
    await exchange('nobody@example.com')
    const path = `${acme}/audit-log/export`
    return [path, by(dave, path)]
  },
  [`GET ${ofOrganization}/settings/network-security`]: [
    `${acme}/settings/network-security`,
    by(dave, `${acme}/settings/network-security`),
  ],
  [`PATCH ${ofOrganization}/settings/network-security`]: each(
    `${acme}/settings/network-security`,
    { ipRanges: ['192.0.2.0/24'], blockedContents: [{ resource: '*', scope: 'evil' }] },
    { ipRanges: ['anywhere'] },
  ),
  [`POST ${ofOrganization}/settings/tokens/revoke`]: async () => {
    const { access_token: token } = await sandbox.tokens.mint({ user: 'carol', role: 'write' })
    const path = `${acme}/settings/tokens/revoke`
    return [[path, { token }], by(dave, path, {})]
  },
  [`POST ${ofOrganization}/settings/tokens/{tokenId}/revoke`]: async () => {
    const { access_token: token } = await sandbox.tokens.mint({ user: 'carol', role: 'write' })
    const all = await sandbox.control<{ items: { id: string; token: string }[] }>('GET', 'tokens')
    const id = all.items.find((one) => one.token === token)?.id
    return [
      [`${acme}/settings/tokens/${id}/revoke`, undefined],
      [`${acme}/settings/tokens/none/revoke`, undefined],
    ]
  },
  'POST /api/credentials/revoke': each(
    '/api/credentials/revoke',
    { credentials: ['hf_unknown'] },
    [],
  ),
  'GET /api/settings/webhooks': async () => {
    await makeWebhook()
    return grantedAndRefused(hooks)
  },
  'POST /api/settings/webhooks': () => [
    makeWebhook(),
    ...each(
      hooks,
      {
        job: jobOptions,
        watched: [
          { type: 'user', name: 'alice' },
          { type: 'dataset', name: 'acme/corpus' },
        ],
        domains: ['repo', 'discussion'],
        secret: 'hidden',
      },
      { url: 'ftp://x' },
    ),
  ],
  [`GET ${ofHook}`]: ['{webhook}', `${hooks}/x`],
  [`POST ${ofHook}`]: [['{webhook}', { domains: ['repo'] }]],
  [`DELETE ${ofHook}`]: ['{webhook}'],
  [`POST ${ofHook}/enable`]: ['{webhook}/enable'],
  [`POST ${ofHook}/disable`]: ['{webhook}/disable'],
  [`POST ${ofHook}/replay/{logId}`]: async () => {
    const path = await webhookPath()
    const { deliveries } = await sandbox.trigger({ event: 'repo.content', repo: 'acme/corpus' })
    await sandbox.idle()
    const log = deliveries.find(({ webhookId }) => path.endsWith(webhookId))?.id
    return [`${path}/replay/${log}`, `${path}/replay/nothing`]
  },
  'POST /api/jobs/{namespace}': () => [
    makeJob(),
    ['/api/jobs/acme', jobOptions],
    ['/api/jobs/alice', {}],
  ],
  'GET /api/jobs/{namespace}': async () => {
    await makeJob()
    return grantedAndRefused('/api/jobs/alice')
  },
  'GET /api/jobs/{namespace}/count': grantedAndRefused('/api/jobs/alice/count'),
  'GET /api/jobs/{namespace}/{id}': ['{job}', '/api/jobs/alice/x'],
  'POST /api/jobs/{namespace}/{id}/cancel': ['{job}/cancel'],
  'POST /api/jobs/{namespace}/{id}/duplicate': ['{job}/duplicate'],
  'PUT /api/jobs/{namespace}/{id}/labels': [['{job}/labels', { labels: { a: 'b' } }]],
  'POST /api/inference-endpoints/{namespace}/auth-check/{perms}': [
    '/api/inference-endpoints/acme/auth-check/infer',
    by(dave, '/api/inference-endpoints/acme/auth-check/read'),
  ],
  'POST /api/inference-endpoints/{namespace}/{name}/auth-check/{perms}': async () => {
    const { name } = (await makeEndpoint()).body
    return [name, 'none'].map((one) => `/api/inference-endpoints/alice/${one}/auth-check/write`)
  },
  'POST /api/jobs/{namespace}/auth-check/{perms}': [
    '/api/jobs/acme/auth-check/write',
    by(dave, '/api/jobs/acme/auth-check/read'),
  ],
  'POST /api/jobs/{namespace}/{id}/auth-check/{perms}': [
    '{job}/auth-check/read',
    '/api/jobs/alice/none/auth-check/read',
  ],
  'PUT /api/jobs/{namespace}/{id}/expose': each(
    '{job}/expose',
    { ports: [8000], portsPublic: [8000] },
    { ports: [0] },
  ),
  'GET /api/jobs/{namespace}/{id}/events': ['{job}/events'],
  'GET /api/jobs/{namespace}/{id}/metrics': async () => {
    // A recorded job is over at once.
    const running = await startSandbox({
      runJobs: { '*': `"${process.execPath}" -e "setTimeout(() => {}, 60000)"` },
    })
    try {
      const user = callerAt(running, 'hf_sandbox_alice')
      const { id } = (await user.post<{ id: string }>('/api/jobs/alice', jobOptions)).body
      const granted = await fetch(`${running.url}/api/jobs/alice/${id}/metrics`, {
        headers: { authorization: 'Bearer hf_sandbox_alice' },
      })
      return [receivedFrom(granted), '{job}/metrics']
    } finally {
      await running.close()
    }
  },
  'GET /api/jobs/{namespace}/{id}/logs': ['{job}/logs'],
  'GET /api/spaces/semantic-search': ['/api/spaces/semantic-search?q=demo'],
  'GET /api/spaces/zero-gpu/quota': grantedAndRefused('/api/spaces/zero-gpu/quota'),
  'GET /api/spaces/by-subdomain/{subdomain}': [
    '/api/spaces/by-subdomain/alice-sentiment-demo',
    '/api/spaces/by-subdomain/none',
  ],
  [`GET ${ofSpace}/host`]: [`${demo}/host`, '{page}/host', '/api/spaces/alice/none/host'],
  [`GET ${ofSpace}/logs/{kind}`]: async () => {
    await makeRepo({ type: 'space', name: 'logged', sdk: 'docker' })
    return ['/api/spaces/alice/logged/logs/build', '/api/spaces/alice/logged/logs/other']
  },
  [`GET ${ofScheduled}`]: async () => {
    await makeScheduledJob()
    return grantedAndRefused('/api/scheduled-jobs/alice')
  },
  [`POST ${ofScheduled}`]: () => [makeScheduledJob(), ['/api/scheduled-jobs/alice', {}]],
  [`GET ${ofScheduled}/{id}`]: ['{scheduledJob}', '/api/scheduled-jobs/alice/none'],
  [`DELETE ${ofScheduled}/{id}`]: ['{scheduledJob}'],
  [`POST ${ofScheduled}/{id}/suspend`]: ['{scheduledJob}/suspend'],
  [`POST ${ofScheduled}/{id}/resume`]: ['{scheduledJob}/resume'],
  [`POST ${ofScheduled}/{id}/run`]: ['{scheduledJob}/run'],
  [`POST ${ofScheduled}/{id}/schedule`]: [['{scheduledJob}/schedule', { schedule: '@daily' }]],
  [`PUT ${ofScheduled}/{id}/labels`]: [['{scheduledJob}/labels', { labels: { a: 'b' } }]],
  'GET /v2/endpoint/{namespace}': async () => {
    await makeEndpoint()
    return grantedAndRefused('/v2/endpoint/alice')
  },
  'POST /v2/endpoint/{namespace}': () => [makeEndpoint(), ['/v2/endpoint/alice', {}]],
  [`GET ${ofEndpoint}`]: ['{endpoint}', '/v2/endpoint/alice/none'],
  [`PUT ${ofEndpoint}`]: [['{endpoint}', { type: 'public' }]],
  [`DELETE ${ofEndpoint}`]: ['{endpoint}'],
  [`POST ${ofEndpoint}/pause`]: ['{endpoint}/pause'],
  [`POST ${ofEndpoint}/resume`]: async () => {
    const path = await endpointPath()
    await alice.post(`${path}/pause`)
    return [`${path}/resume`, `${path}/resume`]
  },
  [`POST ${ofEndpoint}/scale-to-zero`]: ['{endpoint}/scale-to-zero'],
  'GET /inference-endpoints/{id}/health': [
    '{endpointUrl}/health',
    '/inference-endpoints/none/health',
  ],
  'POST /inference-endpoints/{id}/v1/chat/completions': [
    ['{endpointUrl}/v1/chat/completions', chat],
  ],
  'POST /inference-endpoints/{id}/v1/embeddings': [
    ['{endpointUrl}/v1/embeddings', { model: 'a/b', input: 'a' }],
  ],
  'POST /v1/chat/completions': [
    ...grantedAndRefused('/v1/chat/completions', chat),
    ['/v1/chat/completions', {}],
  ],
  'POST /v1/embeddings': each(
    '/v1/embeddings',
    { model: 'a/b', input: ['a', 'b'] },
    { model: 'a/b', input: 'a', encoding_format: 'base64' },
  ),
  'POST /hf-inference/models/{namespace}/{name}/v1/chat/completions': [
    ['/hf-inference/models/a/b/v1/chat/completions', chat],
  ],
  'POST /hf-inference/models/{namespace}/{name}/pipeline/feature-extraction': each(
    '/hf-inference/models/a/b/pipeline/feature-extraction',
    { inputs: 'a' },
    { inputs: ['a'] },
  ),
  [`GET ${ofRepo}/tree/{path}`]: [
    `${corpus}/tree/main?recursive=true&expand=true`,
    '{large}/tree/main?recursive=true&expand=true',
    `${corpus}/tree/none`,
  ],
  [`GET ${ofRepo}/compare/{compare}`]: [
    `${corpus}/compare/main...HEAD`,
    `${corpus}/compare/main..HEAD?raw=true`,
    `${corpus}/compare/main..none`,
  ],
  [`GET ${ofRepo}/scan`]: [`${corpus}/scan`],
  [`GET ${ofRepo}/treesize/{path}`]: [
    '{large}/treesize/main/data',
    `${corpus}/treesize/main`,
    `${corpus}/treesize/main/none`,
  ],
  [`POST ${ofRepo}/paths-info/{path}`]: [
    ['{large}/paths-info/main', { paths: ['data', 'data/large.bin'], expand: true }],
    ...each(
      `${corpus}/paths-info/main`,
      { paths: ['README.md'] },
      form({ paths: 'README.md', expand: 'True' }),
      {},
    ),
  ],
  [`GET ${ofAccess}/{status}`]: async () => {
    const list = `/api/models${await gatedRepo()}/user-access-request`
    await alice.post(`${list}/grant`, { user: 'carol' })
    return [`${list}/pending`, `${list}/accepted`, `${list}/lost`]
  },
  [`POST ${ofAccess}/handle`]: () => {
    const decision = { user: 'dave', status: 'rejected', rejectionReason: 'No' }
    return each('/api/models{gated}/user-access-request/handle', decision, decision)
  },
  [`POST ${ofAccess}/batch`]: each(
    '/api/models{gated}/user-access-request/batch',
    { status: 'accepted', requests: [{ user: 'dave' }, { user: 'carol' }] },
    {},
  ),
  [`POST ${ofAccess}/grant`]: each(
    '/api/models{gated}/user-access-request/grant',
    { user: 'carol' },
    {},
  ),
  [`POST ${ofAccess}/cancel`]: [1, 2].map(() =>
    by(dave, '/api/models{gated}/user-access-request/cancel'),
  ),
  [`POST ${page}/ask-access`]: [by(carol, '{gated}/ask-access', {})],
  [`POST ${typedPage}/ask-access`]: [by(carol, '{gatedDataset}/ask-access', {})],
  [`GET ${page}/user-access-report`]: ['{gated}/user-access-report'],
  [`GET ${typedPage}/user-access-report`]: ['{gatedDataset}/user-access-report'],
  [`POST ${ofDiscussion}/comment/{commentId}/reaction`]: each(
    '{comment}/reaction',
    { reaction: 'thumbsup' },
    { reaction: 'x' },
  ),
  [`DELETE ${ofDiscussion}/comment/{commentId}/reaction`]: [
    ['{comment}/reaction', { reaction: 'thumbsup' }],
  ],
  [`DELETE ${ofDiscussion}/ref`]: async () => {
    const path = await discussionPath({ pullRequest: true })
    await alice.post(`${path}/status`, { status: 'closed' })
    return [`${path}/ref`, '{discussion}/ref']
  },
  [`GET ${ofDiscussion}/storage`]: ['{pull}/storage', '{discussion}/storage'],
  [`POST ${ofRepo}/like`]: [`${corpus}/like`, by(anyone, `${corpus}/like`)],
  [`DELETE ${ofRepo}/like`]: [`${corpus}/like`],
  [`GET ${ofRepo}/likers`]: async () => {
    await alice.post(`${corpus}/like`)
    return [`${corpus}/likers`, `${corpus}/likers?limit=0`]
  },
  [`GET ${ofUser}/likes`]: async () => {
    await alice.post(`${corpus}/like`)
    return ['/api/users/alice/likes', '/api/users/nobody/likes']
  },
  [`GET ${ofUser}/overview`]: [
    overviewOf('alice'),
    by(anyone, overviewOf('alice')),
    overviewOf('nobody'),
  ],
  [`GET ${ofUser}/socials`]: ['/api/users/alice/socials', '/api/users/nobody/socials'],
  [`GET ${ofOrganization}/socials`]: [`${acme}/socials`, '/api/organizations/none/socials'],
  [`GET ${ofUser}/followers`]: async () => {
    await alice.post('/api/users/bob/follow')
    return ['/api/users/bob/followers', by(anyone, '/api/users/bob/followers')]
  },
  [`GET ${ofUser}/following`]: async () => {
    await alice.post('/api/users/bob/follow')
    return ['/api/users/alice/following', '/api/users/nobody/following']
  },
  [`POST ${ofUser}/follow`]: ['/api/users/bob/follow', '/api/users/alice/follow'],
  [`DELETE ${ofUser}/follow`]: ['/api/users/bob/follow'],
  [`GET ${ofUser}/avatar`]: ['/api/users/bob/avatar', '/api/users/bob/avatar?redirect=true'],
  [`GET ${ofOrganization}/overview`]: [`${acme}/overview`, '/api/organizations/none/overview'],
  [`GET ${ofOrganization}/followers`]: async () => {
    await alice.post(`${acme}/follow`)
    return [`${acme}/followers`]
  },
  [`POST ${ofOrganization}/follow`]: [`${acme}/follow`, '/api/organizations/none/follow'],
  [`DELETE ${ofOrganization}/follow`]: [`${acme}/follow`],
  [`GET ${ofOrganization}/members`]: [
    `${acme}/members`,
    `${acme}/members?email=bob@example.com`,
    by(anyone, `${acme}/members`),
  ],
  [`GET ${ofOrganization}/avatar`]: [`${acme}/avatar`, '/api/organizations/none/avatar'],
  'GET /api/avatars/{namespace}': [
    '/api/avatars/acme',
    '/api/avatars/alice',
    '/api/avatars/nobody',
  ],
  [`PUT ${ofOrganization}/members/{username}/role`]: each(
    `${acme}/members/bob/role`,
    { role: 'write' },
    { role: 'king' },
  ),
  [`GET ${ofOrganization}/resource-groups`]: async () => {
    await makeGroup()
    return [groups, by(dave, groups)]
  },
  [`POST ${ofOrganization}/resource-groups`]: () => [makeGroup(), [groups, {}]],
  [`POST ${ofOrganization}/resource-groups/{id}/users`]: ['user', 'name'].flatMap((member) =>
    ['{group}', `${groups}/none`].map((group): Call => [
      `${group}/users`,
      { users: [{ [member]: 'carol', role: 'write' }] },
    ]),
  ),
  [`GET ${ofOrganization}/resource-groups/{id}`]: ['{group}', `${groups}/none`],
  [`PATCH ${ofOrganization}/resource-groups/{id}`]: each(
    '{group}',
    { description: 'Other' },
    { name: '' },
  ),
  [`DELETE ${ofOrganization}/resource-groups/{id}`]: ['{group}', '{group}'],
  [`POST ${ofOrganization}/resource-groups/{id}/settings`]: each(
    '{group}/settings',
    { autoJoin: { enabled: true, role: 'read', scope: 'read_plus' } },
    { autoJoin: { enabled: 'no' } },
  ),
  [`PATCH ${ofOrganization}/resource-groups/{id}/users/{username}`]: each(
    '{group}/users/bob',
    { role: 'admin' },
    { role: 'king' },
  ),
  [`DELETE ${ofOrganization}/resource-groups/{id}/users/{username}`]: [
    '{group}/users/bob',
    '{group}/users/bob',
  ],
  [`GET ${ofRepo}/resource-group`]: async () => {
    const { name } = (await makeRepo({ organization: 'acme' })).body
    const path = `/api/models/${name}/resource-group`
    await alice.post(path, { resourceGroupId: await groupId() })
    return [path, `${corpus}/resource-group`]
  },
  [`POST ${ofRepo}/resource-group`]: async () =>
    [await groupId(), null, '0'.repeat(24)].map((resourceGroupId) => [
      '{organizationRepo}/resource-group',
      { resourceGroupId },
    ]),
  'GET /api/trending': ['/api/trending', '/api/trending?limit=21'],
  'GET /api/quicksearch': async () => {
    await makeCollection()
    await alice.post('/api/buckets/alice/found', {})
    return ['/api/quicksearch?q=a', '/api/quicksearch?q=', '/api/quicksearch?limit=0']
  },
  'POST /api/quicksearch': each('/api/quicksearch', { q: 'a' }, { exclude: ['x'] }),
  'GET /api/collections': async () => {
    await makeCollection()
    return ['/api/collections?owner=alice', '/api/collections?limit=0']
  },
  'POST /api/collections': () => {
    const collection = { title: 'One', namespace: 'alice', item }
    return each('/api/collections', collection, collection)
  },
  [`GET ${ofCollection}`]: ['{collection}', '/api/collections/alice/none'],
  [`PATCH ${ofCollection}`]: each('{collection}', { theme: 'blue' }, { theme: 'black' }),
  [`DELETE ${ofCollection}`]: ['{collection}'],
  [`POST ${ofCollection}/items`]: each(
    '{collection}/items',
    { item: { type: 'paper', id: '2307.09288' }, note: 'Read it' },
    { item: { type: 'model', id: 'acme/none' } },
  ),
  [`POST ${ofCollection}/items/batch`]: async () => {
    const { slug, items } = await makeCollection()
    const changes = items.map(({ _id }) => ({ action: 'update', _id, data: { note: 'First' } }))
    return each(`/api/collections/${slug}/items/batch`, changes, {})
  },
  [`POST ${ofCollection}/resource-group`]: each(
    '{collection}/resource-group',
    { resourceGroupId: null },
    {},
  ),
  [`GET ${ofCollection}/resource-group`]: async () => {
    const collection = { title: 'Of a group', namespace: 'acme', resourceGroupId: await groupId() }
    const { slug } = (await alice.post<{ slug: string }>('/api/collections', collection)).body
    return [`/api/collections/${slug}/resource-group`, '{collection}/resource-group']
  },
  [`POST ${ofCollection}/upvote`]: ['{collection}/upvote', '/api/collections/alice/none/upvote'],
  [`DELETE ${ofCollection}/upvote`]: ['{collection}/upvote'],
  [`PATCH ${ofCollection}/items/{itemId}`]: [['{item}', { note: 'First' }]],
  [`DELETE ${ofCollection}/items/{itemId}`]: ['{item}'],
  [`GET ${ofRepo}/discussions`]: async () => {
    const path = await discussionPath()
    const { events } = (await alice.get<{ events: { id: string }[] }>(path)).body
    await alice.post(`${path}/comment/${events[0]?.id}/reaction`, { reaction: 'fire' })
    return [`${corpus}/discussions`, `${corpus}/discussions?p=x`]
  },
  [`POST ${ofRepo}/discussions`]: each(
    `${corpus}/discussions`,
    { title: 'A question', description: '' },
    { title: 'x' },
  ),
  [`GET ${ofDiscussion}`]: async () => {
    const path = await discussionPath({ pullRequest: true })
    await alice.post(`${path}/comment`, { comment: 'Why?' })
    await alice.post(`${path}/title`, { title: 'A better title' })
    await alice.post(`${path}/status`, { status: 'open' })
    const { events } = (await alice.get<{ events: { id: string }[] }>(path)).body
    await alice.post(`${path}/comment/${events[0]?.id}/reaction`, { reaction: 'heart' })
    return [`${path}?diff=1`, '{discussion}', `${corpus}/discussions/0`]
  },
  [`DELETE ${ofDiscussion}`]: ['{discussion}'],
  [`POST ${ofDiscussion}/comment`]: each('{discussion}/comment', { comment: 'Why?' }, {}),
  [`POST ${ofDiscussion}/comment/{commentId}/edit`]: each(
    '{comment}/edit',
    { content: 'Because' },
    {},
  ),
  [`POST ${ofDiscussion}/comment/{commentId}/hide`]: ['{comment}/hide'],
  [`POST ${ofDiscussion}/title`]: [1, 2].map(() => [
    '{discussion}/title',
    { title: 'A better title' },
  ]),
  [`POST ${ofDiscussion}/status`]: [1, 2].map(() => ['{discussion}/status', { status: 'closed' }]),
  [`POST ${ofDiscussion}/pin`]: [['{discussion}/pin', { pinned: true }]],
  [`POST ${ofDiscussion}/merge`]: async () => {
    const file = { key: 'file', value: { path: 'proposed.txt', content: 'text' } }
    const { pullRequestUrl } = (await commit('main?create_pr=1', file)).body
    const path = `${corpus}/discussions/${pullRequestUrl.split('/').at(-1)}/merge`
    return each(path, {}, {})
  },
  [`GET ${ofRepo}/refs`]: [`${corpus}/refs?include_prs=1`, '/api/models/acme/none/refs'],
  [`GET ${ofRepo}/commits/{path}`]: [
    `${corpus}/commits/main?expand[]=formatted`,
    `${corpus}/commits/none`,
  ],
  [`POST ${ofRepo}/branch/{path}`]: () =>
    [randomUUID(), 'main'].map((name) => [`${corpus}/branch/${name}`, {}]),
  [`DELETE ${ofRepo}/branch/{path}`]: async () => {
    await alice.post(`${corpus}/branch/gone`, {})
    return [`${corpus}/branch/gone`]
  },
  [`POST ${ofRepo}/tag/{path}`]: () => [
    [`${corpus}/tag/main`, { tag: randomUUID() }],
    `${corpus}/tag/main`,
  ],
  [`DELETE ${ofRepo}/tag/{path}`]: async () => {
    await alice.post(`${corpus}/tag/main`, { tag: 'gone' })
    return [`${corpus}/tag/gone`]
  },
  [`POST ${ofRepo}/super-squash/{path}`]: async () => {
    await alice.post(`${corpus}/branch/squashed`, {})
    return [[`${corpus}/super-squash/squashed`, {}]]
  },
  'GET /v2/': ['/v2/'],
  'GET /v2/{namespace}/{name}/manifests/{tag}': async () => {
    await makeGguf()
    return ['/v2/alice/gguf/manifests/latest', `/v2${tiny}/manifests/latest`]
  },
  'GET /v2/{namespace}/{name}/blobs/{digest}': async () => {
    await makeGguf()
    const path = '/v2/alice/gguf'
    const { config, layers } = (await alice.get<Manifest>(`${path}/manifests/latest`)).body
    return [...layers, config, { digest: 'sha256:0' }].map(
      ({ digest }) => `${path}/blobs/${digest}`,
    )
  },
  'POST /api/validate-yaml': each(
    '/api/validate-yaml',
    { content: 'no metadata' },
    { content: '---\na: [\n---\n' },
  ),
  [`POST ${ofRepo}/preupload/{path}`]: [
    ['{large}/preupload/main', { files: [{ path: 'data/large.bin', size: 36, sample: 'YQ==' }] }],
    [`${corpus}/preupload/main`, { files: [{ path: 'README.md', size: 1, sample: 'YQ==' }] }],
    [`${corpus}/preupload/none`, { files: [] }],
  ],
  [`POST ${ofRepo}/commit/{path}`]: async () => [
    await commit('main', { key: 'file', value: { path: 'x', content: 'x' } }),
    await commit('main?create_pr=1', { key: 'file', value: { path: 'y', content: 'y' } }),
    await commit('main', { key: 'unknown', value: {} }),
  ],
  ...xetCalls(),
  ...bucketCalls(),
  [`GET ${ofRepo}/lfs-files`]: ['{large}/lfs-files', by(unknown, `${corpus}/lfs-files`)],
  [`DELETE ${ofRepo}/lfs-files/{sha}`]: [`${corpus}/lfs-files/${'0'.repeat(40)}`],
  [`POST ${ofRepo}/lfs-files/batch`]: each(
    `${corpus}/lfs-files/batch`,
    { deletions: { sha: ['x'] } },
    {},
  ),
  [`POST ${ofRepo}/lfs-files/duplicate`]: each(`${corpus}/lfs-files/duplicate`, {
    target: { type: 'model', name: 'alice/tiny-sentiment' },
    files: [{ sha256: '0'.repeat(64) }],
  }),
  ...lfsCalls('/{namespace}/{name}', tiny),
  ...lfsCalls('/{types}/{namespace}/{name}', data),
  [`GET ${page}/resolve/{path}`]: [
    [`${tiny}/resolve/main/README.md`, undefined, { range: 'bytes=0-0' }],
    `${tiny}/resolve/main/none`,
  ],
  [`GET ${page}/raw/{path}`]: [`${tiny}/raw/main/README.md`],
  [`GET ${typedPage}/resolve/{path}`]: () => [`${data}/resolve/main/README.md`, resolveImage()],
  [`GET ${typedPage}/raw/{path}`]: [`${data}/raw/main/README.md`],
  'GET /api/resolve-cache/{types}/{namespace}/{name}/{path}': async () => {
    const file = await alice.get(`${data}/resolve/main/README.md`)
    const cached = String(file.headers['location'])
    const image = String((await resolveImage()).headers['location'])
    return [
      cached,
      [cached, undefined, { range: 'bytes=0-0' }],
      image,
      '/api/resolve-cache/datasets/acme/corpus/main/README.md',
    ]
  },
  [`GET ${page}/info/refs`]: [`${tiny}/info/refs?service=git-upload-pack`, `${tiny}/info/refs`],
  [`GET ${typedPage}/info/refs`]: [
    `${data}.git/info/refs?service=git-upload-pack`,
    '/datasets/acme/none.git/info/refs?service=git-upload-pack',
  ],
  ...Object.fromEntries(
    (['upload', 'receive'] as const).flatMap((service) => [
      [
        `POST /{namespace}/{name}/git-${service}-pack`,
        ['0000', 'what'].map((body) => [`${tiny}/git-${service}-pack`, body, git(service)]),
      ],
      [
        `POST /{types}/{namespace}/{name}/git-${service}-pack`,
        [[`/datasets/acme/corpus/git-${service}-pack`, '0000', git(service)]],
      ],
    ]),
  ),
  'POST /api/repos/create': () => [
    makeRepo(),
    ...each(
      '/api/repos/create',
      { name: 'corpus', organization: 'acme', type: 'dataset' },
      { name: '..' },
    ),
  ],
  'DELETE /api/repos/delete': async () => {
    const [, name] = (await repoName()).split('/')
    return [['/api/repos/delete', { name, type: 'dataset' }]]
  },
  'POST /api/repos/move': async () => {
    const fromRepo = await repoName()
    return [['/api/repos/move', { fromRepo, toRepo: `${fromRepo}-moved`, type: 'dataset' }]]
  },
  'GET /api/{types}': ['/api/models?full=true', '/api/spaces', '/api/datasets?expand=nothing'],
  [`GET ${ofRepo}`]: [
    '/api/models/alice/tiny-sentiment?blobs=true',
    '/api/spaces/alice/sentiment-demo',
    '/api/datasets/alice/nothing',
  ],
  [`GET ${ofRepo}/revision/{path}`]: ['{repo}/revision/main', '{repo}/revision/none'],
  [`PUT ${ofRepo}/settings`]: [
    ['{repo}/settings', { gated: 'auto' }],
    ['{repo}/settings', { private: true, gated: false, discussionsDisabled: true }],
    ['{page}/settings', { visibility: 'protected' }],
  ],
  [`POST ${ofRepo}/duplicate`]: async () => {
    const name = await repoName()
    return [
      [`/api/datasets/${name}/duplicate`, { repository: `${name}-copy` }],
      [`${demo}/duplicate`, { repository: 'alice/demo-copy' }],
    ]
  },
  [`GET ${ofRepo}/auth-check`]: ['{repo}/auth-check'],
  [`GET ${ofRepo}/auth-check/write`]: ['{repo}/auth-check/write'],
  [`GET ${ofSpace}/runtime`]: [
    `${demo}/runtime`,
    '{page}/runtime',
    '/api/spaces/alice/none/runtime',
  ],
  [`GET ${ofSpace}/events`]: [`${demo}/events`, '/api/spaces/alice/none/events'],
  [`GET ${ofSpace}/metrics`]: [`${demo}/metrics`, '/api/spaces/alice/none/metrics'],
  [`POST ${ofSpace}/hardware`]: each(
    `${demo}/hardware`,
    { flavor: 't4-small' },
    { flavor: 'none' },
  ),
  [`POST ${ofSpace}/sleeptime`]: [
    [`${demo}/sleeptime`, { seconds: 60 }],
    by(unknown, `${demo}/sleeptime`),
  ],
  [`POST ${ofSpace}/pause`]: grantedAndRefused(`${demo}/pause`),
  [`POST ${ofSpace}/restart`]: [`${demo}/restart?factory=true`],
  [`POST ${ofSpace}/dev-mode`]: [[`${demo}/dev-mode`, { enabled: true }]],
  [`POST ${ofSpace}/storage`]: [[`${demo}/storage`, { tier: 'small' }]],
  [`DELETE ${ofSpace}/storage`]: async () => {
    await alice.post(`${demo}/storage`, { tier: 'small' })
    return [`${demo}/storage`, `${demo}/storage`]
  },
  [`PUT ${ofSpace}/volumes`]: [[`${demo}/volumes`, { volumes }]],
  [`DELETE ${ofSpace}/volumes`]: async () => {
    await alice.put(`${demo}/volumes`, { volumes })
    return [`${demo}/volumes`, `${demo}/volumes`]
  },
  ...Object.fromEntries(
    ['variables', 'secrets'].flatMap((kind): [string, Calls[string]][] => [
      [
        `GET ${ofSpace}/${kind}`,
        async () => {
          await alice.post(`${demo}/${kind}`, { key: 'A', value: '1', description: 'One' })
          return grantedAndRefused(`${demo}/${kind}`)
        },
      ],
      [
        `POST ${ofSpace}/${kind}`,
        each(
          `${demo}/${kind}`,
          { key: 'B', value: '2' },
          kind === 'secrets' ? { key: 'B' } : { key: 'no name', value: '' },
        ),
      ],
      [`DELETE ${ofSpace}/${kind}`, [[`${demo}/${kind}`, { key: 'B' }]]],
    ]),
  ),
  'GET /api/settings/repositories': grantedAndRefused('/api/settings/repositories'),
  [`GET ${ofOrganization}/settings/repositories`]: [`${acme}/settings/repositories`],
  'GET /avatars/{name}.svg': ['/avatars/alice.svg'],
  'GET /{name}': [
    ...['/alice', '/acme', '/nobody', `/${endless}`, '/%zz', '//alice'].map((path) =>
      by(browser, path),
    ),
    '/alice',
  ],
  [`GET ${page}`]: [
    ...[tiny, '/alice/none', `/alice/${endless}`].map((path) => by(browser, path)),
    tiny,
  ],
  'GET /datasets/{namespace}/{name}': [by(browser, data)],
  'GET /spaces/{namespace}/{name}': [by(browser, '/spaces/alice/sentiment-demo')],
  'GET /settings/webhooks/{id}/activity': ['/settings/webhooks/x/activity'],
  'GET /organizations/{name}/settings/audit-log': ['/organizations/acme/settings/audit-log'],
}

/** Returns differences of a response from the OpenAPI document; empty = as described. */
function deviations(operation: string, answer: Received): unknown[] {
  const [method = '', path = ''] = operation.split(' ')
  const { responses = {} } = document.paths[path]?.[method.toLowerCase()] ?? {}
  const description = responses[answer.status] ?? responses['default']
  if (description === undefined) return [{ undescribedStatus: answer.status }]
  const text = answer.bytes.toString()
  if (description.content === undefined) return text === '' ? [] : [{ undescribedBody: text }]
  const [type = ''] = String(answer.headers['content-type']).split(';')
  const media = description.content[type] ?? description.content['*/*']
  if (media === undefined) return [{ undescribedType: type }]
  return mistakes(media.schema, /\bjson$/.test(type) ? answer.body : text)
}

/** Deviations of a response from what the hub's own document says of it, where it says anything. */
function deviationsFromHub(operation: string, { status, body }: Received): unknown[] {
  const schema = hubDocument[status < 400 ? operation : `${operation} ${status}`]
  return schema === undefined ? [] : mistakes(schema, body)
}

function mistakes(schema: object, body: unknown): unknown[] {
  const validate = ajv.compile(schema)
  return validate(body) ? [] : [{ body, errors: validate.errors }]
}

describe('the OpenAPI document', () => {
  const operations = () =>
    Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    )

  test('describes every route of the hub called here, and no other', () => {
    const ofTheHub = operations().filter((name) => !/ \/_sandbox(\/|$)/.test(name))
    expect(Object.keys(calls).toSorted()).toEqual(ofTheHub.toSorted())
  })

  test.for(Object.entries(calls))(
    'describes the responses of %s',
    async ([operation, listed], { skip }) => {
      const isForGit = /\/(info\/refs|git-upload-pack|git-receive-pack)$/.test(operation)
      skip(isForGit && !hasGit, 'git is not installed')
      handled.length = 0
      const answers = await sendAll(operation, listed)
      const granted = answers.filter(({ status }) => status < 400)
      expect(granted).not.toEqual([])
      // By the route itself, and not by something else at that address.
      const times = handled.filter((name) => name === operation).length
      expect(times).toBeGreaterThanOrEqual(granted.length)
      expect(answers.flatMap((answer) => deviations(operation, answer))).toEqual([])
      expect(answers.flatMap((answer) => deviationsFromHub(operation, answer))).toEqual([])
    },
  )

  test.for(Object.entries(hubDocument))('names what the hub requires of %s', ([key, shape]) => {
    const [method = '', path = '', status] = key.split(' ')
    const { responses = {} } = document.paths[path]?.[method.toLowerCase()] ?? {}
    const isSuccess = ([name]: [string, unknown]) =>
      status === undefined ? name.startsWith('2') : name === status
    const [, { content = {} } = {}] = Object.entries(responses).find(isSuccess) ?? []
    const named = new Set(Object.values(content).flatMap(({ schema }) => namedMembers(schema)))
    /** Of an object that the sandbox never sends no member is named. */
    const isSent = (member: string) => {
      const parent = member.replace(/\.\w+$/, '').replaceAll(/(\[\])+$/g, '')
      return parent === '' || named.has(parent)
    }
    const missing = requiredMembers(shape).filter((name) => isSent(name) && !named.has(name))
    expect(missing).toEqual([])
  })

  test('has every operation of the hub’s own document that is described here', () => {
    const described = Object.keys(hubDocument).map((key) => key.replace(/ \d+$/, ''))
    expect(operations()).toEqual(expect.arrayContaining(described))
  })
})
