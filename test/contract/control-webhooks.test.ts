import { generate } from 'selfsigned'
import type { ErrorBody } from '../../server/contract/control.ts'
import { describe, expect, test } from 'vitest'
import {
  AttemptItem,
  DeliveryItem,
  DeliveryList,
  DeliveryStory,
  Idle,
  NotIdle,
  ReplayedMany,
} from '../../server/contract/control-deliveries.ts'
import { EventCatalog, LastTrigger } from '../../server/contract/control-events.ts'
import {
  Recovered,
  WebhookItem,
  WebhookList,
  WebhookStatistics,
} from '../../server/contract/control-webhooks.ts'
import { Overview } from '../../server/contract/control-health.ts'
import {
  expectConflict,
  expectInvalid,
  expectNotFound,
  expectShape,
  controlWorld,
  controlWebhooks,
} from '../helpers/control.ts'
import { limitRounds } from '../helpers/limit-rounds.ts'

const world = controlWorld()
const { call, read, send } = world

const { receiver, makeWebhook, trigger, deliveries: list } = controlWebhooks(world)

test('creates, lists, changes and deletes webhooks of any user', async () => {
  const webhook = await makeWebhook({ name: 'Bot', secret: 'psst', domains: ['repo'] })
  expect(webhook).toMatchObject({
    owner: { username: 'alice' },
    target: receiver.url,
    status: 'enabled',
    held: false,
    secret: 'psst',
    usage: { used: 0, limit: 1000, windowMs: 86_400_000 },
  })
  const path = `webhooks/${webhook.id}`
  await read(WebhookList, 'webhooks')
  expect((await call('GET', path)).body).toEqual(webhook)
  const changed = await send(WebhookItem, 'PATCH', path, {
    url: 'http://localhost:9/other',
    name: null,
    secret: null,
    status: 'disabled',
    order: 'ordered',
  })
  expect(changed).toMatchObject({
    target: 'http://localhost:9/other',
    status: 'disabled',
    order: 'ordered',
    domains: ['repo'],
  })
  expect(changed).not.toHaveProperty('secret')
  expect(changed).not.toHaveProperty('name')
  expect((await call<WebhookItem>('PATCH', path, { status: 'enabled' })).body.status).toBe(
    'enabled',
  )
  expectInvalid(await call('PATCH', path, { jobId: 'none' }), ['jobId'])
  expect((await call('DELETE', path)).status).toBe(200)
  for (const method of ['GET', 'DELETE'] as const) {
    expectNotFound(await call(method, path))
  }
})

test('accepts the former name of the owner of a webhook', async () => {
  const watched = [{ type: 'user', name: 'bob' }]
  const made = await call<WebhookItem>('POST', 'webhooks', {
    user: 'bob',
    url: receiver.url,
    watched,
  })
  expect(made.body.owner.username).toBe('bob')
})

test.each([
  [{ owner: 'nobody', url: 'http://localhost/' }, ['owner']],
  [{ url: 'http://localhost/' }, ['owner']],
  [{ user: 'nobody', url: 'http://localhost/' }, ['user']],
  [{ owner: 'alice', user: 'alice', url: 'http://localhost/' }, ['user']],
  [{ user: 'alice', url: 'ftp://localhost/' }, ['url']],
  [{ user: 'alice' }, ['url']],
  [{ user: 'alice', url: 'http://localhost/', job: { dockerImage: 'x' } }, ['url']],
  [{ user: 'alice', url: 'http://localhost/', secret: 'ü' }, ['secret']],
  [{ user: 'alice', url: 'http://localhost/', domains: ['all'] }, ['domains[0]']],
  [{ user: 'alice', url: 'http://localhost/', secret: ' padded' }, ['secret']],
  [{ user: 'alice', url: 'http://localhost/', secret: 'padded ' }, ['secret']],
  [{ user: 'alice', url: 'http://localhost/', ca: '/etc/ssl/ca.pem' }, ['ca']],
  [{ user: 'alice', jobId: 'none' }, ['jobId']],
])('refuses a webhook of %j', async (request, paths) => {
  const watched = [{ type: 'user', name: 'alice' }]
  expectInvalid(await call('POST', 'webhooks', { ...request, watched }), paths)
})

test.each([
  ['http://0.0.0.0:3000/hook', 'Use localhost'],
  ['http://[::]:3000/', 'Use localhost'],
  ['http://[::ffff:0.0.0.0]:3000/', 'Use localhost'],
  ['http://localhost:0/', 'the port that the receiver listens on'],
  ['http://localhost:OWN/hook', 'the port of the receiver'],
  ['http://[::ffff:127.0.0.1]:OWN/', 'the port of the receiver'],
])('%s, where no server can respond, is refused with advice', async (address, advice) => {
  const target = address.replace('OWN', new URL(world.sandbox.url).port)
  const watched = [{ type: 'user', name: 'alice' }]
  const made = await call<ErrorBody>('POST', 'webhooks', { user: 'alice', url: target, watched })
  expectInvalid(made, ['url'])
  expect(made.body.message).toContain(advice)
  const { id } = await makeWebhook()
  expectInvalid(await call('PATCH', `webhooks/${id}`, { url: target }), ['url'])
  expectInvalid(await call('POST', 'links', { target }), ['target'])
})

test('reads the certificates of a webhook when it is created', async () => {
  const { cert } = await generate([{ name: 'commonName', value: 'localhost' }], { keySize: 2048 })
  expect((await makeWebhook({ ca: cert })).ca).toBe(cert)
  const watched = [{ type: 'user', name: 'alice' }]
  const broken = cert + cert.replace(/\n[^\n-]+/, '\nAAAA')
  const request = { user: 'alice', url: receiver.url, watched, ca: broken }
  const made = await call<ErrorBody>('POST', 'webhooks', request)
  expectInvalid(made, ['ca'])
  expect(made.body.message).toContain('Certificate 2 of 2')
})

test('a webhook has its health and statistics', async () => {
  const { id, health, ...none } = await makeWebhook()
  expect(health).toEqual({ state: 'unknown', failedAttempts: 0 })
  expect(none).not.toHaveProperty('p95Ms')
  expect(none).not.toHaveProperty('nextRetryAt')
  await trigger()
  await call('GET', 'idle')
  receiver.status = 503
  const failed = (await trigger()).deliveries[0]
  await call('GET', 'idle')
  const body = await read(WebhookItem, `webhooks/${id}`)
  expect(body.health).toMatchObject({
    state: 'failing',
    failedAttempts: 1,
    failingSince: body.health.lastError?.at,
    lastError: { deliveryId: failed?.id, status: 503, class: 'http_status' },
  })
  const half = { attempted: 2, succeeded: 1, failing: 1, successRate: 0.5, firstAttemptRate: 0.5 }
  expect(body.deliveries).toMatchObject(half)
  const attempts = (await list()).flatMap((delivery) => delivery.attempts)
  expect(body.p95Ms).toBe(Math.max(...attempts.map(({ durationMs = 0 }) => durationMs)))
  expect(body.nextRetryAt).toBe((await list()).find(({ id }) => id === failed?.id)?.nextRetryAt)
  expect(body.nextRetryAt).toBeDefined()
  const overview = await read(Overview, 'overview')
  expect(overview).toMatchObject({ deliveries: half, failingWebhooks: 1 })
  receiver.status = 200
  await trigger()
  await call('GET', 'idle')
  expect((await read(WebhookItem, `webhooks/${id}`)).health).toEqual({
    state: 'healthy',
    failedAttempts: 0,
  })
})

test('p95 and queries follow each attempt, also a replay that fails', async () => {
  const { id } = await makeWebhook()
  const [made] = (await trigger()).deliveries
  await call('GET', 'idle')
  receiver.status = 503
  for (let count = 1; count <= 3; count++) {
    const before = await read(WebhookItem, `webhooks/${id}`)
    const [one] = await list()
    const times = one?.attempts.map(({ durationMs = 0 }) => durationMs) ?? []
    expect(times).toHaveLength(count)
    expect(before.p95Ms).toBe(Math.max(...times))
    expect((await list('?q=status:503')).length).toBe(count > 1 ? 1 : 0)
    const replayed = call('POST', `deliveries/${made?.id}/replay`, {})
    // While the attempt is in flight, too.
    await read(WebhookItem, `webhooks/${id}`)
    await replayed
  }
})

test('events are listed and triggered', async () => {
  const catalog = await read(EventCatalog, 'events')
  expect(catalog.items.map(({ event }) => event)).toContain('discussion.comment.update')
  const webhook = await makeWebhook()
  const result = await trigger()
  expect(result.events).toMatchObject([{ scope: 'repo.content', action: 'update' }])
  expect(result.deliveries).toMatchObject([{ webhookId: webhook.id }])
  await read(Idle, 'idle?waiting=1')
  const [delivery] = await list()
  expect(delivery).toMatchObject({
    id: result.deliveries[0]?.id,
    state: 'succeeded',
    repo: 'acme/corpus',
    payload: { event: { scope: 'repo.content', action: 'update' } },
    attempts: [{ number: 1, source: 'auto', outcome: 'succeeded', status: 200 }],
  })
  expect(receiver.received.map((body) => JSON.parse(body) as unknown)).toEqual([delivery?.payload])
})

test('triggers have overrides, repeats, previews and sends without a change', async () => {
  await makeWebhook()
  const head = () => world.sandbox.deps.state.repos.find('name', 'dataset/acme/corpus')?.refs
  const before = head()
  const preview = await trigger({ preview: true, overrides: { 'repo.name': 'x/y' } })
  expect(preview.payloads).toMatchObject([{ payload: { repo: { name: 'x/y' } } }])
  expect(await list()).toEqual([])
  const sent = await trigger({
    mode: 'send',
    repeat: { times: 3 },
    remove: ['repo.headSha'],
  })
  expect(sent.deliveries).toHaveLength(3)
  expect(head()).toEqual(before)
  await call('GET', 'idle')
  const items = await list()
  expect(items.map(({ synthetic }) => synthetic)).toEqual([true, true, true])
  expect(items[0]?.payload).not.toHaveProperty('repo.headSha')
})

test('suggests the field that a misspelt override may mean, and accepts every valid one', async () => {
  const request = { event: 'discussion.create', repo: 'acme/corpus', preview: true }
  const misspelt = { overrides: { 'discusion.titel': 'x' } }
  const answer = await call<ErrorBody>('POST', 'events', { ...request, ...misspelt })
  expect(answer.body.message).toContain('did you mean "discussion.title"?')
  const body = await read(EventCatalog, 'events')
  const { fields = [] } = body.items.find(({ event }) => event === 'discussion.create') ?? {}
  const overrides = Object.fromEntries(
    fields
      .filter(({ path }) => !path.startsWith('discussion.changes'))
      .map(({ path }) => [path, null]),
  )
  expect(await call('POST', 'events', { ...request, overrides })).toMatchObject({ status: 202 })
})

test('unknown watched items are refused, and give a warning where the Hub API has them', async () => {
  const watched = [
    { type: 'user', name: 'alicia' },
    { type: 'user', name: 'acme' },
    { type: 'dataset', name: 'acmee/corpus' },
    { type: 'org', name: 'acme' },
    { type: 'dataset', name: 'acme/corpsu' },
    { type: 'dataset', name: 'Acme/Corpus' },
    { type: 'bucket', name: 'acme/b' },
  ]
  const request = { owner: 'alice', url: 'http://127.0.0.1:9/', watched }
  expectInvalid(
    await call('POST', 'webhooks', request),
    [0, 1, 2, 4, 6].map((index) => `watched[${index}].name`),
  )
  const made = await makeWebhook()
  const path = `webhooks/${made.id}`
  expectInvalid(await call('PATCH', path, { watched: [{ type: 'user', name: 'alicia' }] }), [
    'watched[0].name',
  ])

  await world.hub('POST', '/api/settings/webhooks', {
    token: 'hf_sandbox_alice',
    json: { url: request.url, watched },
  })
  const { id } = world.sandbox.deps.state.webhooks.last()!
  const item = await read(WebhookItem, `webhooks/${id}`)
  expect(item.warnings).toEqual([
    'Unknown user or organization alicia (did you mean "alice"?): it causes no deliveries.',
    'acme is an organization: watch it as org.',
    'Unknown user or organization acmee (did you mean "acme"?): it causes no deliveries.',
    'Unknown dataset acme/corpsu (did you mean "acme/corpus"?): it causes no deliveries.',
    'Unknown bucket acme/b: it causes no deliveries.',
  ])
  expect(made.warnings).toEqual([])
  // Names that it has already stay, for a dialog sends them all.
  const kept = await call('PATCH', `webhooks/${item.id}`, { watched })
  expect(kept.status).toBe(200)
})

test('a job that is not run says how to run it, at the webhook and in the delivery', async () => {
  const job = { dockerImage: 'python:3.12' }
  const hint = 'Start the sandbox with --run-jobs python:3.12=COMMAND to run it.'
  const { id, warnings } = await makeWebhook({ url: undefined, job })
  expect(warnings).toEqual([`The job will be recorded, not executed. ${hint}`])
  await trigger()
  await call('GET', 'idle?timeout=10s')
  const { items } = await read(DeliveryList, `deliveries?webhookId=${id}`)
  expect(items).toMatchObject([{ recorded: true, explanation: `Recorded, not executed. ${hint}` }])
})

test('recent triggers are remembered, without previews and refused ones', async () => {
  const last = () => read(LastTrigger, 'events/last')
  await trigger({ kind: 'push' })
  await trigger({ event: 'repo.config', preview: true })
  await call('POST', 'events', { event: 'repo.nothing', repo: 'acme/corpus' })
  expect(await last()).toMatchObject({ request: { event: 'repo.content', kind: 'push' } })

  const { request } = await last()
  expectShape(LastTrigger, { request })
  expect((await call('POST', 'events', request)).status).toBe(202)
  await trigger({ repeat: { times: 2 } })
  expect(await last()).toMatchObject({ request: { repeat: { times: 2 } } })
})

test('an Idempotency-Key triggers an event once', async () => {
  await makeWebhook()
  const request = { event: 'repo.content', repo: 'acme/corpus' }
  const headers = { 'idempotency-key': 'k1' }
  const first = await call('POST', 'events', request, headers)
  const second = await call('POST', 'events', request, headers)
  expect(second).toMatchObject({ status: 202, body: first.body })
  await call('GET', 'idle')
  expect(await list()).toHaveLength(1)
})

test.each([
  [{ event: 'repo.nothing' }, ['event']],
  [{ kind: 'merge' }, ['kind']],
  [{ mode: 'maybe' }, ['mode']],
  [{ repeat: { times: 0 } }, ['repeat.times']],
  [{ remove: ['no.such'] }, ['remove[0]']],
  [{ overrides: { 'repo.nmae': 'x' } }, ['overrides.repo.nmae']],
  [{ overrides: { 'updatedRefs[0].reff': 'x' } }, ['overrides.updatedRefs[0].reff']],
  [{ overrides: { 'discussion.title': 'x' } }, ['overrides.discussion.title']],
])('the trigger %j is refused', async (change, paths) => {
  const request = { event: 'repo.content', repo: 'acme/corpus', ...change }
  expectInvalid(await call('POST', 'events', request), paths)
})

test('an unknown or ambiguous repo is refused', async () => {
  const cause = (repo: string) => call('POST', 'events', { event: 'repo.content', repo })
  expectNotFound(await cause('acme/none'), ['repo'])
  expectConflict(await cause('acme/tagger'), ['repo'])
  expect((await cause('models/acme/tagger')).status).toBe(202)
})

test('lists skipped webhooks when asked, with the reason', async () => {
  const webhook = await makeWebhook({ domains: ['discussion'] })
  const { skipped } = await trigger()
  expect(skipped).toMatchObject([{ webhookId: webhook.id, reason: 'domain-filtered' }])
  expect(await list()).toEqual([])
  expect(await list('?state=skipped,succeeded')).toMatchObject([
    { state: 'skipped', reason: 'domain-filtered', explanation: expect.any(String), attempts: [] },
  ])
})

test('deliveries are filtered and have pages', async () => {
  const webhook = await makeWebhook()
  for (let i = 0; i < 3; i += 1) await trigger()
  await trigger({ event: 'discussion.create' })
  await call('GET', 'idle')
  expect(await list('?scope=repo.content')).toHaveLength(3)
  expect(await list(`?webhookId=${webhook.id}&state=succeeded`)).toHaveLength(4)
  expect(await list('?state=failed')).toEqual([])
  expectInvalid(await call('GET', 'deliveries?repo=acme/other'), ['repo'])
  expect(await list('?since=2099-01-01T00:00:00Z')).toEqual([])
  const first = await read(DeliveryList, 'deliveries?limit=3')
  const rest = await list(`?cursor=${first.nextCursor}`)
  expectInvalid(await call('GET', 'deliveries?cursor=abc'), ['cursor'])
  expect([...first.items, ...rest].map(({ id }) => id)).toEqual((await list()).map(({ id }) => id))
  expectInvalid(await call('GET', 'deliveries?state=lost'), ['state'])
  expectInvalid(await call('GET', 'deliveries?since=today'), ['since'])
})

test('deliveries are filtered by a query, in pages, too', async () => {
  const webhook = await makeWebhook({ name: 'Training bot' })
  for (let i = 0; i < 3; i += 1) await trigger()
  await trigger({ event: 'discussion.create' })
  await call('GET', 'idle')
  const found = async (query: string, rest = '') => list(`?q=${encodeURIComponent(query)}${rest}`)
  expect(await found('kind:repo.* status:2xx webhook:training')).toHaveLength(3)
  expect(await found('status:succeeded -kind:repo.*')).toMatchObject([{ scope: 'discussion' }])
  expect(await found(`webhook:${webhook.id} user:alice attempt:1 took:<1m`)).toHaveLength(4)
  expect(await found('kind:repo.*', '&scope=discussion')).toEqual([])
  const first = await read(DeliveryList, 'deliveries?limit=2&q=kind:repo.*')
  expect(first.items).toHaveLength(2)
  expect(await found('kind:repo.*', `&limit=2&cursor=${first.nextCursor}`)).toHaveLength(1)
  expectInvalid(await call('GET', 'deliveries?q=status:lost'), ['q'])
})

test('a query lists skipped deliveries if it names them', async () => {
  await makeWebhook({ domains: ['discussion'] })
  await trigger()
  expect(await list('?q=kind:repo.*')).toEqual([])
  expect(await list('?q=status:skipped')).toMatchObject([{ reason: 'domain-filtered' }])
})

test('lists rows without payloads, requests and responses', async () => {
  await makeWebhook()
  await trigger()
  await call('GET', 'idle')
  const [row] = await list('?view=rows')
  const [full] = await list('?view=full')
  const { payload, attempts, ...rest } = full!
  expect(payload).toBeDefined()
  const [{ timings, request, response, ...tried } = expect.fail()] = attempts
  expect(timings).toMatchObject({ connectMs: expect.any(Number), waitMs: expect.any(Number) })
  expect(request).toBeDefined()
  expect(response).toBeDefined()
  expect(row).toEqual({ ...rest, attempts: [tried] })
  expectInvalid(await call('GET', 'deliveries?view=brief'), ['view'])
})

test('replays a delivery, and sends an edited one as a new delivery', async () => {
  await makeWebhook()
  const { deliveries } = await trigger()
  const id = deliveries[0]!.id
  await call('GET', 'idle')
  const again = await send(AttemptItem, 'POST', `deliveries/${id}/replay`)
  expect(again).toMatchObject({ number: 2, source: 'replay', status: 200 })
  expect(receiver.received[1]).toBe(receiver.received[0])
  await send(AttemptItem, 'POST', `deliveries/${id}/replay`, { payload: { a: 1 } })
  expect(receiver.received[2]).toBe('{"a":1}')
  expect(await list()).toMatchObject([{ derivedFrom: id }, { id, attempts: [{}, {}] }])
  await read(DeliveryItem, `deliveries/${id}`)
  expectNotFound(await call('POST', 'deliveries/none/replay'))
  expectNotFound(await call('GET', 'deliveries/none'))
})

describe('several replays', () => {
  const replay = (body: object) => send(ReplayedMany, 'POST', 'deliveries/replay', body)
  const causeThree = async () => {
    await makeWebhook()
    const { deliveries } = await trigger({ repeat: { times: 3 } })
    await call('GET', 'idle')
    return deliveries.map(({ id }) => id)
  }

  test('replays are counted by outcome, and unsent ones are named', async () => {
    const ids = await causeThree()
    receiver.status = 503
    const outcome = await replay({ ids: [...ids, 'none'] })
    expect(outcome).toMatchObject({ succeeded: 0, failed: 3, refused: 1 })
    const [first] = outcome.items.filter(({ deliveryId }) => deliveryId === ids[0])
    expect(first?.attempt).toMatchObject({ number: 2, source: 'replay', status: 503 })
    expect(first?.attempt).not.toHaveProperty('response')
    expect(outcome.items.filter(({ refused: why }) => why === 'Delivery not found')).toHaveLength(1)
    expect(receiver.received).toHaveLength(6)
  })

  test('duplicates are new deliveries with the same body', async () => {
    const [id = ''] = await causeThree()
    const { items } = await replay({ ids: [id], duplicates: 4 })
    expect(items.map(({ deliveryId }) => deliveryId)).toEqual([id, id, id, id])
    expect(new Set(items.map(({ duplicateId }) => duplicateId)).size).toBe(4)
    expect(new Set(receiver.received.slice(3))).toEqual(new Set([receiver.received[0]]))
    const body = await read(DeliveryItem, `deliveries/${items[0]?.duplicateId}`)
    expect(body).toMatchObject({ derivedFrom: id, duplicate: true, state: 'succeeded' })
    const webhook = (await read(WebhookList, 'webhooks')).items[0]
    expect(webhook?.usage.used).toBe(3)
  })

  const names = (count: number) => Array.from({ length: count }, (_, index) => String(index))

  test.each([
    ['no delivery', { ids: [] }, ['ids']],
    ['nothing at all', {}, ['ids']],
    ['more than 500', { ids: names(501) }, ['ids']],
    ['an unknown order', { ids: ['a'], order: 'newest' }, ['order']],
    ['no duplicates', { ids: ['a'], duplicates: 0 }, ['duplicates']],
    ['too many duplicates of several', { ids: names(6), duplicates: 100 }, ['duplicates']],
  ])('replays are refused for %s', async (_name, request, paths) => {
    expectInvalid(await call('POST', 'deliveries/replay', request), paths)
  })
})

test('a delivery has its cause and its effects', async () => {
  await makeWebhook()
  const { deliveries } = await trigger()
  const [{ id } = expect.fail()] = deliveries
  await call('GET', 'idle')
  await world.hub('GET', '/api/whoami-v2', {
    token: 'hf_sandbox_alice',
  })
  await world.hub('GET', '/api/whoami-v2', { token: 'hf_nobody' })
  const commit = { user: 'bob', title: 'Answer', files: { 'a.txt': 'a' } }
  await call('POST', 'repos/dataset/acme/corpus/commits', commit)
  await call('GET', 'idle')
  const body = await read(DeliveryStory, `deliveries/${id}/story`)
  expect(body).toMatchObject({
    cause: 'trigger',
    actor: { username: 'alice' },
    explanation: 'A user of the sandbox triggered it by hand, as alice.',
    commitId: expect.stringMatching(/^[0-9a-f]{40}$/),
    effects: {
      basis: expect.stringContaining('alice, who owns the webhook'),
      requests: [{ path: '/api/whoami-v2', user: { username: 'alice' } }],
      deliveries: [{ scope: 'repo.content', action: 'update' }],
    },
  })
  const titles = body.effects?.commits.map(({ title, author }) => `${title} by ${author}`)
  expect(titles).toContain('Answer by bob')
  expect(body.effects?.commits.map((one) => one.id)).not.toContain(body.commitId)

  await call('POST', 'clock', { frozen: true })
  const frozen = await read(DeliveryStory, `deliveries/${id}/story`)
  expect(frozen.effects?.basis).toContain('The clock is frozen')
  expectNotFound(await call('GET', 'deliveries/none/story'))
})

test('an unsent delivery has no effects', async () => {
  await makeWebhook({ held: true })
  const { deliveries } = await trigger({ mode: 'send' })
  const body = await read(DeliveryStory, `deliveries/${deliveries[0]?.id}/story`)
  expect(body.cause).toBe('synthetic')
  expect(body).not.toHaveProperty('effects')
})

test('a webhook has its charts', async () => {
  const { id, createdAt } = await makeWebhook()
  const ask = (query = '') => read(WebhookStatistics, `webhooks/${id}/statistics${query}`)
  expect(await ask()).toMatchObject({
    deliveries: { attempted: 0, successRate: null },
    latency: { measured: 0 },
    errors: [],
    overTime: { spanMs: 0, spans: [] },
  })
  await trigger({ repeat: { times: 3 } })
  await call('GET', 'idle')
  receiver.status = 503
  const { deliveries } = await trigger()
  await call('GET', 'idle')
  const all = await ask()
  expect(all).toMatchObject({
    deliveries: { attempted: 4, succeeded: 3, failing: 1 },
    usage: { used: 4, limit: 1000 },
    latency: { measured: 4, notMeasured: 0, p50Ms: expect.any(Number) },
    errors: [{ class: 'http_status', status: 503, count: 1, lastDeliveryId: deliveries[0]?.id }],
    otherErrors: 0,
  })
  expect(all.latency.buckets.reduce((sum, { succeeded }) => sum + succeeded, 0)).toBe(3)
  expect(await ask(`?since=${createdAt}`)).toEqual(all)
  const future = new Date(Date.now() + 3_600_000).toISOString()
  expect((await ask(`?since=${future}`)).deliveries.attempted).toBe(0)
  const path = `webhooks/${id}/statistics`
  expectInvalid(await call('GET', `${path}?since=noon`), ['since'])
  expectInvalid(await call('GET', `${path}?after=1`), ['after'])
  expectNotFound(await call('GET', 'webhooks/none/statistics'))
})

test('pending deliveries are listed, cancelled and recovered', async () => {
  receiver.status = 503
  const webhook = await makeWebhook()
  const { deliveries } = await trigger()
  const id = deliveries[0]!.id
  await call('GET', 'idle')
  const waiting = await call<NotIdle>('GET', 'idle?timeout=50ms&waiting=1')
  expect(waiting.status).toBe(504)
  expectShape(NotIdle, waiting.body)
  expect(waiting.body.outstanding).toMatchObject([
    { deliveryId: id, webhookId: webhook.id, state: 'waiting', nextRetryAt: expect.any(String) },
  ])
  const cancelled = await send(DeliveryItem, 'POST', `deliveries/${id}/cancel`)
  expect(cancelled).toMatchObject({ state: 'cancelled', cancelledBecause: expect.any(String) })
  expectConflict(await call('POST', `deliveries/${id}/cancel`))
  expectNotFound(await call('POST', 'deliveries/none/cancel'))
  receiver.status = 200
  const recovered = await call('POST', `webhooks/${webhook.id}/recover`, {
    since: '2000-01-01T00:00:00Z',
  })
  expectShape(Recovered, recovered.body)
  expect(recovered.body).toEqual({ deliveries: 1 })
  await call('GET', 'idle')
  expect(await list()).toMatchObject([{ id, state: 'succeeded' }])
  expectInvalid(await call('GET', 'idle?timeout=soon'), ['timeout'])
})

test('holds deliveries until they are released', async () => {
  const webhook = await makeWebhook({ held: true })
  await trigger()
  expect((await list()).map(({ state }) => state)).toEqual(['held'])
  expect(receiver.received).toEqual([])
  await call('PATCH', `webhooks/${webhook.id}`, { held: false })
  await call('GET', 'idle')
  expect((await list()).map(({ state }) => state)).toEqual(['succeeded'])
})

test('deliveries are followed as NDJSON', async () => {
  await makeWebhook()
  await trigger()
  await call('GET', 'idle')
  const address = `${world.sandbox.url}/_sandbox/api/deliveries?follow=1&scope=repo.content`
  const answer = await fetch(address)
  expect(answer.headers.get('content-type')).toContain('application/x-ndjson')
  const reader = answer.body!.pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  const read = async (until: (lines: DeliveryItem[]) => boolean): Promise<DeliveryItem[]> => {
    const round = limitRounds()
    for (;;) {
      round()
      const lines = text.split('\n').slice(0, -1)
      const items = lines.map((line) => JSON.parse(line) as DeliveryItem)
      if (until(items)) return items
      text += (await reader.read()).value ?? ''
    }
  }
  await read((items) => items.length === 1)
  await trigger({ event: 'discussion.create' })
  await trigger()
  const items = await read((seen) => seen.filter(({ state }) => state === 'succeeded').length >= 2)
  for (const item of items) expectShape(DeliveryItem, item)
  expect(items.every(({ scope }) => scope === 'repo.content')).toBe(true)
  await reader.cancel()
})

test('following deliveries sends headers at once and then all matches', async () => {
  const address = `${world.sandbox.url}/_sandbox/api/deliveries?follow=1&view=rows`
  // Nothing matches yet, so that no line comes with it.
  const answer = await fetch(address)
  expect(answer.status).toBe(200)
  await answer.body?.cancel()
  await makeWebhook({ held: true })
  const times = 300
  await trigger({ mode: 'send', repeat: { times } })
  const reader = (await fetch(address)).body!.pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  const round = limitRounds(10_000)
  while (text.split('\n').length <= times) {
    round()
    text += (await reader.read()).value ?? ''
  }
  await reader.cancel()
  const lines = text.split('\n').slice(0, -1)
  const ids = lines.map((line) => (JSON.parse(line) as DeliveryItem).id)
  expect(ids).toEqual(
    Array.from(world.sandbox.deps.state.deliveries.values(), ({ id }) => id).slice(0, times),
  )
})
