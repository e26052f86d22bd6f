import type { LightMyRequestResponse } from 'fastify'
import { Check } from 'typebox/value'
import type { Static, TSchema } from 'typebox'
import { afterAll, beforeAll, beforeEach, expect } from 'vitest'
import type { SnapshotList } from '../../server/contract/control-sandbox.ts'
import type { SandboxOptions } from '../../server/contract/options-types.ts'
import { resolveOptions } from '../../server/app/config/resolve.ts'
import type { FixturesFile } from '../../server/contract/fixtures-types.ts'
import { type RunningSandbox, runSandbox } from '../../server/app/run-sandbox.ts'
import { DeliveryList } from '../../server/contract/control-deliveries.ts'
import { TriggerResult } from '../../server/contract/control-events.ts'
import { WebhookItem } from '../../server/contract/control-webhooks.ts'
import { openServer, webhookAt } from './json-receiver.ts'
import { sharedRsaKey } from './deps.ts'

/** A small hub: two users, an organization, three apps, two repos of one name. */
export const controlFixtures: FixturesFile = {
  users: [
    { username: 'alice', tokens: [{ token: 'hf_sandbox_alice' }] },
    { username: 'bob' },
    { username: 'carol', emailVerified: false },
  ],
  organizations: [
    {
      name: 'acme',
      plan: 'enterprise',
      members: [
        { user: 'alice', role: 'admin' },
        { user: 'bob', role: 'write' },
      ],
    },
  ],
  apps: [
    {
      name: 'Public app',
      clientId: '11111111-1111-4111-8111-111111111111',
      redirectUris: ['http://localhost/callback'],
      scopes: ['openid', 'profile', 'email'],
    },
    {
      name: 'Secret app',
      clientId: '22222222-2222-4222-8222-222222222222',
      clientSecret: 'sandbox_first_secret',
      redirectUris: ['http://localhost/callback'],
      scopes: ['openid', 'profile'],
    },
    {
      name: 'Exchange app',
      clientId: '33333333-3333-4333-8333-333333333333',
      clientSecret: 'sandbox_exchange_secret',
      organization: 'acme',
      privileges: ['token-exchange'],
      scopes: ['openid', 'profile', 'read-repos'],
    },
  ],
  repos: [
    { type: 'dataset', name: 'acme/corpus', files: { 'README.md': '# Corpus' } },
    { type: 'model', name: 'acme/tagger' },
    { type: 'dataset', name: 'acme/tagger' },
  ],
}

export const publicClient = '11111111-1111-4111-8111-111111111111'
export const secretClient = '22222222-2222-4222-8222-222222222222'
export const exchangeClient = '33333333-3333-4333-8333-333333333333'

export interface Answer<T> {
  status: number
  body: T
  headers: Record<string, unknown>
}

/** Returns a response to `inject` with its body parsed if it is JSON. */
export function answerOf<T>({ statusCode, headers, body }: LightMyRequestResponse): Answer<T> {
  const isJson = body !== '' && /\bjson\b/.test(String(headers['content-type']))
  return { status: statusCode, body: (isJson ? JSON.parse(body) : body) as T, headers }
}

export interface ControlWorld {
  readonly sandbox: RunningSandbox
  /** A request of the control API, by `inject`. */
  readonly call: <T = Record<string, unknown>>(
    method: string,
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ) => Promise<Answer<T>>
  /** Returns the body of the control API at a path, checked against the contract. */
  readonly read: <Schema extends TSchema>(schema: Schema, path: string) => Promise<Static<Schema>>
  /** The body of a successful request that changes something, as the contract says. */
  readonly send: <Schema extends TSchema>(
    schema: Schema,
    method: string,
    path: string,
    body?: unknown,
  ) => Promise<Static<Schema>>
  /** What a POST request creates at a path. */
  readonly make: <Schema extends TSchema>(
    schema: Schema,
    path: string,
    body?: unknown,
  ) => Promise<Static<Schema>>
  /** A request of the emulated hub, by `inject`. */
  readonly hub: <T = Record<string, unknown>>(
    method: string,
    path: string,
    options?: {
      form?: Record<string, string>
      json?: unknown
      /** Sent as a bearer token. */
      token?: string
      headers?: Record<string, string>
    },
  ) => Promise<Answer<T>>
}

/** One sandbox for the tests of a file, back at its fixtures before each. To be called once, at its top. */
export function controlWorld(options: SandboxOptions = {}): ControlWorld {
  let running: RunningSandbox | undefined
  const sandbox = () => {
    if (running === undefined) throw new Error('the sandbox is there in tests only')
    return running
  }
  beforeAll(async () => {
    const privateKey = await sharedRsaKey()
    const fixtures: FixturesFile = {
      ...controlFixtures,
      config: { signingKey: { ...privateKey.export({ format: 'jwk' }) } },
    }
    running = await runSandbox(await resolveOptions({ fixtures, ...options }))
  }, 30_000)
  beforeEach(() => sandbox().deps.reset())
  afterAll(() => sandbox().close())

  async function inject<T>(
    method: string,
    url: string,
    payload: string | undefined,
    headers: Record<string, string>,
  ): Promise<Answer<T>> {
    const answer = await sandbox().app.inject({
      method: method as 'GET',
      url,
      headers: { host: new URL(sandbox().url).host, ...headers },
      ...(payload === undefined ? {} : { payload }),
    })
    return answerOf(answer)
  }

  const call: ControlWorld['call'] = (method, path, body, headers = {}) =>
    inject(
      method,
      `/_sandbox/api/${path}`,
      body === undefined ? undefined : JSON.stringify(body),
      body === undefined ? headers : { 'content-type': 'application/json', ...headers },
    )

  /** Sends a request, and returns its body once status and shape are as expected. */
  async function expectBody<Schema extends TSchema>(
    schema: Schema,
    wanted: number,
    ...request: Parameters<ControlWorld['call']>
  ) {
    const { status, body } = await call<Static<Schema>>(...request)
    expect([...request.slice(0, 2), status]).toEqual([...request.slice(0, 2), wanted])
    expectShape(schema, body)
    return body
  }

  return {
    get sandbox() {
      return sandbox()
    },
    call,
    read: (schema, path) => expectBody(schema, 200, 'GET', path),
    send: (schema, method, path, body) => expectBody(schema, 200, method, path, body),
    make: (schema, path, body) => expectBody(schema, 201, 'POST', path, body),
    hub: (method, path, { form, json, token, headers } = {}) => {
      const payload = form ? `${new URLSearchParams(form)}` : JSON.stringify(json)
      const type = form ? 'application/x-www-form-urlencoded' : 'application/json'
      return inject(method, path, payload, {
        ...((form ?? json) !== undefined && { 'content-type': type }),
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
        ...headers,
      })
    },
  }
}

/** A receiver for each test, and the webhooks and events of a world. To be called once, at the top of a file. */
export function controlWebhooks({ call, read, make }: ControlWorld) {
  const receiver = { url: '', status: 200, text: 'noted', received: [] as string[] }
  beforeEach(async () => {
    const { origin, close } = await openServer((request, response) => {
      let body = ''
      request.on('data', (part: Buffer) => (body += part.toString()))
      request.on('end', () => {
        receiver.received.push(body)
        response.writeHead(receiver.status, { 'x-receiver': 'yes' }).end(receiver.text)
      })
    })
    Object.assign(receiver, { url: `${origin}/hook`, status: 200, received: [] })
    return close
  })

  const makeWebhook = (more: object = {}): Promise<WebhookItem> =>
    make(WebhookItem, 'webhooks', webhookAt(receiver.url, more))

  async function trigger(more: object = {}): Promise<TriggerResult> {
    const request = { event: 'repo.content', repo: 'acme/corpus', ...more }
    const { status, body } = await call<TriggerResult>('POST', 'events', request)
    expect(status).toBe(202)
    expectShape(TriggerResult, body)
    return body
  }

  return {
    receiver,
    makeWebhook,
    trigger,
    idle: () => call('GET', 'idle?timeout=30s'),
    deliveries: async (query = '') => (await read(DeliveryList, `deliveries${query}`)).items,
  }
}

/** Snapshots outlive the reset before each test. */
export async function removeSnapshots({ call }: Pick<ControlWorld, 'call'>): Promise<void> {
  for (const { name } of (await call<SnapshotList>('GET', 'snapshots')).body.items) {
    await call('DELETE', `snapshots/${name}`)
  }
}

/** An answer is what the contract says of it, and no member is there that it does not know. */
export function expectShape(schema: TSchema, body: unknown): void {
  // The body itself is what a failure should show.
  expect(Check(closed(schema), body) ? 'fits' : body).toBe('fits')
}

function closed(schema: TSchema): TSchema {
  const copy = structuredClone(schema) as Record<string, unknown>
  close(copy)
  return copy
}

function close(node: unknown): void {
  if (typeof node !== 'object' || node === null) return
  const schema = node as Record<string, unknown>
  if (schema['type'] === 'object' && 'properties' in schema) {
    schema['additionalProperties'] ??= false
  }
  for (const value of Object.values(schema)) close(value)
}

/** Expects a refusal and that it names these paths. */
export function expectRefusal(
  { status, body }: Answer<unknown>,
  wanted: { status: number; error: string; paths?: string[] },
): void {
  const {
    error,
    message,
    issues = [],
  } = body as {
    error: string
    message: string
    issues?: { path: string }[]
  }
  expect({ status, error, paths: issues.map(({ path }) => path) }).toEqual({
    status: wanted.status,
    error: wanted.error,
    paths: wanted.paths ?? [],
  })
  expect(message).toMatch(/\w/)
}

/** Expects a refusal that the request caused, naming these paths. */
export function expectInvalid(answer: Answer<unknown>, paths: string[] = []): void {
  expectRefusal(answer, { status: 400, error: 'invalid_request', paths })
}

export function expectNotFound(answer: Answer<unknown>, paths: string[] = []): void {
  expectRefusal(answer, { status: 404, error: 'not_found', paths })
}

export function expectConflict(answer: Answer<unknown>, paths: string[] = []): void {
  expectRefusal(answer, { status: 409, error: 'conflict', paths })
}
