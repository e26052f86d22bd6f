import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type {
  DeliveryItem,
  DeliveryList,
  DeliverySummary,
} from '../../../server/contract/control-deliveries.ts'
import type { WebhookItem } from '../../../server/contract/control-webhooks.ts'
import { type Sandbox, startSandbox } from '../../../server/index.ts'
import { controlFixtures } from '../../helpers/control.ts'
import { openServer } from '../../helpers/json-receiver.ts'

const secret = 'Right-Secret-42'
const kept = 5

let sandbox: Sandbox
let server: Awaited<ReturnType<typeof openServer>>
let target: string
let webhookId: string
/** Whether the receiver fails on everything. */
let isBroken = false

beforeAll(async () => {
  sandbox = await startSandbox({
    fixtures: { ...controlFixtures, config: { caps: { deliveries: kept } } },
  })
  // It refuses other secrets, and repeats the secret that it was sent.
  server = await openServer((request, response) => {
    request.resume().on('end', () => {
      const given = String(request.headers['x-webhook-secret'])
      response.statusCode = isBroken ? 500 : given === secret ? 200 : 401
      response.end(`You sent ${given}`)
    })
  })
  target = `${server.origin}/hook`
  const watched = [{ type: 'org', name: 'acme' }]
  const body = { user: 'alice', url: target, secret, watched, domains: ['repo'] }
  const made = await post<WebhookItem>('webhooks', body)

  webhookId = made.id
}, 30_000)
afterAll(async () => {
  await server.close()
  await sandbox.close()
})

const api = (path: string, init?: RequestInit) => fetch(`${sandbox.url}/_sandbox/api/${path}`, init)
const get = async <T>(path: string) => (await (await api(path)).json()) as T
const post = async <T>(path: string, body: object = {}) =>
  (await (
    await api(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
  ).json()) as T

const audited = async (query = '') =>
  (await get<DeliveryList>(`deliveries?limit=1000&q=source:audit${query}`)).items

const runAudit = (only: string[]) =>
  sandbox.audit.receiver({ webhookId, plan: 'full', only, effects: () => 0 })

/** Sends a real delivery. */
const deliver = async () => {
  const { deliveries } = await post<{ deliveries: { id: string }[] }>('events', {
    event: 'repo.content',
    repo: 'datasets/acme/corpus',
  })
  return deliveries[0]?.id ?? ''
}

describe('an attempt of an audit counts nowhere', () => {
  const webhook = () => get<WebhookItem>(`webhooks/${webhookId}`)
  /** Reads everything that counts deliveries. */
  const readings: Record<string, () => Promise<unknown>> = {
    list: async () => (await get<DeliveryList>('deliveries')).items.length,
    'failed ones of the list': async () =>
      (await get<DeliveryList>('deliveries?q=status:>=400')).items.length,
    'results of the webhook': async () => (await webhook()).deliveries,
    'quota of the webhook': async () => (await webhook()).usage,
    'health of the webhook': async () => (await webhook()).health,
    'last delivery of the webhook': async () => (await webhook()).lastTriggerAt,
    'suspension of the webhook': async () => (await webhook()).consecutiveFailures,
    'charts of the webhook': () => get(`webhooks/${webhookId}/statistics`),
    overview: async () => (await get<{ counts?: unknown }>('overview')).counts,
    issues: () => get('issues'),
    retries: async () =>
      (await get<{ outstanding?: unknown[] }>('idle?timeout=1ms&waiting=1')).outstanding?.length,
    'feed of facts': async () =>
      (await get<{ items: { type: string }[] }>('facts')).items.filter(({ type }) =>
        type.startsWith('delivery.'),
      ).length,
    checks: async () => (await get<{ items: unknown[] }>('advice')).items.length,
    'rules that judged': async () => (await get<{ rules: unknown }>('advice')).rules,
    'report of the run': async () =>
      (await get<{ text: string }>('report')).text.split('repo.content').length,
    'deliveries of the handle': () => sandbox.deliveries(),
  }
  const names = Object.keys(readings)
  const readAll = async () =>
    new Map(await Promise.all(names.map(async (name) => [name, await readings[name]?.()] as const)))
  let before: Map<string, unknown>
  let recorded = 0
  let afterAudit: Map<string, unknown>
  let afterDelivery: Map<string, unknown>

  beforeAll(async () => {
    before = await readAll()
    await runAudit(['secret'])
    recorded = (await audited()).length
    afterAudit = await readAll()
    isBroken = true
    await deliver()
    await sandbox.idle()
    // Suspension counts deliveries that have no retry left.
    await post('clock', { untilIdle: true })
    const waiting = await deliver()
    await sandbox.idle()
    afterDelivery = await readAll()
    isBroken = false
    await post(`deliveries/${waiting}/cancel`)
  }, 60_000)

  test.each(names)('%s', (name) => {
    expect(recorded).toBeGreaterThan(10)
    expect(afterAudit.get(name)).toEqual(before.get(name))
    // A delivery does count.
    expect(afterDelivery.get(name)).not.toEqual(before.get(name))
  })
})

describe('an attempt of an audit', () => {
  test('pushes out no delivery of the user', async () => {
    const ids: string[] = []
    for (let count = 0; count < kept; count++) ids.push(await deliver())
    await sandbox.idle()
    const listed = async () => (await sandbox.deliveries()).map(({ id }) => id)
    expect(await listed()).toEqual(ids)
    const before = await audited()
    await runAudit(['time/burst'])
    expect((await audited()).length).toBeGreaterThanOrEqual(before.length + 50)
    expect(await listed()).toEqual(ids)
    // A delivery does.
    const next = await deliver()
    await sandbox.idle()
    expect(await listed()).toEqual([...ids.slice(1), next])
  }, 60_000)

  test('is named in the report, with its headers, body and response', async () => {
    const { id, verdicts } = await runAudit(['secret/wrong', 'secret/empty', 'body/not-json'])
    const shown = await Promise.all(
      verdicts.map(async ({ evidence: [first] }) => get<DeliveryItem>(`deliveries/${first?.id}`)),
    )
    expect(shown.map(({ audit }) => audit)).toEqual(verdicts.map(({ module }) => ({ id, module })))
    const [wrong, empty, broken] = shown.map(({ attempts: [attempt] }) => attempt)
    expect(wrong).toMatchObject({
      source: 'audit',
      outcome: 'failed',
      status: 401,
      request: { method: 'POST', url: target },
      response: { body: expect.stringMatching(/^You sent wrong-/) },
    })
    const secretOf = (attempt: typeof wrong) =>
      attempt?.request?.headers.find(([name]) => name === 'X-Webhook-Secret')?.[1]
    expect([wrong, empty].map(secretOf)).toEqual(['***', ''])
    expect(broken?.request?.sent).toEqual({
      body: '{"event": {',
      encoding: 'utf-8',
      size: 11,
      truncated: false,
    })
    const report = await get<{ text: string }>(`audits/${id}/report?format=text`)
    const accepted = verdicts.find(({ module }) => module === 'body/not-json')
    expect(report.text).toContain(`(${accepted?.evidence[0]?.id})`)
  }, 60_000)

  test('is listed on request, among the deliveries before and after it', async () => {
    const first = await deliver()
    await sandbox.idle()
    const { id } = await runAudit(['secret/missing'])
    const last = await deliver()
    await sandbox.idle()
    const list = async (query: string) =>
      (await get<DeliveryList>(`deliveries?view=rows&limit=1000&${query}`)).items
    const own = await list(`eventId=${id}&q=source:audit`)
    const wanted = await audited()
    expect(own).toEqual(
      wanted.slice(0, own.length).map((item) => expect.objectContaining({ id: item.id })),
    )
    expect(await list(`webhookId=${webhookId}&q=source:audit`)).toHaveLength(wanted.length)
    const mixed = (await list('q=source:audit,auto')).map((item) => item.id)
    expect(mixed.slice(0, own.length + 2)).toEqual([last, ...own.map((item) => item.id), first])
    expect(await list('q=-source:auto')).toEqual([])
    // The pages continue in the middle of an audit.
    const pages: string[] = []
    for (let cursor = ''; ;) {
      const page = await get<DeliveryList>(`deliveries?limit=2&q=source:audit,auto${cursor}`)
      pages.push(...page.items.map((item) => item.id))
      if (page.nextCursor === undefined) break
      cursor = `&cursor=${page.nextCursor}`
    }
    expect(pages).toEqual(mixed)
    expect((await api('deliveries?follow=1&q=source:audit')).status).toBe(400)
    expect((await api('deliveries?follow=1&audits=1')).status).toBe(400)
    // By place, too, and beside all others.
    const top = await get<DeliveryList>('deliveries?audits=1&skip=0&limit=1000')
    const { items, total = 0, asOf } = top
    expect(items.slice(0, own.length + 2).map((item) => item.id)).toEqual(
      mixed.slice(0, own.length + 2),
    )
    await runAudit(['secret/missing'])
    const inPlace = await get<DeliveryList>(`deliveries?audits=1&skip=1&limit=2&cursor=${asOf}`)
    expect(inPlace).toMatchObject({ total, items: [{ id: mixed[1] }, { id: mixed[2] }] })
    const around = await get<DeliveryList>(
      `deliveries?audits=1&around=${own[0]?.id}&cursor=${asOf}`,
    )
    expect(around.items.map((item) => item.id)).toContain(own[0]?.id)
    const sums = await get<DeliverySummary>(`deliveries/summary?audits=1&cursor=${asOf}`)
    expect(sums).toMatchObject({ listed: total, audits: wanted.length, newer: own.length })
    expect(sums.total + sums.audits).toBe(total)
  }, 60_000)

  test('cannot be replayed or cancelled', async () => {
    await runAudit(['secret/missing'])
    const [one] = await audited()
    for (const action of ['replay', 'cancel', 'release']) {
      const refusal = await post<{ message: string }>(`deliveries/${one?.id}/${action}`)
      expect(refusal.message).toContain('--only secret/missing')
    }
    expect((await api(`deliveries/${one?.id}/report`)).status).toBe(404)
  }, 60_000)

  test('of a URL without a webhook names the audit instead', async () => {
    const { id } = await sandbox.audit.receiver({ url: target, secret, only: ['secret/missing'] })
    const [one] = await audited()
    expect(one).toMatchObject({ webhookId: id, eventId: id, audit: { id } })
  }, 60_000)

  test('of a storm is not kept, and a reset forgets all', async () => {
    const before = await audited()
    await sandbox.audit.receiver({ webhookId, storm: { events: 2, orders: 1 } })
    expect(await audited()).toEqual(before)
    await sandbox.reset()
    expect(await audited()).toEqual([])
  }, 60_000)
})
