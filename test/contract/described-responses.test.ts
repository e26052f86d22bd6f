import { createHash, randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { partBytes } from '../../server/hub/uploads/lfs-batch.ts'
import { type Sandbox, startSandbox } from '../../server/index.ts'
import { hubDocument } from '../helpers/hub-document.ts'
import { hasGit } from '../helpers/git-client.ts'
import { basic, challenge, verifier } from '../helpers/oauth-client.ts'
import { defaultApps } from '../helpers/sandbox.ts'
import { type SentByXet, uploadByXet } from '../helpers/xet-files.ts'

interface Operation {
  responses: Record<string, { content?: Record<string, { schema: object }> }>
}

interface Ask {
  method?: string
  /** Default: alice's; `''` = none. */
  token?: string
  user?: string
  form?: Record<string, string>
  json?: unknown
  /** Body of another media type, which a header names. */
  text?: string
  headers?: Record<string, string>
}

// Not the sandbox's own reader of schemas: that one made the answers.
const ajv = addFormats.default(new Ajv2020({ strict: false, allErrors: true }))
const redirectUri = 'http://localhost/callback'

let sandbox: Sandbox
let receiver: ReturnType<typeof createServer>
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
  sandbox = await startSandbox()
  receiver = createServer((request, response) => {
    request.resume()
    response.end('ok')
  })
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
  document = (await (await fetch(`${sandbox.url}/_sandbox/openapi.json`)).json()) as typeof document
  subscribe('tracing:fastify.request.handler:start', note)
})
afterAll(async () => {
  unsubscribe('tracing:fastify.request.handler:start', note)
  receiver.close()
  await sandbox.close()
})

async function ask(
  path: string,
  { method = 'GET', token, user, form, json, text, headers }: Ask = {},
) {
  const cookie = user === undefined ? {} : { cookie: await sessionOf(user) }
  const bearer = user === undefined ? (token ?? 'hf_sandbox_alice') : ''
  return fetch(sandbox.url + path, {
    method,
    redirect: 'manual',
    headers: {
      ...(bearer === '' ? {} : { authorization: `Bearer ${bearer}` }),
      ...(json === undefined ? {} : { 'content-type': 'application/json' }),
      ...cookie,
      ...headers,
    },
    ...(form === undefined ? {} : { body: new URLSearchParams(form) }),
    ...(json === undefined ? {} : { body: JSON.stringify(json) }),
    ...(text === undefined ? {} : { body: text }),
  })
}

const pushRequest = (text: string) => ({
  text,
  headers: { 'content-type': 'application/x-git-receive-pack-request' },
})
const fetchRequest = (text: string) => ({
  text,
  headers: { 'content-type': 'application/x-git-upload-pack-request' },
})
const post = (path: string, more: Ask = {}) => ask(path, { method: 'POST', ...more })
const read = async <T>(answer: Promise<Response>) => (await (await answer).clone().json()) as T

async function sessionOf(user: string): Promise<string> {
  const { name, value } = await read<{ name: string; value: string }>(
    post('/_sandbox/api/sessions', { token: '', json: { user } }),
  )
  return `${name}=${value}`
}

const authorizePath = (more: Record<string, string> = {}) =>
  `/oauth/authorize?${new URLSearchParams({
    response_type: 'code',
    client_id: defaultApps(sandbox).confidential.clientId,
    redirect_uri: redirectUri,
    scope: 'openid profile email',
    code_challenge: challenge,
    code_challenge_method: 'S256',
    ...more,
  })}`

const credentials = (app: { clientId: string; clientSecret?: string }) =>
  basic({ id: app.clientId }, app.clientSecret ?? '')

async function redeem(): Promise<Response> {
  const { headers } = await post(authorizePath(), { user: 'alice', form: {} })
  const code = new URL(headers.get('location') ?? '').searchParams.get('code') ?? ''
  return post('/oauth/token', {
    token: '',
    headers: credentials(defaultApps(sandbox).confidential),
    form: {
      grant_type: 'authorization_code',
      redirect_uri: redirectUri,
      code_verifier: verifier,
      code,
    },
  })
}

const accessToken = async () => (await read<{ access_token: string }>(redeem())).access_token

/** Token with everything that userinfo and whoami tell of a user and her organizations. */
async function fullToken(): Promise<string> {
  const json = {
    user: 'alice',
    scope: 'openid profile email read-billing read-memberships',
    organizations: ['acme'],
  }
  const made = post('/_sandbox/api/tokens', { token: '', json })
  return (await read<{ access_token: string }>(made)).access_token
}

async function fineGrainedToken(): Promise<string> {
  const fineGrained = {
    global: ['discussion.write'],
    canReadGatedRepos: true,
    scoped: [
      { entity: { type: 'org', name: 'acme' }, permissions: ['repo.content.read'] },
      { entity: { type: 'dataset', name: 'acme/corpus' }, permissions: ['repo.write'] },
    ],
  }
  const json = { user: 'alice', role: 'fineGrained', name: 'exact', fineGrained }
  const made = post('/_sandbox/api/tokens', { token: '', json })
  return (await read<{ access_token: string }>(made)).access_token
}

const exchange = (subject: string) =>
  post('/oauth/token', {
    token: '',
    headers: credentials(defaultApps(sandbox).exchange),
    form: {
      grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
      subject_token: subject,
      subject_token_type: 'urn:service:token-type:user-email',
    },
  })

const startDevice = () =>
  post('/oauth/device', {
    token: '',
    form: { client_id: defaultApps(sandbox).public.clientId, scope: 'openid' },
  })

/** Types the code of a new device and returns the session. */
async function typeCode() {
  const { user_code: userCode } = await read<{ user_code: string }>(startDevice())
  const headers = { cookie: await sessionOf('alice') }
  const form = { user_code: userCode }
  const typed = await post('/oauth/device/verify', { token: '', headers, form })
  return { userCode, headers, typed }
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
const browse = (path: string) => ask(path, { token: '', headers: { accept: 'text/html' } })

const hook = () => ({
  url: `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`,
  watched: [{ type: 'org', name: 'acme' }],
})
const makeWebhook = () => post('/api/settings/webhooks', { json: hook() })
/** Creates a gated repo that dave asks to access. @returns the path of its page */
async function gatedRepo(type: 'model' | 'dataset' = 'model'): Promise<string> {
  const name = `gated-${randomUUID()}`
  await post('/api/repos/create', { json: { name, type } })
  const json = { gated: 'manual' }
  await ask(`/api/${type}s/alice/${name}/settings`, { method: 'PUT', json })
  const page = `${type === 'model' ? '' : '/datasets'}/alice/${name}`
  await post(`${page}/ask-access`, { token: 'hf_sandbox_dave', json: { use: 'research' } })
  return page
}

/** Creates a collection with one item. */
async function makeCollection(): Promise<{ slug: string; items: { _id: string }[] }> {
  const item = { type: 'dataset', id: 'acme/corpus' }
  return read(post('/api/collections', { json: { title: randomUUID(), namespace: 'alice', item } }))
}

async function collectionPath(): Promise<string> {
  return `/api/collections/${(await makeCollection()).slug}`
}

async function itemPath(): Promise<string> {
  const { slug, items } = await makeCollection()
  const [id] = items.map(({ _id }) => _id)
  return `/api/collections/${slug}/items/${id}`
}

/** Opens a discussion. */
async function discussionPath(more: object = {}): Promise<string> {
  const json = { title: 'A question', description: 'Text', ...more }
  const { num } = await read<{ num: number }>(post(`${corpus}/discussions`, { json }))
  return `${corpus}/discussions/${num}`
}

/** Opens a discussion, whose first comment it is. */
async function commentPath(): Promise<string> {
  const path = await discussionPath()
  const { events } = await read<{ events: { id: string }[] }>(ask(path))
  return `${path}/comment/${events[0]?.id}`
}

const webhookPath = async () => {
  const { webhook } = await read<{ webhook: { id: string } }>(makeWebhook())
  return `/api/settings/webhooks/${webhook.id}`
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
  post('/api/scheduled-jobs/alice', { json: { jobSpec: jobOptions, schedule: '@hourly' } })
const scheduledJobPath = async () =>
  `/api/scheduled-jobs/alice/${(await read<{ id: string }>(makeScheduledJob())).id}`
const makeEndpoint = () =>
  post('/v2/endpoint/alice', {
    json: { name: `e-${randomUUID().slice(0, 8)}`, model: { repository: 'a/b' } },
  })
const endpointPath = async () =>
  `/v2/endpoint/alice/${(await read<{ name: string }>(makeEndpoint())).name}`
const endpointUrl = async () => {
  const path = await endpointPath()
  await sandbox.clock.advance('3s')
  const { status } = await read<{ status: { url: string } }>(ask(path))
  return new URL(status.url).pathname
}
const makeJob = () =>
  post('/api/jobs/alice', {
    json: { dockerImage: 'python:3', command: ['true'], flavor: 'cpu-basic' },
  })
const jobPath = async () => `/api/jobs/alice/${(await read<{ id: string }>(makeJob())).id}`

const corpus = '/api/datasets/acme/corpus'
const demo = '/api/spaces/alice/sentiment-demo'
const volumes = [{ type: 'bucket', source: 'alice/data', mountPath: '/data' }]
const makeRepo = () =>
  post('/api/repos/create', { json: { name: `tiny-${Math.random()}`, type: 'dataset' } })
async function makeStaticSpace(): Promise<string> {
  const json = { name: `page-${Math.random()}`, type: 'space', sdk: 'static' }
  return (await read<{ name: string }>(post('/api/repos/create', { json }))).name
}
const repoName = async () => (await read<{ name: string }>(makeRepo())).name
async function resolveImage(): Promise<Response> {
  const name = await repoName()
  const content = Buffer.from('89504e470d0a1a0a', 'hex').toString('base64')
  const lines = [
    { key: 'header', value: { summary: 'An image' } },
    { key: 'file', value: { path: 'x.png', content, encoding: 'base64' } },
  ]
  await post(`/api/datasets/${name}/commit/main`, {
    text: lines.map((line) => JSON.stringify(line)).join('\n'),
    headers: { 'content-type': 'application/x-ndjson' },
  })
  return ask(`/datasets/${name}/resolve/main/x.png`)
}
const repoPath = async () => `/api/datasets/${await repoName()}`
const commitLines = (revision: string, line: object) =>
  fetch(`${sandbox.url}${corpus}/commit/${revision}`, {
    method: 'POST',
    headers: { authorization: 'Bearer hf_sandbox_alice', 'content-type': 'application/x-ndjson' },
    body: `{"key":"header","value":{"summary":"one"}}\n${JSON.stringify(line)}`,
  })
/** A new dataset with a large file, and its path below /api. */
async function repoWithLargeFile(): Promise<string> {
  const name = await repoName()
  const bytes = Buffer.from(randomUUID())
  const file = { oid: createHash('sha256').update(bytes).digest('hex'), size: bytes.length }
  const { objects } = await read<LfsBatch>(
    post(`/datasets/${name}.git/info/lfs/objects/batch`, {
      json: { operation: 'upload', transfers: ['basic'], objects: [file] },
    }),
  )
  await fetch(objects[0]?.actions?.['upload']?.href ?? '', { method: 'PUT', body: bytes })
  const lfsFiles = [{ path: 'data/large.bin', algo: 'sha256', ...file }]
  const path = `/api/datasets/${name}`
  const committed = await post(`${path}/commit/main`, { json: { summary: 'Add', lfsFiles } })
  expect(committed.status).toBe(200)
  expect(await read(ask(`${path}/lfs-files`))).toHaveLength(1)
  return path
}

interface LfsBatch {
  objects: { actions?: Record<string, { href: string; header?: Record<string, string> }> }[]
}
/** Calls of Git LFS at the address of a repo, each about a content of its own. */
function lfsCalls(route: string, repo: string): Record<string, () => Promise<Response[]>> {
  const newContent = (size = 40) => Buffer.alloc(size, randomUUID())
  const describe = (bytes: Buffer) => ({
    oid: createHash('sha256').update(bytes).digest('hex'),
    size: bytes.length,
  })
  const batch = (operation: string, bytes: Buffer) =>
    post(`${repo}.git/info/lfs/objects/batch`, {
      json: { operation, transfers: ['multipart'], objects: [describe(bytes)] },
    })
  const actionOf = async (name: string, bytes: Buffer) => {
    const operation = name === 'download' ? name : 'upload'
    const { objects } = await read<LfsBatch>(batch(operation, bytes))
    const { href = '', header = {} } = objects[0]?.actions?.[name] ?? {}
    return { href: href.replace(sandbox.url, ''), header }
  }
  const put = (address: string, body: Buffer) =>
    fetch(sandbox.url + address.replace(sandbox.url, ''), {
      method: 'PUT',
      body: new Uint8Array(body),
    })
  return {
    [`POST ${route}/info/lfs/objects/batch`]: () =>
      all(batch('upload', newContent()), batch('move', newContent())),
    [`PUT ${route}/info/lfs/objects/{oid}`]: async () => {
      const bytes = newContent()
      const { href } = await actionOf('upload', bytes)
      return [await put(href, newContent()), await put(href, bytes)]
    },
    [`POST ${route}/info/lfs/objects/{oid}`]: async () => {
      const bytes = newContent(partBytes + 1)
      const { href, header } = await actionOf('upload', bytes)
      const parts = await all(
        put(header['1'] ?? '', bytes.subarray(0, partBytes)),
        put(header['2'] ?? '', bytes.subarray(partBytes)),
      )
      const { oid } = describe(bytes)
      const named = parts.map(({ headers }, index) => ({
        partNumber: index + 1,
        etag: headers.get('etag'),
      }))
      const end = (list: object[]) => post(href, { token: '', json: { oid, parts: list } })
      return [await end([]), await end(named)]
    },
    [`GET ${route}/info/lfs/objects/{oid}`]: async () => {
      const bytes = newContent()
      await put((await actionOf('upload', bytes)).href, bytes)
      const { href } = await actionOf('download', bytes)
      return all(ask(href, { token: '' }), ask(`${href}x`, { token: '' }))
    },
    [`POST ${route}/info/lfs/locks`]: async () => {
      const path = randomUUID()
      const lock = () => post(`${repo}.git/info/lfs/locks`, { json: { path } })
      return [await lock(), await lock()]
    },
    [`GET ${route}/info/lfs/locks`]: () =>
      all(ask(`${repo}.git/info/lfs/locks`), ask(`${repo}.git/info/lfs/locks?cursor=none`)),
    [`POST ${route}/info/lfs/locks/verify`]: () =>
      all(post(`${repo}.git/info/lfs/locks/verify`, { json: {} })),
    [`POST ${route}/info/lfs/locks/{id}/unlock`]: async () => {
      const locks = `${repo}.git/info/lfs/locks`
      const { lock } = await read<{ lock: { id: string } }>(
        post(locks, { json: { path: randomUUID() } }),
      )
      const unlock = () => post(`${locks}/${lock.id}/unlock`, { json: {} })
      return [await unlock(), await unlock()]
    },
    [`POST ${route}/info/lfs/objects/{oid}/verify`]: async () => {
      const bytes = newContent()
      const verify = await actionOf('verify', bytes)
      const isThere = () => post(verify.href, { token: '', json: describe(bytes) })
      const before = await isThere()
      await put((await actionOf('upload', bytes)).href, bytes)
      return [before, await isThere()]
    },
  }
}
/** Calls of the Xet storage, about a file that the hub's own client has uploaded. */
function xetCalls(): Record<string, () => Promise<Response[]>> {
  let uploading: Promise<SentByXet & { hash: string }> | undefined
  const uploaded = () => (uploading ??= upload())
  async function upload() {
    const sent = await uploadByXet(sandbox.url, Buffer.from(randomUUID()))
    const { headers } = await fetch(`${sandbox.url}/alice/chunks/resolve/main/w.bin`, {
      redirect: 'manual',
    })
    return { ...sent, hash: headers.get('x-xet-hash') ?? '' }
  }
  const none = '0'.repeat(64)
  const base = '/api/models/alice/chunks'
  const storage = '/api/xet/{storage}'
  type Uploaded = Awaited<ReturnType<typeof upload>>
  const send = (
    path: (sent: Uploaded) => string,
    {
      body,
      ...init
    }: {
      type?: string
      headers?: Record<string, string>
      body?: (sent: Uploaded) => BodyInit
    } = {},
  ) =>
    uploaded().then((sent) =>
      fetch(`${sent.casUrl}${path(sent)}`, {
        method: body === undefined ? 'GET' : 'POST',
        headers: {
          authorization: `Bearer ${sent.token}`,
          ...(init.type === undefined ? {} : { 'content-type': init.type }),
          ...init.headers,
        },
        ...(body === undefined ? {} : { body: body(sent) }),
      }),
    )
  const both = (path: (hash: string) => string) =>
    all(
      send(({ hash }) => path(hash)),
      send(() => path(none)),
    )
  const xorbOf = ({ xorbs }: SentByXet) => xorbs[0] ?? { hash: none, body: Buffer.alloc(0) }
  const nothing = () => Buffer.alloc(0)
  const batch = (hash: string) => JSON.stringify([{ prefix: 'default', hash }])
  const json = 'application/json'
  return {
    'GET /api/{types}/{namespace}/{name}/xet-read-token/{path}': async () => {
      await uploaded()
      return all(ask(`${base}/xet-read-token/main`), ask(`${base}/xet-read-token/main`, nobody))
    },
    'GET /api/{types}/{namespace}/{name}/xet-write-token/{path}': async () => {
      await uploaded()
      return all(ask(`${base}/xet-write-token/main`), ask(`${base}/xet-write-token/main`, nobody))
    },
    [`GET ${storage}/v1/reconstructions/{hash}`]: () =>
      both((hash) => `/v1/reconstructions/${hash}`),
    [`GET ${storage}/v2/reconstructions/{hash}`]: () =>
      both((hash) => `/v2/reconstructions/${hash}`),
    [`GET ${storage}/v1/reconstructions`]: () =>
      both((hash) => `/v1/reconstructions?file_id=${hash}`),
    [`GET ${storage}/v2/file-chunk-hashes/{hash}`]: () =>
      all(
        send(({ hash }) => `/v2/file-chunk-hashes/${hash}`, {
          headers: { 'x-range-dirty': 'bytes=0-0' },
        }),
        send(({ hash }) => `/v2/file-chunk-hashes/${hash}`),
      ),
    [`POST ${storage}/v1/reconstructions`]: () =>
      all(
        send(() => '/v1/reconstructions', { type: json, body: ({ hash }) => batch(hash) }),
        send(() => '/v1/reconstructions', { type: json, body: () => batch(none) }),
      ),
    // The only chunk of a file is its xorb.
    [`GET ${storage}/v1/chunks/{prefix}/{hash}`]: () =>
      all(
        send((sent) => `/v1/chunks/default/${xorbOf(sent).hash}`),
        send(() => `/v1/chunks/default/${none}`),
      ),
    [`GET ${storage}/v1/xorbs/{prefix}/{hash}`]: () =>
      all(
        send((sent) => `/v1/xorbs/default/${xorbOf(sent).hash}`),
        send(() => `/v1/xorbs/default/${none}`),
      ),
    [`GET ${storage}/v1/files/{hash}`]: () => both((hash) => `/v1/files/${hash}`),
    [`GET ${storage}/xorbs/{hash}`]: async () => {
      const found = await read<{
        fetch_info: Record<string, { url: string; url_range: { start: number; end: number } }[]>
      }>(send(({ hash }) => `/v1/reconstructions/${hash}`))
      const { url = '', url_range: part } = Object.values(found.fetch_info)[0]?.[0] ?? {}
      const headers = { range: `bytes=${part?.start}-${part?.end}` }
      return all(fetch(url, { headers }), fetch(url))
    },
    [`POST ${storage}/v1/xorbs/{prefix}/{hash}`]: () =>
      all(
        send((sent) => `/v1/xorbs/default/${xorbOf(sent).hash}`, {
          body: (sent) => Uint8Array.from(xorbOf(sent).body),
        }),
        send(() => `/v1/xorbs/default/${none}`, { body: nothing }),
      ),
    [`POST ${storage}/v1/shards`]: () =>
      all(
        send(() => '/v1/shards', { body: ({ shard }) => Uint8Array.from(shard) }),
        send(() => '/v1/shards', { body: nothing }),
      ),
    [`POST ${storage}/v2/shards`]: () =>
      all(
        send(() => '/v2/shards', { body: ({ shard }) => Uint8Array.from(shard) }),
        send(() => '/v2/shards', { body: nothing }),
      ),
  }
}
const nobody = { token: 'hf_sandbox_nobody' }

/** Calls of every route of a bucket, in an order that leaves it there until the end. */
function bucketCalls() {
  const bucket = '/api/buckets/alice/described'
  const route = '/api/buckets/{namespace}/{name}'
  const path = '/buckets/alice/described'
  const none = '/api/buckets/alice/none'
  const lines = (...operations: object[]) => ({
    text: operations.map((operation) => JSON.stringify(operation)).join('\n'),
    headers: { 'content-type': 'application/x-ndjson' },
  })
  const empty = { type: 'addFile', path: 'a.bin', xetHash: '0'.repeat(64) }
  const missing = { type: 'deleteFile', path: 'none' }
  return {
    [`POST ${route}`]: () => all(post(bucket, { json: {} }), post(bucket, { json: {} })),
    [`POST ${route}/batch`]: async () => [
      await post(`${bucket}/batch`, lines(empty, missing)),
      await post(`${bucket}/batch`, lines(missing)),
      await post(`${bucket}/batch`, lines()),
    ],
    'GET /api/buckets/{namespace}': () =>
      all(ask('/api/buckets/alice'), ask('/api/buckets/nobody')),
    [`GET ${route}`]: () => all(ask(bucket), ask(none)),
    'GET /buckets/{namespace}/{name}': () => all(browse(path), browse(`${path}-none`)),
    [`PUT ${route}/settings`]: () =>
      all(
        ask(`${bucket}/settings`, { method: 'PUT', json: { private: true } }),
        ask(`${bucket}/settings`, { method: 'PUT', json: { visibility: 'none' } }),
      ),
    [`GET ${route}/resource-group`]: async () => {
      const { id } = await read<{ id: string }>(makeGroup())
      const grouped = '/api/buckets/acme/grouped'
      await post(grouped, { json: { resourceGroupId: id } })
      return all(ask(`${grouped}/resource-group`), ask(`${bucket}/resource-group`))
    },
    [`POST ${route}/resource-group`]: () =>
      all(post(`${bucket}/resource-group`, { json: { resourceGroupId: null } })),
    [`GET ${route}/tree`]: () => all(ask(`${bucket}/tree`), ask(`${none}/tree`)),
    [`GET ${route}/tree/{path}`]: () => all(ask(`${bucket}/tree/a?recursive=false`)),
    [`POST ${route}/paths-info`]: () =>
      all(
        post(`${bucket}/paths-info`, { json: { paths: ['a.bin'] } }),
        post(`${bucket}/paths-info`, { json: {} }),
      ),
    // A stream that ends: what was so early is not known.
    [`GET ${route}/events`]: () =>
      all(ask(`${bucket}/events?since=2001-01-01`), ask(`${bucket}/events?since=yesterday`)),
    [`GET ${route}/xet-read-token`]: () =>
      all(ask(`${bucket}/xet-read-token`), ask(`${bucket}/xet-read-token`, nobody)),
    [`GET ${route}/xet-write-token`]: () =>
      all(ask(`${bucket}/xet-write-token`), ask(`${bucket}/xet-write-token`, nobody)),
    'GET /buckets/{namespace}/{name}/resolve/{path}': () =>
      all(ask(`${path}/resolve/a.bin`), ask(`${path}/resolve/none`)),
    'GET /buckets/{namespace}/{name}/contents/{oid}': async () => {
      const { headers } = await ask(`${path}/resolve/a.bin`)
      const url = headers.get('location') ?? ''
      return all(fetch(url), fetch(url.replace(/secret=[^&]*/, 'secret=none')))
    },
    [`DELETE ${route}`]: async () => [
      await ask(bucket, { method: 'DELETE' }),
      await ask(bucket, { method: 'DELETE' }),
    ],
  }
}
const all = (...answers: Promise<Response>[]) => Promise.all(answers)

const groups = '/api/organizations/acme/resource-groups'
const makeGroup = () =>
  post(groups, {
    json: { name: randomUUID(), description: 'One', users: [{ user: 'bob', role: 'read' }] },
  })
async function organizationRepo(): Promise<string> {
  const json = { name: `group-${randomUUID()}`, organization: 'acme' }
  return (await read<{ name: string }>(post('/api/repos/create', { json }))).name
}

/** For every route of the hub: calls of it, at least one of which it grants. */
const calls: Record<string, () => Promise<Response[]>> = {
  'GET /.well-known/openid-configuration': () => all(ask('/.well-known/openid-configuration')),
  'GET /.well-known/oauth-authorization-server': () =>
    all(ask('/.well-known/oauth-authorization-server')),
  'GET /.well-known/oauth-protected-resource': () =>
    all(ask('/.well-known/oauth-protected-resource')),
  'GET /.well-known/oauth-protected-resource/mcp': () =>
    all(ask('/.well-known/oauth-protected-resource/mcp')),
  'POST /mcp': () => {
    const headers = { accept: 'application/json, text/event-stream' }
    const json = { jsonrpc: '2.0', id: 1, method: 'tools/list' }
    const note = { jsonrpc: '2.0', method: 'notifications/initialized' }
    return all(
      post('/mcp', { headers, json }),
      post('/mcp', { headers, json: note }),
      post('/mcp', { headers, json: { ...json, method: 'none' } }),
      post('/mcp?login', { token: '', headers, json }),
    )
  },
  'GET /oauth/jwks': () => all(ask('/oauth/jwks')),
  'GET /oauth/authorize': () =>
    all(
      ask(authorizePath(), { user: 'carol' }),
      ask(authorizePath(), { token: '' }),
      ask('/oauth/authorize?client_id=nobody'),
    ),
  'POST /oauth/authorize': () => all(post(authorizePath(), { user: 'alice', form: {} })),
  'POST /oauth/token': () =>
    all(redeem(), exchange('carol@example.com'), post('/oauth/token', { form: {} })),
  'POST /oauth/device': () => all(startDevice(), post('/oauth/device', { form: {} })),
  'GET /oauth/device': () => all(ask('/oauth/device', { user: 'alice' }), ask('/oauth/device')),
  'POST /oauth/device/verify': async () => {
    const { user_code: code } = await read<{ user_code: string }>(startDevice())
    return all(
      post('/oauth/device/verify', { user: 'alice', form: { user_code: code } }),
      post('/oauth/device/verify', { user: 'alice', form: { user_code: 'none' } }),
    )
  },
  'GET /oauth/device/verify': async () => {
    const { typed, headers } = await typeCode()
    return all(
      ask(typed.headers.get('location') ?? '', { token: '', headers }),
      ask('/oauth/device/verify?user_code=none', { token: '', headers }),
    )
  },
  'GET /oauth/device/done': async () => {
    const { userCode, headers } = await typeCode()
    const form = { user_code: userCode, decision: 'approve' }
    const done = await post('/oauth/device/verify', { token: '', headers, form })
    return all(
      ask(done.headers.get('location') ?? '', { token: '', headers }),
      ask('/oauth/device/done', { token: '', headers }),
    )
  },
  'GET /oauth/userinfo': async () =>
    all(
      ask('/oauth/userinfo', { token: await accessToken() }),
      ask('/oauth/userinfo', { token: await fullToken() }),
      ask('/oauth/userinfo', nobody),
    ),
  'POST /oauth/userinfo': async () =>
    all(post('/oauth/userinfo', { token: await accessToken() }), post('/oauth/userinfo', nobody)),
  'POST /oauth/register': () =>
    all(
      post('/oauth/register', { token: '', json: clientMetadata }),
      post('/oauth/register', { token: '', json: { redirect_uris: 7 } }),
    ),
  'GET /login': () => all(ask('/login')),
  'POST /login': () =>
    all(
      post('/login', { token: '', form: { user: 'bob' } }),
      post('/login', { token: '', form: { user: 'nobody' } }),
    ),
  'POST /logout': () =>
    all(post('/logout', { user: 'bob', form: {} }), post('/logout', { user: 'bob', json: {} })),
  'GET /api/whoami-v2': async () =>
    all(
      ask('/api/whoami-v2'),
      ask('/api/whoami-v2', { token: await accessToken() }),
      ask('/api/whoami-v2', { token: await fullToken() }),
      ask('/api/whoami-v2', { token: await fineGrainedToken() }),
      ask('/api/whoami-v2', nobody),
    ),
  'GET /api/agent-harnesses': () => all(ask('/api/agent-harnesses')),
  'GET /api/telemetry/{path}': () => all(ask('/api/telemetry/a/b')),
  'GET /api/organizations/{name}/audit-log/export': async () => {
    await exchange('carol@example.com')
    await exchange('nobody@example.com')
    const path = '/api/organizations/acme/audit-log/export'
    return all(ask(path), ask(path, { token: 'hf_sandbox_dave' }))
  },
  'POST /api/organizations/{name}/settings/tokens/revoke': async () => {
    const made = await read<{ access_token: string }>(
      post('/_sandbox/api/tokens', { token: '', json: { user: 'carol', role: 'write' } }),
    )
    const path = '/api/organizations/acme/settings/tokens/revoke'
    return all(
      post(path, { json: { token: made.access_token } }),
      post(path, { json: {}, token: 'hf_sandbox_dave' }),
    )
  },
  'POST /api/credentials/revoke': () =>
    all(
      post('/api/credentials/revoke', { json: { credentials: ['hf_unknown'] } }),
      post('/api/credentials/revoke', { json: [] }),
    ),
  'GET /api/settings/webhooks': async () => {
    await makeWebhook()
    return all(ask('/api/settings/webhooks'), ask('/api/settings/webhooks', nobody))
  },
  'POST /api/settings/webhooks': () =>
    all(
      makeWebhook(),
      post('/api/settings/webhooks', {
        json: {
          job: jobOptions,
          watched: [
            { type: 'user', name: 'alice' },
            { type: 'dataset', name: 'acme/corpus' },
          ],
          domains: ['repo', 'discussion'],
          secret: 'hidden',
        },
      }),
      post('/api/settings/webhooks', { json: { url: 'ftp://x' } }),
    ),
  'GET /api/settings/webhooks/{id}': async () =>
    all(ask(await webhookPath()), ask('/api/settings/webhooks/x')),
  'POST /api/settings/webhooks/{id}': async () =>
    all(post(await webhookPath(), { json: { domains: ['repo'] } })),
  'DELETE /api/settings/webhooks/{id}': async () =>
    all(ask(await webhookPath(), { method: 'DELETE' })),
  'POST /api/settings/webhooks/{id}/enable': async () => all(post(`${await webhookPath()}/enable`)),
  'POST /api/settings/webhooks/{id}/disable': async () =>
    all(post(`${await webhookPath()}/disable`)),
  'POST /api/settings/webhooks/{id}/replay/{logId}': async () => {
    const path = await webhookPath()
    const { deliveries } = await sandbox.trigger({ event: 'repo.content', repo: 'acme/corpus' })
    await sandbox.idle()
    const log = deliveries.find(({ webhookId }) => path.endsWith(webhookId))?.id
    return all(post(`${path}/replay/${log}`), post(`${path}/replay/nothing`))
  },
  'GET /api/jobs/hardware': () => all(ask('/api/jobs/hardware')),
  'POST /api/jobs/{namespace}': () =>
    all(
      makeJob(),
      post('/api/jobs/acme', { json: jobOptions }),
      post('/api/jobs/alice', { json: {} }),
    ),
  'GET /api/jobs/{namespace}': async () => {
    await makeJob()
    return all(ask('/api/jobs/alice'), ask('/api/jobs/alice', nobody))
  },
  'GET /api/jobs/{namespace}/count': () =>
    all(ask('/api/jobs/alice/count'), ask('/api/jobs/alice/count', nobody)),
  'GET /api/jobs/{namespace}/{id}': async () => all(ask(await jobPath()), ask('/api/jobs/alice/x')),
  'POST /api/jobs/{namespace}/{id}/cancel': async () => all(post(`${await jobPath()}/cancel`)),
  'POST /api/jobs/{namespace}/{id}/duplicate': async () =>
    all(post(`${await jobPath()}/duplicate`)),
  'PUT /api/jobs/{namespace}/{id}/labels': async () =>
    all(ask(`${await jobPath()}/labels`, { method: 'PUT', json: { labels: { a: 'b' } } })),
  'GET /api/jobs/{namespace}/{id}/events': async () => all(ask(`${await jobPath()}/events`)),
  'GET /api/jobs/{namespace}/{id}/metrics': async () => {
    // A recorded job is over at once.
    const running = await startSandbox({
      runJobs: { '*': `"${process.execPath}" -e "setTimeout(() => {}, 60000)"` },
    })
    try {
      const headers = { authorization: 'Bearer hf_sandbox_alice' }
      const made = await fetch(`${running.url}/api/jobs/alice`, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json' },
        body: JSON.stringify(jobOptions),
      })
      const { id } = (await made.json()) as { id: string }
      const granted = fetch(`${running.url}/api/jobs/alice/${id}/metrics`, { headers })
      return await all(granted, ask(`${await jobPath()}/metrics`))
    } finally {
      await running.close()
    }
  },
  'GET /api/jobs/{namespace}/{id}/logs': async () => all(ask(`${await jobPath()}/logs`)),
  'GET /api/spaces/semantic-search': () => all(ask('/api/spaces/semantic-search?q=demo')),
  'GET /api/spaces/zero-gpu/quota': () =>
    all(ask('/api/spaces/zero-gpu/quota'), ask('/api/spaces/zero-gpu/quota', nobody)),
  'GET /api/spaces/{namespace}/{name}/logs/{kind}': async () => {
    await post('/api/repos/create', {
      json: { type: 'space', name: 'logged', sdk: 'docker' },
    })
    return all(
      ask('/api/spaces/alice/logged/logs/build'),
      ask('/api/spaces/alice/logged/logs/other'),
    )
  },
  'GET /api/scheduled-jobs/{namespace}': async () => {
    await makeScheduledJob()
    return all(ask('/api/scheduled-jobs/alice'), ask('/api/scheduled-jobs/alice', nobody))
  },
  'POST /api/scheduled-jobs/{namespace}': () =>
    all(makeScheduledJob(), post('/api/scheduled-jobs/alice', { json: {} })),
  'GET /api/scheduled-jobs/{namespace}/{id}': async () =>
    all(ask(await scheduledJobPath()), ask('/api/scheduled-jobs/alice/none')),
  'DELETE /api/scheduled-jobs/{namespace}/{id}': async () =>
    all(ask(await scheduledJobPath(), { method: 'DELETE' })),
  'POST /api/scheduled-jobs/{namespace}/{id}/suspend': async () =>
    all(post(`${await scheduledJobPath()}/suspend`)),
  'POST /api/scheduled-jobs/{namespace}/{id}/resume': async () =>
    all(post(`${await scheduledJobPath()}/resume`)),
  'POST /api/scheduled-jobs/{namespace}/{id}/run': async () =>
    all(post(`${await scheduledJobPath()}/run`)),
  'POST /api/scheduled-jobs/{namespace}/{id}/schedule': async () =>
    all(post(`${await scheduledJobPath()}/schedule`, { json: { schedule: '@daily' } })),
  'PUT /api/scheduled-jobs/{namespace}/{id}/labels': async () =>
    all(ask(`${await scheduledJobPath()}/labels`, { method: 'PUT', json: { labels: { a: 'b' } } })),
  'GET /v2/endpoint/{namespace}': async () => {
    await makeEndpoint()
    return all(ask('/v2/endpoint/alice'), ask('/v2/endpoint/alice', nobody))
  },
  'POST /v2/endpoint/{namespace}': () =>
    all(makeEndpoint(), post('/v2/endpoint/alice', { json: {} })),
  'GET /v2/endpoint/{namespace}/{name}': async () =>
    all(ask(await endpointPath()), ask('/v2/endpoint/alice/none')),
  'PUT /v2/endpoint/{namespace}/{name}': async () =>
    all(ask(await endpointPath(), { method: 'PUT', json: { type: 'public' } })),
  'DELETE /v2/endpoint/{namespace}/{name}': async () =>
    all(ask(await endpointPath(), { method: 'DELETE' })),
  'POST /v2/endpoint/{namespace}/{name}/pause': async () =>
    all(post(`${await endpointPath()}/pause`)),
  'POST /v2/endpoint/{namespace}/{name}/resume': async () => {
    const path = await endpointPath()
    await post(`${path}/pause`)
    return all(post(`${path}/resume`), post(`${path}/resume`))
  },
  'POST /v2/endpoint/{namespace}/{name}/scale-to-zero': async () =>
    all(post(`${await endpointPath()}/scale-to-zero`)),
  'GET /inference-endpoints/{id}/health': async () => {
    const url = await endpointUrl()
    return all(ask(`${url}/health`), ask('/inference-endpoints/none/health'))
  },
  'POST /inference-endpoints/{id}/v1/chat/completions': async () =>
    all(post(`${await endpointUrl()}/v1/chat/completions`, { json: chat })),
  'POST /inference-endpoints/{id}/v1/embeddings': async () =>
    all(post(`${await endpointUrl()}/v1/embeddings`, { json: { model: 'a/b', input: 'a' } })),
  'GET /v1/models': () => all(ask('/v1/models')),
  'POST /v1/chat/completions': () =>
    all(
      post('/v1/chat/completions', { json: chat }),
      post('/v1/chat/completions', { json: {} }),
      post('/v1/chat/completions', { json: chat, ...nobody }),
    ),
  'POST /v1/embeddings': () =>
    all(
      post('/v1/embeddings', { json: { model: 'a/b', input: ['a', 'b'] } }),
      post('/v1/embeddings', { json: { model: 'a/b', input: 'a', encoding_format: 'base64' } }),
    ),
  'POST /hf-inference/models/{namespace}/{name}/v1/chat/completions': () =>
    all(post('/hf-inference/models/a/b/v1/chat/completions', { json: chat })),
  'POST /hf-inference/models/{namespace}/{name}/pipeline/feature-extraction': () =>
    all(
      post('/hf-inference/models/a/b/pipeline/feature-extraction', { json: { inputs: 'a' } }),
      post('/hf-inference/models/a/b/pipeline/feature-extraction', { json: { inputs: ['a'] } }),
    ),
  'GET /api/{types}/{namespace}/{name}/tree/{path}': async () =>
    all(
      ask(`${corpus}/tree/main?recursive=true&expand=true`),
      ask(`${await repoWithLargeFile()}/tree/main?recursive=true&expand=true`),
      ask(`${corpus}/tree/none`),
    ),
  'POST /api/{types}/{namespace}/{name}/paths-info/{path}': async () =>
    all(
      post(`${await repoWithLargeFile()}/paths-info/main`, {
        json: { paths: ['data', 'data/large.bin'], expand: true },
      }),
      post(`${corpus}/paths-info/main`, { json: { paths: ['README.md'] } }),
      post(`${corpus}/paths-info/main`, { form: { paths: 'README.md', expand: 'True' } }),
      post(`${corpus}/paths-info/main`, { json: {} }),
    ),
  'GET /api/{types}/{namespace}/{name}/user-access-request/{status}': async () => {
    const path = await gatedRepo()
    const list = `/api/models${path}/user-access-request/pending`
    return all(ask(list), ask(list.replace('pending', 'lost')))
  },
  'POST /api/{types}/{namespace}/{name}/user-access-request/handle': async () => {
    const path = `/api/models${await gatedRepo()}/user-access-request/handle`
    const json = { user: 'dave', status: 'rejected', rejectionReason: 'No' }
    return all(post(path, { json }), post(path, { json }))
  },
  'POST /api/{types}/{namespace}/{name}/user-access-request/batch': async () => {
    const path = `/api/models${await gatedRepo()}/user-access-request/batch`
    const json = { status: 'accepted', requests: [{ user: 'dave' }, { user: 'carol' }] }
    return all(post(path, { json }), post(path, { json: {} }))
  },
  'POST /api/{types}/{namespace}/{name}/user-access-request/grant': async () => {
    const path = `/api/models${await gatedRepo()}/user-access-request/grant`
    return all(post(path, { json: { user: 'carol' } }), post(path, { json: {} }))
  },
  'POST /api/{types}/{namespace}/{name}/user-access-request/cancel': async () => {
    const path = `/api/models${await gatedRepo()}/user-access-request/cancel`
    return all(post(path, { token: 'hf_sandbox_dave' }), post(path, { token: 'hf_sandbox_dave' }))
  },
  'POST /{namespace}/{name}/ask-access': async () =>
    all(post(`${await gatedRepo()}/ask-access`, { token: 'hf_sandbox_carol', json: {} })),
  'POST /{types}/{namespace}/{name}/ask-access': async () => {
    const path = `${await gatedRepo('dataset')}/ask-access`
    return all(post(path, { token: 'hf_sandbox_carol', json: {} }))
  },
  'GET /{namespace}/{name}/user-access-report': async () =>
    all(ask(`${await gatedRepo()}/user-access-report`)),
  'GET /{types}/{namespace}/{name}/user-access-report': async () =>
    all(ask(`${await gatedRepo('dataset')}/user-access-report`)),
  'POST /api/{types}/{namespace}/{name}/discussions/{num}/comment/{commentId}/reaction':
    async () => {
      const path = `${await commentPath()}/reaction`
      return all(post(path, { json: { reaction: '👍' } }), post(path, { json: { reaction: 'x' } }))
    },
  'DELETE /api/{types}/{namespace}/{name}/discussions/{num}/comment/{commentId}/reaction':
    async () => {
      const path = `${await commentPath()}/reaction`
      return all(ask(path, { method: 'DELETE', json: { reaction: '👍' } }))
    },
  'DELETE /api/{types}/{namespace}/{name}/discussions/{num}/ref': async () => {
    const path = await discussionPath({ pullRequest: true })
    await post(`${path}/status`, { json: { status: 'closed' } })
    return all(
      ask(`${path}/ref`, { method: 'DELETE' }),
      ask(`${await discussionPath()}/ref`, { method: 'DELETE' }),
    )
  },
  'GET /api/{types}/{namespace}/{name}/discussions/{num}/storage': async () => {
    const path = await discussionPath({ pullRequest: true })
    return all(ask(`${path}/storage`), ask(`${await discussionPath()}/storage`))
  },
  'POST /api/{types}/{namespace}/{name}/like': () =>
    all(post(`${corpus}/like`), post(`${corpus}/like`, { token: '' })),
  'DELETE /api/{types}/{namespace}/{name}/like': () =>
    all(ask(`${corpus}/like`, { method: 'DELETE' })),
  'GET /api/{types}/{namespace}/{name}/likers': async () => {
    await post(`${corpus}/like`)
    return all(ask(`${corpus}/likers`), ask(`${corpus}/likers?limit=0`))
  },
  'GET /api/users/{username}/likes': async () => {
    await post(`${corpus}/like`)
    return all(ask('/api/users/alice/likes'), ask('/api/users/nobody/likes'))
  },
  'GET /api/users/{username}/overview': () =>
    all(
      ask('/api/users/alice/overview'),
      ask('/api/users/alice/overview', { token: '' }),
      ask('/api/users/nobody/overview'),
    ),
  'GET /api/users/{username}/followers': async () => {
    await post('/api/users/bob/follow')
    return all(ask('/api/users/bob/followers'), ask('/api/users/bob/followers', { token: '' }))
  },
  'GET /api/users/{username}/following': async () => {
    await post('/api/users/bob/follow')
    return all(ask('/api/users/alice/following'), ask('/api/users/nobody/following'))
  },
  'POST /api/users/{username}/follow': () =>
    all(post('/api/users/bob/follow'), post('/api/users/alice/follow')),
  'DELETE /api/users/{username}/follow': () =>
    all(ask('/api/users/bob/follow', { method: 'DELETE' })),
  'GET /api/users/{username}/avatar': () =>
    all(ask('/api/users/bob/avatar'), ask('/api/users/bob/avatar?redirect=true')),
  'GET /api/organizations/{name}/overview': () =>
    all(ask('/api/organizations/acme/overview'), ask('/api/organizations/none/overview')),
  'GET /api/organizations/{name}/followers': async () => {
    await post('/api/organizations/acme/follow')
    return all(ask('/api/organizations/acme/followers'))
  },
  'POST /api/organizations/{name}/follow': () =>
    all(post('/api/organizations/acme/follow'), post('/api/organizations/none/follow')),
  'DELETE /api/organizations/{name}/follow': () =>
    all(ask('/api/organizations/acme/follow', { method: 'DELETE' })),
  'GET /api/organizations/{name}/members': () =>
    all(
      ask('/api/organizations/acme/members'),
      ask('/api/organizations/acme/members?email=bob@example.com'),
      ask('/api/organizations/acme/members', { token: '' }),
    ),
  'GET /api/organizations/{name}/avatar': () =>
    all(ask('/api/organizations/acme/avatar'), ask('/api/organizations/none/avatar')),
  'GET /api/avatars/{namespace}': () =>
    all(ask('/api/avatars/acme'), ask('/api/avatars/alice'), ask('/api/avatars/nobody')),
  'PUT /api/organizations/{name}/members/{username}/role': () => {
    const path = '/api/organizations/acme/members/bob/role'
    return all(
      ask(path, { method: 'PUT', json: { role: 'write' } }),
      ask(path, { method: 'PUT', json: { role: 'king' } }),
    )
  },
  'GET /api/organizations/{name}/resource-groups': async () => {
    await makeGroup()
    return all(ask(groups), ask(groups, { token: 'hf_sandbox_dave' }))
  },
  'POST /api/organizations/{name}/resource-groups': async () =>
    all(makeGroup(), post(groups, { json: {} })),
  'POST /api/organizations/{name}/resource-groups/{id}/users': async () => {
    const { id } = await read<{ id: string }>(makeGroup())
    const json = { users: [{ user: 'carol', role: 'write' }] }
    return all(post(`${groups}/${id}/users`, { json }), post(`${groups}/none/users`, { json }))
  },
  'GET /api/{types}/{namespace}/{name}/resource-group': async () => {
    const { id } = await read<{ id: string }>(makeGroup())
    const path = `/api/models/${await organizationRepo()}/resource-group`
    await post(path, { json: { resourceGroupId: id } })
    return all(ask(path), ask(`${corpus}/resource-group`))
  },
  'POST /api/{types}/{namespace}/{name}/resource-group': async () => {
    const { id } = await read<{ id: string }>(makeGroup())
    const path = `/api/models/${await organizationRepo()}/resource-group`
    return all(
      post(path, { json: { resourceGroupId: id } }),
      post(path, { json: { resourceGroupId: null } }),
      post(path, { json: { resourceGroupId: '0'.repeat(24) } }),
    )
  },
  'GET /api/collections': async () => {
    await collectionPath()
    return all(ask('/api/collections?owner=alice'), ask('/api/collections?limit=0'))
  },
  'POST /api/collections': async () => {
    const json = { title: 'One', namespace: 'alice', item: { type: 'dataset', id: 'acme/corpus' } }
    return all(post('/api/collections', { json }), post('/api/collections', { json }))
  },
  'GET /api/collections/{namespace}/{slug}': async () =>
    all(ask(await collectionPath()), ask('/api/collections/alice/none')),
  'PATCH /api/collections/{namespace}/{slug}': async () => {
    const path = await collectionPath()
    return all(
      ask(path, { method: 'PATCH', json: { theme: 'blue' } }),
      ask(path, { method: 'PATCH', json: { theme: 'black' } }),
    )
  },
  'DELETE /api/collections/{namespace}/{slug}': async () =>
    all(ask(await collectionPath(), { method: 'DELETE' })),
  'POST /api/collections/{namespace}/{slug}/items': async () => {
    const path = `${await collectionPath()}/items`
    return all(
      post(path, { json: { item: { type: 'paper', id: '2307.09288' }, note: 'Read it' } }),
      post(path, { json: { item: { type: 'model', id: 'acme/none' } } }),
    )
  },
  'POST /api/collections/{namespace}/{slug}/items/batch': async () => {
    const { slug, items } = await makeCollection()
    const path = `/api/collections/${slug}/items/batch`
    const json = items.map(({ _id }) => ({ action: 'update', _id, data: { note: 'First' } }))
    return all(post(path, { json }), post(path, { json: {} }))
  },
  'POST /api/collections/{namespace}/{slug}/resource-group': async () => {
    const path = `${await collectionPath()}/resource-group`
    return all(post(path, { json: { resourceGroupId: null } }), post(path, { json: {} }))
  },
  'POST /api/collections/{namespace}/{slug}/upvote': async () =>
    all(post(`${await collectionPath()}/upvote`), post('/api/collections/alice/none/upvote')),
  'DELETE /api/collections/{namespace}/{slug}/upvote': async () =>
    all(ask(`${await collectionPath()}/upvote`, { method: 'DELETE' })),
  'PATCH /api/collections/{namespace}/{slug}/items/{itemId}': async () =>
    all(ask(await itemPath(), { method: 'PATCH', json: { note: 'First' } })),
  'DELETE /api/collections/{namespace}/{slug}/items/{itemId}': async () =>
    all(ask(await itemPath(), { method: 'DELETE' })),
  'GET /api/{types}/{namespace}/{name}/discussions': async () => {
    await discussionPath()
    return all(ask(`${corpus}/discussions`), ask(`${corpus}/discussions?p=x`))
  },
  'POST /api/{types}/{namespace}/{name}/discussions': () =>
    all(
      post(`${corpus}/discussions`, { json: { title: 'A question', description: '' } }),
      post(`${corpus}/discussions`, { json: { title: 'x' } }),
    ),
  'GET /api/{types}/{namespace}/{name}/discussions/{num}': async () => {
    const path = await discussionPath({ pullRequest: true })
    await post(`${path}/comment`, { json: { comment: 'Why?' } })
    await post(`${path}/title`, { json: { title: 'A better title' } })
    await post(`${path}/status`, { json: { status: 'open' } })
    return all(ask(`${path}?diff=1`), ask(await discussionPath()), ask(`${corpus}/discussions/0`))
  },
  'DELETE /api/{types}/{namespace}/{name}/discussions/{num}': async () =>
    all(ask(await discussionPath(), { method: 'DELETE' })),
  'POST /api/{types}/{namespace}/{name}/discussions/{num}/comment': async () => {
    const path = `${await discussionPath()}/comment`
    return all(post(path, { json: { comment: 'Why?' } }), post(path, { json: {} }))
  },
  'POST /api/{types}/{namespace}/{name}/discussions/{num}/comment/{commentId}/edit': async () => {
    const path = `${await commentPath()}/edit`
    return all(post(path, { json: { content: 'Because' } }), post(path, { json: {} }))
  },
  'POST /api/{types}/{namespace}/{name}/discussions/{num}/comment/{commentId}/hide': async () =>
    all(post(`${await commentPath()}/hide`)),
  'POST /api/{types}/{namespace}/{name}/discussions/{num}/title': async () => {
    const path = `${await discussionPath()}/title`
    const json = { title: 'A better title' }
    return all(post(path, { json }), post(path, { json }))
  },
  'POST /api/{types}/{namespace}/{name}/discussions/{num}/status': async () => {
    const path = `${await discussionPath()}/status`
    const json = { status: 'closed' }
    return all(post(path, { json }), post(path, { json }))
  },
  'POST /api/{types}/{namespace}/{name}/discussions/{num}/pin': async () =>
    all(post(`${await discussionPath()}/pin`, { json: { pinned: true } })),
  'POST /api/{types}/{namespace}/{name}/discussions/{num}/merge': async () => {
    const made = await read<{ pullRequestUrl: string }>(
      post(`${corpus}/commit/main?create_pr=1`, {
        headers: { 'content-type': 'application/x-ndjson' },
        text: [
          { key: 'header', value: { summary: 'Add a file' } },
          { key: 'file', value: { path: 'proposed.txt', content: 'text' } },
        ]
          .map((line) => JSON.stringify(line))
          .join('\n'),
      }),
    )
    const path = `${corpus}/discussions/${made.pullRequestUrl.split('/').at(-1)}/merge`
    return all(post(path, { json: {} }), post(path, { json: {} }))
  },
  'GET /api/{types}/{namespace}/{name}/refs': () =>
    all(ask(`${corpus}/refs?include_prs=1`), ask('/api/models/acme/none/refs')),
  'GET /api/{types}/{namespace}/{name}/commits/{path}': () =>
    all(ask(`${corpus}/commits/main?expand[]=formatted`), ask(`${corpus}/commits/none`)),
  'POST /api/{types}/{namespace}/{name}/branch/{path}': () =>
    all(
      post(`${corpus}/branch/${randomUUID()}`, { json: {} }),
      post(`${corpus}/branch/main`, { json: {} }),
    ),
  'DELETE /api/{types}/{namespace}/{name}/branch/{path}': async () => {
    await post(`${corpus}/branch/gone`, { json: {} })
    return all(ask(`${corpus}/branch/gone`, { method: 'DELETE' }))
  },
  'POST /api/{types}/{namespace}/{name}/tag/{path}': () =>
    all(post(`${corpus}/tag/main`, { json: { tag: randomUUID() } }), post(`${corpus}/tag/main`)),
  'DELETE /api/{types}/{namespace}/{name}/tag/{path}': async () => {
    await post(`${corpus}/tag/main`, { json: { tag: 'gone' } })
    return all(ask(`${corpus}/tag/gone`, { method: 'DELETE' }))
  },
  'POST /api/{types}/{namespace}/{name}/super-squash/{path}': async () => {
    await post(`${corpus}/branch/squashed`, { json: {} })
    return all(post(`${corpus}/super-squash/squashed`, { json: {} }))
  },
  'POST /api/validate-yaml': () =>
    all(
      post('/api/validate-yaml', { json: { content: 'no metadata' } }),
      post('/api/validate-yaml', { json: { content: '---\na: [\n---\n' } }),
    ),
  'POST /api/{types}/{namespace}/{name}/preupload/{path}': async () =>
    all(
      post(`${await repoWithLargeFile()}/preupload/main`, {
        json: { files: [{ path: 'data/large.bin', size: 36, sample: 'YQ==' }] },
      }),
      post(`${corpus}/preupload/main`, {
        json: { files: [{ path: 'README.md', size: 1, sample: 'YQ==' }] },
      }),
      post(`${corpus}/preupload/none`, { json: { files: [] } }),
    ),
  'POST /api/{types}/{namespace}/{name}/commit/{path}': () =>
    all(
      commitLines('main', { key: 'file', value: { path: 'x', content: 'x' } }),
      commitLines('main?create_pr=1', { key: 'file', value: { path: 'y', content: 'y' } }),
      commitLines('main', { key: 'unknown', value: {} }),
    ),
  ...xetCalls(),
  ...bucketCalls(),
  'GET /api/{types}/{namespace}/{name}/lfs-files': async () =>
    all(ask(`${await repoWithLargeFile()}/lfs-files`), ask(`${corpus}/lfs-files`, nobody)),
  'POST /api/{types}/{namespace}/{name}/lfs-files/batch': () =>
    all(
      post(`${corpus}/lfs-files/batch`, { json: { deletions: { sha: ['x'] } } }),
      post(`${corpus}/lfs-files/batch`, { json: {} }),
    ),
  'POST /api/{types}/{namespace}/{name}/lfs-files/duplicate': () =>
    all(
      post(`${corpus}/lfs-files/duplicate`, {
        json: { target: { type: 'model', name: 'alice/tiny-sentiment' }, files: [{ sha256: 'x' }] },
      }),
    ),
  ...lfsCalls('/{namespace}/{name}', '/alice/tiny-sentiment'),
  ...lfsCalls('/{types}/{namespace}/{name}', '/datasets/acme/corpus'),
  'GET /{namespace}/{name}/resolve/{path}': () =>
    all(
      ask('/alice/tiny-sentiment/resolve/main/README.md', { headers: { range: 'bytes=0-0' } }),
      ask('/alice/tiny-sentiment/resolve/main/none'),
    ),
  'GET /{namespace}/{name}/raw/{path}': () => all(ask('/alice/tiny-sentiment/raw/main/README.md')),
  'GET /{types}/{namespace}/{name}/resolve/{path}': () =>
    all(ask('/datasets/acme/corpus/resolve/main/README.md'), resolveImage()),
  'GET /{types}/{namespace}/{name}/raw/{path}': () =>
    all(ask('/datasets/acme/corpus/raw/main/README.md')),
  'GET /api/resolve-cache/{types}/{namespace}/{name}/{path}': async () => {
    const path = '/datasets/acme/corpus/resolve/main/README.md'
    const cached = (await ask(path)).headers.get('location') ?? ''
    return all(
      ask(cached),
      ask(cached, { headers: { range: 'bytes=0-0' } }),
      resolveImage().then(async ({ headers }) => ask(headers.get('location') ?? '')),
      ask('/api/resolve-cache/datasets/acme/corpus/main/README.md'),
    )
  },
  'GET /{namespace}/{name}/info/refs': () =>
    all(
      ask(`/alice/tiny-sentiment/info/refs?service=git-upload-pack`),
      ask('/alice/tiny-sentiment/info/refs'),
    ),
  'GET /{types}/{namespace}/{name}/info/refs': () =>
    all(
      ask('/datasets/acme/corpus.git/info/refs?service=git-upload-pack'),
      ask('/datasets/acme/none.git/info/refs?service=git-upload-pack'),
    ),
  'POST /{namespace}/{name}/git-upload-pack': () =>
    all(
      post('/alice/tiny-sentiment/git-upload-pack', fetchRequest('0000')),
      post('/alice/tiny-sentiment/git-upload-pack', fetchRequest('what')),
    ),
  'POST /{types}/{namespace}/{name}/git-upload-pack': () =>
    all(post('/datasets/acme/corpus/git-upload-pack', fetchRequest('0000'))),
  'POST /{namespace}/{name}/git-receive-pack': () =>
    all(
      post('/alice/tiny-sentiment/git-receive-pack', pushRequest('0000')),
      post('/alice/tiny-sentiment/git-receive-pack', pushRequest('what')),
    ),
  'POST /{types}/{namespace}/{name}/git-receive-pack': () =>
    all(post('/datasets/acme/corpus/git-receive-pack', pushRequest('0000'))),
  'POST /api/repos/create': () =>
    all(
      makeRepo(),
      post('/api/repos/create', {
        json: { name: 'corpus', organization: 'acme', type: 'dataset' },
      }),
      post('/api/repos/create', { json: { name: '..' } }),
    ),
  'DELETE /api/repos/delete': async () => {
    const [, name] = (await repoName()).split('/')
    const json = { name, type: 'dataset' }
    return all(ask('/api/repos/delete', { method: 'DELETE', json }))
  },
  'POST /api/repos/move': async () => {
    const fromRepo = await repoName()
    const json = { fromRepo, toRepo: `${fromRepo}-moved`, type: 'dataset' }
    return all(post('/api/repos/move', { json }))
  },
  'GET /api/{types}': () =>
    all(ask('/api/models?full=true'), ask('/api/spaces'), ask('/api/datasets?expand=nothing')),
  'GET /api/{types}/{namespace}/{name}': async () =>
    all(
      ask('/api/models/alice/tiny-sentiment?blobs=true'),
      ask('/api/spaces/alice/sentiment-demo'),
      ask('/api/datasets/alice/nothing'),
    ),
  'GET /api/{types}/{namespace}/{name}/revision/{path}': async () =>
    all(ask(`${await repoPath()}/revision/main`), ask(`${await repoPath()}/revision/none`)),
  'PUT /api/{types}/{namespace}/{name}/settings': async () =>
    all(
      ask(`${await repoPath()}/settings`, { method: 'PUT', json: { gated: 'auto' } }),
      ask(`${await repoPath()}/settings`, {
        method: 'PUT',
        json: { private: true, gated: false, discussionsDisabled: true },
      }),
      ask(`/api/spaces/${await makeStaticSpace()}/settings`, {
        method: 'PUT',
        json: { visibility: 'protected' },
      }),
    ),
  'POST /api/{types}/{namespace}/{name}/duplicate': async () => {
    const name = await repoName()
    return all(
      post(`/api/datasets/${name}/duplicate`, { json: { repository: `${name}-copy` } }),
      post(`${demo}/duplicate`, { json: { repository: 'alice/demo-copy' } }),
    )
  },
  'GET /api/{types}/{namespace}/{name}/auth-check': async () =>
    all(ask(`${await repoPath()}/auth-check`)),
  'GET /api/{types}/{namespace}/{name}/auth-check/write': async () =>
    all(ask(`${await repoPath()}/auth-check/write`)),
  'GET /api/spaces/hardware': () => all(ask('/api/spaces/hardware')),
  'GET /api/spaces/templates': () => all(ask('/api/spaces/templates')),
  'GET /api/spaces/{namespace}/{name}/runtime': async () =>
    all(
      ask(`${demo}/runtime`),
      ask(`/api/spaces/${await makeStaticSpace()}/runtime`),
      ask('/api/spaces/alice/none/runtime'),
    ),
  'POST /api/spaces/{namespace}/{name}/hardware': () =>
    all(
      post(`${demo}/hardware`, { json: { flavor: 't4-small' } }),
      post(`${demo}/hardware`, { json: { flavor: 'none' } }),
    ),
  'POST /api/spaces/{namespace}/{name}/sleeptime': () =>
    all(post(`${demo}/sleeptime`, { json: { seconds: 60 } }), post(`${demo}/sleeptime`, nobody)),
  'POST /api/spaces/{namespace}/{name}/pause': () =>
    all(post(`${demo}/pause`), post(`${demo}/pause`, nobody)),
  'POST /api/spaces/{namespace}/{name}/restart': () => all(post(`${demo}/restart?factory=true`)),
  'POST /api/spaces/{namespace}/{name}/dev-mode': () =>
    all(post(`${demo}/dev-mode`, { json: { enabled: true } })),
  'POST /api/spaces/{namespace}/{name}/storage': () =>
    all(post(`${demo}/storage`, { json: { tier: 'small' } })),
  'DELETE /api/spaces/{namespace}/{name}/storage': async () => {
    await post(`${demo}/storage`, { json: { tier: 'small' } })
    return all(
      ask(`${demo}/storage`, { method: 'DELETE' }),
      ask(`${demo}/storage`, { method: 'DELETE' }),
    )
  },
  'PUT /api/spaces/{namespace}/{name}/volumes': () =>
    all(ask(`${demo}/volumes`, { method: 'PUT', json: { volumes } })),
  'DELETE /api/spaces/{namespace}/{name}/volumes': async () => {
    await ask(`${demo}/volumes`, { method: 'PUT', json: { volumes } })
    return all(
      ask(`${demo}/volumes`, { method: 'DELETE' }),
      ask(`${demo}/volumes`, { method: 'DELETE' }),
    )
  },
  'GET /api/spaces/{namespace}/{name}/variables': async () => {
    await post(`${demo}/variables`, { json: { key: 'A', value: '1', description: 'One' } })
    return all(ask(`${demo}/variables`), ask(`${demo}/variables`, nobody))
  },
  'POST /api/spaces/{namespace}/{name}/variables': () =>
    all(
      post(`${demo}/variables`, { json: { key: 'B', value: '2' } }),
      post(`${demo}/variables`, { json: { key: 'no name', value: '' } }),
    ),
  'DELETE /api/spaces/{namespace}/{name}/variables': () =>
    all(ask(`${demo}/variables`, { method: 'DELETE', json: { key: 'B' } })),
  'GET /api/spaces/{namespace}/{name}/secrets': async () => {
    await post(`${demo}/secrets`, { json: { key: 'A', value: '1', description: 'One' } })
    return all(ask(`${demo}/secrets`), ask(`${demo}/secrets`, nobody))
  },
  'POST /api/spaces/{namespace}/{name}/secrets': () =>
    all(
      post(`${demo}/secrets`, { json: { key: 'B', value: '2' } }),
      post(`${demo}/secrets`, { json: { key: 'B' } }),
    ),
  'DELETE /api/spaces/{namespace}/{name}/secrets': () =>
    all(ask(`${demo}/secrets`, { method: 'DELETE', json: { key: 'B' } })),
  'GET /api/settings/repositories': () =>
    all(ask('/api/settings/repositories'), ask('/api/settings/repositories', nobody)),
  'GET /api/organizations/{name}/settings/repositories': () =>
    all(ask('/api/organizations/acme/settings/repositories')),
  'GET /api/models-tags-by-type': () => all(ask('/api/models-tags-by-type')),
  'GET /api/datasets-tags-by-type': () => all(ask('/api/datasets-tags-by-type')),
  'GET /avatars/{name}.svg': () => all(ask('/avatars/alice.svg')),
  'GET /': () => all(ask('/')),
  'GET /{name}': () =>
    all(
      browse('/alice'),
      browse('/acme'),
      browse('/nobody'),
      ask('/alice'),
      browse(`/${endless}`),
      browse('/%zz'),
      browse('//alice'),
    ),
  'GET /{namespace}/{name}': () =>
    all(
      browse('/alice/tiny-sentiment'),
      browse('/alice/none'),
      ask('/alice/tiny-sentiment'),
      browse(`/alice/${endless}`),
    ),
  'GET /datasets/{namespace}/{name}': () => all(browse('/datasets/acme/corpus')),
  'GET /spaces/{namespace}/{name}': () => all(browse('/spaces/alice/sentiment-demo')),
  'GET /settings/applications': () => all(ask('/settings/applications')),
  'GET /settings/applications/new': () => all(ask('/settings/applications/new')),
  'GET /settings/connected-applications': () => all(ask('/settings/connected-applications')),
  'GET /settings/tokens': () => all(ask('/settings/tokens')),
  'GET /settings/webhooks': () => all(ask('/settings/webhooks')),
  'GET /settings/webhooks/{id}/activity': () => all(ask('/settings/webhooks/x/activity')),
  'GET /organizations/{name}/settings/audit-log': () =>
    all(ask('/organizations/acme/settings/audit-log')),
}

/** Returns differences of a response from the OpenAPI document; empty = as described. */
async function deviations(operation: string, answer: Response): Promise<unknown[]> {
  const [method = '', path = ''] = operation.split(' ')
  const { responses = {} } = document.paths[path]?.[method.toLowerCase()] ?? {}
  const description = responses[answer.status] ?? responses['default']
  if (description === undefined) return [{ undescribedStatus: answer.status }]
  const text = await answer.text()
  if (description.content === undefined) return text === '' ? [] : [{ undescribedBody: text }]
  const [type = ''] = (answer.headers.get('content-type') ?? '').split(';')
  const media = description.content[type] ?? description.content['*/*']
  if (media === undefined) return [{ undescribedType: type }]
  const body: unknown = /\bjson$/.test(type) ? JSON.parse(text) : text
  const validate = ajv.compile(media.schema)
  return validate(body) ? [] : [{ body, errors: validate.errors }]
}

/** Deviations of a response from what the hub's own document says of it, where it says anything. */
async function deviationsFromHub(operation: string, answer: Response): Promise<unknown[]> {
  const schema = hubDocument[answer.ok ? operation : `${operation} ${answer.status}`]
  if (schema === undefined) return []
  const body: unknown = await answer.json()
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
    async ([operation, call], { skip }) => {
      const isForGit = /\/(info\/refs|git-upload-pack|git-receive-pack)$/.test(operation)
      skip(isForGit && !hasGit, 'git is not installed')
      handled.length = 0
      const answers = await call()
      const granted = answers.filter(({ status }) => status < 400)
      expect(granted).not.toEqual([])
      // By the route itself, and not by something else at that address.
      const times = handled.filter((name) => name === operation).length
      expect(times).toBeGreaterThanOrEqual(granted.length)
      const ofHub = answers.map((answer) => deviationsFromHub(operation, answer.clone()))
      const found = await Promise.all(answers.map((answer) => deviations(operation, answer)))
      expect(found.flat()).toEqual([])
      expect((await Promise.all(ofHub)).flat()).toEqual([])
    },
  )

  test('has every operation of the hub’s own document that is described here', () => {
    const described = Object.keys(hubDocument).map((key) => key.replace(/ \d+$/, ''))
    expect(operations()).toEqual(expect.arrayContaining(described))
  })
})
