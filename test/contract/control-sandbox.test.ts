import { mkdir, readdir, stat, writeFile } from 'node:fs/promises'
import { webhookAt } from '../helpers/json-receiver.ts'
import { join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { ClockReading } from '../../server/contract/control-clock.ts'
import { UserList } from '../../server/contract/control-accounts.ts'
import { DeliveryList } from '../../server/contract/control-deliveries.ts'
import { Health, Overview } from '../../server/contract/control-health.ts'
import {
  CreatedSnapshot,
  ReplacedState,
  KeyList,
  RotatedKey,
  SnapshotList,
} from '../../server/contract/control-sandbox.ts'
import type { MintedToken } from '../../server/contract/control-tokens.ts'
import type { Fixtures, FixturesFile } from '../../server/contract/fixtures-types.ts'
import { Comparison, ResetComparison } from '../../server/contract/control-comparison.ts'
import { createSnapshots } from '../../server/fixtures/snapshots/snapshots.ts'
import type { KeptState } from '../../server/store/kept-state.ts'
import {
  controlFixtures,
  expectRefusal,
  expectConflict,
  expectInvalid,
  expectNotFound,
  expectShape,
  removeSnapshots,
  secretClient,
  controlWorld,
} from '../helpers/control.ts'
import { temporaryDirectory } from '../helpers/temporary-directory.ts'

const world = controlWorld()
const { call, hub, read, send, make } = world

const userNames = async () => (await read(UserList, 'users')).items.map(({ username }) => username)

describe('status of the sandbox', () => {
  test('health and clock are returned', async () => {
    const { status, body } = await hub<Health>('GET', '/_sandbox/health')
    expect(status).toBe(200)
    expectShape(Health, body)
    expect(body).toMatchObject({ status: 'ok', uptime: expect.stringMatching(/^\d+(ms|s|m|h)$/) })
    expectShape(ClockReading, body.clock)
  })

  test('contents and client settings are returned', async () => {
    const body = await read(Overview, 'overview')
    expect(body).toMatchObject({
      baseUrl: world.sandbox.url,
      counts: { users: 3, apps: 3, repos: 3, activeTokens: 1 },
      environment: {
        HF_ENDPOINT: world.sandbox.url,
        OPENID_PROVIDER_URL: world.sandbox.url,
        OAUTH_CLIENT_ID: secretClient,
        OAUTH_CLIENT_SECRET: 'sandbox_first_secret',
        OAUTH_SCOPES: 'openid profile',
      },
    })
  })

  test('the OpenAPI 3.1 document has every route once', async () => {
    const { body } = await hub<{
      openapi: string
      paths: Record<
        string,
        Record<string, { operationId: string; parameters: { name: string }[]; responses: object }>
      >
    }>('GET', '/_sandbox/openapi.json')
    expect(body.openapi).toBe('3.1.0')
    expect(Object.keys(body.paths)).toEqual(
      expect.arrayContaining(['/oauth/token', '/api/whoami-v2', '/_sandbox/api/apps/{clientId}']),
    )
    const ids = Object.values(body.paths).flatMap((path) =>
      Object.values(path).map(({ operationId }) => operationId),
    )
    expect(new Set(ids).size).toBe(ids.length)
    const names = body.paths['/_sandbox/api/tokens']?.['get']?.parameters.map(({ name }) => name)
    expect(names).toEqual(['user', 'clientId', 'state', 'cursor', 'limit'])
    for (const [path, operations] of Object.entries(body.paths)) {
      for (const [method, operation] of Object.entries(operations)) {
        const name = `${method} ${path}`
        expect({ name, ...operation }).toHaveProperty('summary')
        const statuses = Object.keys(operation.responses).filter((status) => status !== 'default')
        expect({ name, statuses }).not.toEqual({ name, statuses: [] })
      }
    }
    // The dashboard's own pages and files are for no program.
    const ofTheSandbox = Object.keys(body.paths).filter((path) => path.startsWith('/_sandbox'))
    expect(ofTheSandbox.filter((path) => !path.startsWith('/_sandbox/api/'))).toEqual([
      '/_sandbox/health',
      '/_sandbox/live',
      '/_sandbox/openapi.json',
      '/_sandbox/mcp',
    ])
  })

  test('the OpenAPI document has the ways of authentication', async () => {
    const { body } = await hub<{
      paths: Record<string, Record<string, { security: Record<string, string[]>[] }>>
      components: { securitySchemes: Record<string, { type: string; scheme?: string }> }
    }>('GET', '/_sandbox/openapi.json')
    const { securitySchemes } = body.components
    const waysOf = (path: string, method: string) =>
      body.paths[path]?.[method]?.security.flatMap((way) => Object.keys(way))
    expect(waysOf('/api/whoami-v2', 'get')).toEqual(['token', 'session'])
    expect(waysOf('/oauth/token', 'post')).toEqual(['client'])
    expect(waysOf('/oauth/device', 'post')).toEqual(['client'])
    expect(waysOf('/oauth/device', 'get')).toEqual(['token', 'session'])
    expect(waysOf('/{namespace}/{name}/info/lfs/objects/batch', 'post')).toEqual(['git'])
    expect(waysOf('/{types}/{namespace}/{name}/git-upload-pack', 'post')).toEqual(['git'])
    expect(waysOf('/_sandbox/api/tokens', 'post')).toEqual(['control'])
    const used = Object.values(body.paths)
      .flatMap((operations) => Object.values(operations))
      .flatMap(({ security }) => security)
    expect(new Set(used.flatMap((way) => Object.keys(way)))).toEqual(
      new Set(Object.keys(securitySchemes)),
    )
  })

  test('describes forms, queries and pages of the hub, which check their input themselves', async () => {
    const { body } = await hub<{ paths: Record<string, Record<string, object>> }>(
      'GET',
      '/_sandbox/openapi.json',
    )
    const form = (name: string) => ({
      content: { 'application/x-www-form-urlencoded': { schema: { properties: { [name]: {} } } } },
    })
    const json = (name: string) => ({
      content: { 'application/json': { schema: { properties: { [name]: {} } } } },
    })
    expect(body.paths).toMatchObject({
      '/oauth/token': {
        post: {
          requestBody: form('code_verifier'),
          responses: { 200: json('access_token'), default: json('error_description') },
        },
      },
      '/oauth/device': {
        post: { requestBody: { content: { ...form('scope').content, ...json('scope').content } } },
      },
      '/oauth/authorize': {
        get: {
          parameters: expect.arrayContaining([
            expect.objectContaining({ name: 'redirect_uri', in: 'query', required: true }),
          ]),
          responses: { 200: { content: { 'text/html': {} } } },
        },
      },
      '/api/whoami-v2': { get: { responses: { 200: json('isPro') } } },
    })
    expect(body.paths['/oauth/authorize']?.['get']).not.toHaveProperty('responses.303.content')
  })

  test('the loaded fixtures are returned with defaults and secrets', async () => {
    const { body } = await call<Fixtures>('GET', 'fixtures')
    const { config, ...rest } = JSON.parse(
      JSON.stringify(world.sandbox.deps.fixtures()),
    ) as Fixtures
    expect(config.signingKey).toHaveProperty('d')
    const { signingKey: _signingKey, ...shown } = config
    expect(body).toEqual({ ...rest, config: shown })
    expect(body.apps[1]).toMatchObject({ clientSecret: 'sandbox_first_secret' })
  })
})

describe('guards', () => {
  test.each([
    [{ origin: 'https://evil.example' }, 403],
    [{ origin: 'null' }, 403],
    [{ 'sec-fetch-site': 'cross-site' }, 403],
    [{ 'sec-fetch-site': 'same-site' }, 403],
    [{ 'sec-fetch-site': 'none' }, 200],
    [{ host: 'evil.example' }, 403],
  ])('responds to %j with %i', async (headers, status) => {
    const sent = headers as unknown as Record<string, string>
    expect((await call('GET', 'clock', undefined, sent)).status).toBe(status)
    expect((await hub('GET', '/_sandbox/health', { headers: sent })).status).toBe(status)
  })

  test('accepts JSON bodies only', async () => {
    const answer = await hub('POST', '/_sandbox/api/clock', { form: { advance: '1h' } })
    expect(answer.status).toBe(415)
    const broken = await hub('POST', '/_sandbox/api/clock', {
      headers: { 'content-type': 'application/json', 'content-length': '0' },
    })
    expect(broken.status).toBe(400)
  })
})

test('the control API refuses chunked text/plain, which any page may send', async () => {
  const response = await fetch(`${world.sandbox.url}/_sandbox/api/clock`, {
    method: 'POST',
    headers: { 'content-type': 'text/plain' },
    body: new Blob(['{"advance":"1h"}']).stream(),
    duplex: 'half',
  } as RequestInit)
  expect([response.status, await response.json()]).toEqual([
    415,
    { error: 'unsupported_media_type', message: 'Send the body as application/json.' },
  ])
})

describe('keys', () => {
  test.each(['reset', 'snapshots/before/restore'])('are the same after %s', async (path) => {
    const keys = async () => (await read(KeyList, 'keys')).items
    await call('POST', 'keys/rotate', { keepOld: false })
    await call('POST', 'snapshots', { name: 'before' })
    await call('POST', 'keys/rotate')
    const rotated = await keys()
    expect(rotated.map(({ state }) => state)).toEqual(['current', 'retired'])
    await call('POST', path)
    expect(await keys()).toEqual(rotated)
    await call('DELETE', 'snapshots/before')
    await call('POST', 'keys/rotate', { keepOld: false })
  })

  test('lists the public members of each key, and signs with a new one after a rotation', async () => {
    const before = await read(KeyList, 'keys')
    const rotated = await send(RotatedKey, 'POST', 'keys/rotate')
    const { items } = await read(KeyList, 'keys')
    expect(items.map(({ kid, state }) => [kid, state])).toEqual([
      [rotated.kid, 'current'],
      [before.items[0]?.kid, 'retired'],
    ])
    for (const { jwk } of items) {
      expect(Object.keys(jwk).toSorted()).toEqual(['alg', 'e', 'kid', 'kty', 'n', 'use'])
    }
    const last = await call<RotatedKey>('POST', 'keys/rotate', { keepOld: false })
    expect((await read(KeyList, 'keys')).items.map(({ kid }) => kid)).toEqual([last.body.kid])
    expectInvalid(await call('POST', 'keys/rotate', { keepOld: 'no' }), ['keepOld'])
  })
})

describe('reset', () => {
  test('a reset restores the fixtures completely', async () => {
    const token = await call<MintedToken>('POST', 'tokens', { user: 'alice' })
    await call('POST', 'users', { username: 'dora' })
    await call('POST', 'webhooks', webhookAt('http://127.0.0.1:9/'))
    await call('POST', 'events', { event: 'repo.content', repo: 'acme/corpus' })
    await call('POST', 'faults', { match: { route: '/nowhere' }, status: 500 })
    await call('POST', 'clock', { advance: '9h' })
    await hub('GET', '/api/whoami-v2')
    const { cursor } = world.sandbox.deps.live

    expect(await call('POST', 'reset')).toMatchObject({ status: 200, body: {} })
    expect(await userNames()).toEqual(['alice', 'bob', 'carol'])
    const headers = { authorization: `Bearer ${token.body.access_token}` }
    expect((await hub('GET', '/oauth/userinfo', { headers })).status).toBe(401)
    const { counts, clock } = await read(Overview, 'overview')
    expect(counts).toMatchObject({ webhooks: 0, deliveries: 0, faults: 0, activeTokens: 1 })
    expect(clock).toMatchObject({ offsetMs: 0, frozen: false })
    expect((await read(DeliveryList, 'deliveries')).items).toEqual([])
    expect(world.sandbox.deps.live.after(cursor)).toMatchObject({
      gap: true,
      entries: [{ type: 'sandbox.reset' }, { type: 'request.completed' }],
    })
  })
})

describe('snapshots', () => {
  beforeEach(() => removeSnapshots(world))

  test('a snapshot keeps the whole state and restores it', async () => {
    const token = await call<MintedToken>('POST', 'tokens', { user: 'alice' })
    await call('POST', 'clock', { frozen: true })
    const { now } = (await call<ClockReading>('POST', 'clock', { advance: '1h' })).body
    await make(CreatedSnapshot, 'snapshots', { name: 'before' })
    const unfindable = await call('POST', 'snapshots', { name: 'latest' })
    expectInvalid(unfindable)
    const unnamed = await call<CreatedSnapshot>('POST', 'snapshots')
    expect(unnamed.body.name).toBe('snapshot-1')
    const list = await read(SnapshotList, 'snapshots')
    expect(list.items.map(({ name }) => name)).toEqual(['before', 'snapshot-1'])

    await call('DELETE', 'users/bob')
    await call('POST', 'reset')
    expect(await call('POST', 'snapshots/before/restore')).toMatchObject({ status: 200, body: {} })
    expect(await userNames()).toEqual(['alice', 'bob', 'carol'])
    const reading = await read(ClockReading, 'clock')
    expect(reading).toMatchObject({ now, frozen: true })
    const headers = { authorization: `Bearer ${token.body.access_token}` }
    expect((await hub('GET', '/oauth/userinfo', { headers })).status).toBe(200)
    await removeSnapshots(world)
    expect((await read(SnapshotList, 'snapshots')).items).toEqual([])
  })

  test('a fixtures file is imported, and a snapshot exported as one', async () => {
    const fixtures: FixturesFile = {
      ...controlFixtures,
      users: [...controlFixtures.users!, { username: 'zoe' }],
    }
    const made = await call('POST', 'snapshots', { name: 'other', fixtures })
    expect(made).toMatchObject({ status: 201 })
    expect(await userNames()).not.toContain('zoe')
    await call('POST', 'snapshots/other/restore')
    expect(await userNames()).toContain('zoe')
    const exported = await call<FixturesFile>('GET', 'snapshots/other')
    expect(exported.body.users?.map(({ username }) => username)).toContain('zoe')
    const again = await call('POST', 'snapshots', { name: 'again', fixtures: exported.body })
    expect(again).toMatchObject({ status: 201 })
    const now = await call<FixturesFile>('GET', 'export')
    expect(now.body.repos).toEqual(exported.body.repos)
  })

  test('a fixtures file and a snapshot are compared with the current state without changes', async () => {
    await call('POST', 'reset')
    const compare = async (fixtures: FixturesFile) =>
      (await send(Comparison, 'POST', 'fixtures/compare', { fixtures })).things
    const differences = (things: Comparison['things']) =>
      things.flatMap(({ kind, added, removed, changed }) => [
        ...added.names.map((name) => `+ ${kind} ${name}`),
        ...removed.names.map((name) => `- ${kind} ${name}`),
        ...changed.things.map(({ name, members }) => `~ ${kind} ${name} ${members.join()}`),
      ])
    expect(differences(await compare(controlFixtures))).toEqual([])

    await call('POST', 'snapshots', { name: 'then' })
    await call('PATCH', 'users/bob', { fullname: 'Robert' })
    await call('POST', 'users', { username: 'zoe' })
    expect(differences(await compare(controlFixtures))).toEqual([
      '- users zoe',
      '~ users bob fullname',
    ])
    const body = await read(Comparison, 'snapshots/then/comparison')
    expect(differences(body.things)).toEqual(['- users zoe', '~ users bob fullname'])
    expect(await userNames()).toContain('zoe')

    const refused = await call('POST', 'fixtures/compare', { fixtures: { users: [{}] } })
    expectRefusal(refused, {
      status: 400,
      error: 'invalid_fixtures',
      paths: ['users[0].username'],
    })
    expectNotFound(await call('GET', 'snapshots/never/comparison'))
    await call('POST', 'reset')
  })

  test('a reset is compared with the current state: what goes, what changes back, what returns', async () => {
    await call('POST', 'reset')
    const differences = async () => {
      const { things, commits } = await read(ResetComparison, 'reset/comparison')
      const lines = things.flatMap(({ kind, added, removed, changed }) => [
        ...removed.names.map((name) => `goes: ${kind} ${name}`),
        ...changed.things.map(({ name }) => `changes: ${kind} ${name}`),
        ...added.names.map((name) => `returns: ${kind} ${name}`),
      ])
      return [...lines, `${commits} commits`]
    }
    expect(await differences()).toEqual(['0 commits'])

    await call('POST', 'users', { username: 'zoe' })
    await call('PATCH', 'users/bob', { fullname: 'Robert' })
    await call('POST', 'repos', { type: 'model', name: 'zoe/new', user: 'zoe' })
    const commit = (title: string) => ({
      user: 'zoe',
      title,
      files: { 'a.txt': title },
    })
    await call('POST', 'repos/model/zoe/new/commits', commit('one'))
    await call('POST', 'repos/model/zoe/new/commits', commit('two'))
    const [app] = controlFixtures.apps ?? []
    await call('DELETE', `apps/${app?.clientId}`)
    // The first commit is that of the new repo.
    expect(await differences()).toEqual([
      'goes: users zoe',
      'changes: users bob',
      `returns: apps ${app?.name}`,
      'goes: repos models/zoe/new',
      '3 commits',
    ])
    expect(await userNames()).toContain('zoe')
    await call('POST', 'reset')
    expect(await differences()).toEqual(['0 commits'])
  })

  test('a snapshot excludes facts of the sandbox itself', async () => {
    const { deps } = world.sandbox
    const { state } = deps
    const facts = () => [...state.meta.values()].filter(({ id }) => id !== 'clock')
    const before = facts()
    expect(before.map(({ id }) => id).toSorted()).toEqual(['fixtures', 'generation'])
    expect(deps.captureState().collections).not.toHaveProperty('meta')
    await call('POST', 'snapshots', { name: 'facts' })
    state.meta.put({ id: 'generation', value: 7 })
    await call('POST', 'snapshots/facts/restore')
    expect(state.meta.get('generation')?.value).toBe(7)
    state.meta.put({ id: 'generation', value: 0 })
    expect(facts()).toEqual(before)
  })

  test('an export has no private key, and an imported key is not used', async () => {
    const keys = async () => (await call<{ items: object[] }>('GET', 'keys')).body.items
    const present = await keys()
    await call('POST', 'snapshots', { name: 'whole' })
    for (const path of ['fixtures', 'export', 'snapshots/whole']) {
      const { body } = await call<FixturesFile>('GET', path)
      expect(body.config).not.toHaveProperty('signingKey')
    }
    const made = await make(CreatedSnapshot, 'snapshots', {
      name: 'file',
      fixtures: controlFixtures,
    })
    expect(made).not.toHaveProperty('notices')
    await call('POST', 'snapshots/file/restore')
    expect(await keys()).toEqual(present)
    const { signingKey } = world.sandbox.deps.fixtures().config
    const own = { ...controlFixtures, config: { signingKey: { ...signingKey, kid: 'of-file' } } }
    const withKey = await call<CreatedSnapshot>('POST', 'snapshots', { name: 'key', fixtures: own })
    expect(withKey.body.notices).toEqual([expect.stringContaining('config.signingKey')])
    await call('POST', 'snapshots/key/restore')
    expect(await keys()).toEqual(present)
  })

  test('reports how many logged requests a restore or reset drops', async () => {
    await call('POST', 'snapshots', { name: 'logged' })
    for (const path of ['reset', 'snapshots/logged/restore']) {
      const { cursor } = world.sandbox.deps.live
      await hub('GET', '/.well-known/openid-configuration')
      await hub('GET', '/.well-known/openid-configuration')
      const body = await send(ReplacedState, 'POST', path)
      expect(body).toEqual({ erasedRequests: 2 })
      expect(world.sandbox.deps.live.after(cursor)).toMatchObject({
        entries: [{ type: 'sandbox.reset', data: { erasedRequests: 2 } }],
      })
    }
  })

  test('taken, unknown and invalid names and invalid fixtures are refused', async () => {
    await call('POST', 'snapshots', { name: 'one' })
    expectConflict(await call('POST', 'snapshots', { name: 'one' }))
    for (const name of ['../x', '.hidden', 'a/b', '']) {
      expectInvalid(await call('POST', 'snapshots', { name }), ['name'])
    }
    for (const [method, path] of [
      ['GET', 'snapshots/none'],
      ['POST', 'snapshots/none/restore'],
      ['DELETE', 'snapshots/none'],
    ] as const) {
      expectNotFound(await call(method, path))
    }
    const bad = { users: [{ username: 'x', nickname: 'y' }], repos: [{ type: 'model' }] }
    expectRefusal(await call('POST', 'snapshots', { fixtures: bad }), {
      status: 400,
      error: 'invalid_fixtures',
      paths: ['users[0].nickname', 'repos[0].name'],
    })
  })

  describe('in a data folder', () => {
    let folder: string
    beforeEach(() => {
      folder = temporaryDirectory()
    })

    // Windows has no such modes.
    test.skipIf(process.platform === 'win32')(
      'snapshots are readable by their user only',
      async () => {
        const deps = { ...world.sandbox.deps, dataDirectory: folder }
        await createSnapshots(deps).create('private')
        const { mode } = await stat(join(folder, 'snapshots', 'private.json'))
        expect(mode & 0o777).toBe(0o600)
        await createSnapshots(deps).remove('private')
      },
    )

    test.each<[string, (kept: KeptState) => unknown]>([
      ['not JSON', () => 'cut off'],
      ['format', ({ format: _format, ...kept }) => kept],
      ['format', (kept) => ({ ...kept, format: kept.format + 1 })],
      ['clock', (kept) => ({ ...kept, clock: { offsetMs: 1e300 } })],
      ['clock', (kept) => ({ ...kept, clock: { frozenAt: 8.64e15 } })],
      ['no collection "meta"', (kept) => withRecords(kept, 'meta', [])],
      ['no collection "toString"', (kept) => withRecords(kept, 'toString', [])],
      ['/username', (kept) => withUsers(kept, (user) => ({ ...user, username: 7 }))],
      ['/createdAt', (kept) => withUsers(kept, (user) => ({ ...user, createdAt: 9e15 }))],
      ['duplicated', (kept) => withUsers(kept, () => kept.collections['users']?.[0] ?? {})],
      ['log', (kept) => ({ ...kept, log: { requests: 5 } })],
      ['log\\.madeAt', (kept) => ({ ...kept, recordedRun: {} })],
      ['"alice"', (kept) => withUsers(kept, (user) => ({ ...user, username: 'alice' }))],
      ['64|72 levels', (kept) => withUsers(kept, (user) => ({ ...user, deep: nested(80) }))],
    ])('an invalid snapshot is refused and the state stays: %s', async (reason, change) => {
      const { deps } = world.sandbox
      const snapshots = createSnapshots({ ...deps, dataDirectory: folder })
      await mkdir(join(folder, 'snapshots'), { recursive: true })
      const changed = change(structuredClone(deps.captureState()))
      const text = typeof changed === 'string' ? changed : JSON.stringify(changed)
      await writeFile(join(folder, 'snapshots', 'changed.json'), text)
      const before = deps.captureState()
      await expect(snapshots.restore('changed')).rejects.toThrow(
        new RegExp(`The snapshot changed cannot be used: .*(?:${reason})`),
      )
      expect(deps.captureState().collections).toEqual(before.collections)
      await snapshots.remove('changed')
    })

    test('snapshots are files that outlive the process', async () => {
      const deps = { ...world.sandbox.deps, dataDirectory: folder }
      await createSnapshots(deps).create('kept')
      expect(await readdir(join(folder, 'snapshots'))).toEqual(['kept.json'])
      const later = createSnapshots(deps)
      expect(await later.list()).toMatchObject([{ name: 'kept' }])
      expect((await later.read('kept')).collections['users']).toHaveLength(3)
      await expect(later.create('kept')).rejects.toThrow('already')
    })
  })
})

const nested = (levels: number): unknown => JSON.parse('['.repeat(levels) + ']'.repeat(levels))

function withRecords(kept: KeptState, name: string, records: unknown[]) {
  return { ...kept, collections: { ...kept.collections, [name]: records } }
}

/** Changes every user but the first. */
function withUsers(kept: KeptState, change: (user: object) => unknown) {
  const [first, ...others] = kept.collections['users'] ?? []
  return withRecords(kept, 'users', [first, ...others.map(change)])
}
