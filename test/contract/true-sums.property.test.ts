import * as fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { describeGlance } from '../../electron/menu-state.ts'
import { takeGlance } from '../../electron/watch.ts'
import { toRow } from '../../renderer/api/delivery-rows.ts'
import { countFlows } from '../../renderer/features/apps/model/app-flows.ts'
import { figuresOf } from '../../renderer/features/deliveries/model/figures.ts'
import { subjectOfRow } from '../../renderer/features/deliveries/model/filter.ts'
import { lookOf } from '../../renderer/features/deliveries/model/state-look.ts'
import { activityLines, withoutEchoes } from '../../renderer/features/home/model/activity-lines.ts'
import { issuePath } from '../../renderer/features/home/model/delivery-failures.ts'
import { standingOf } from '../../renderer/features/home/model/standing.ts'
import { filterFlows } from '../../renderer/features/sign-ins/model/filter-flows.ts'
import { lookOfStep, outcomeLooks } from '../../renderer/shared/flow-looks.ts'
import { filterEntries } from '../../renderer/shared/query/filter-entries.ts'
import { flowSummary } from '../../server/cli/flow-lines.ts'
import { wordOf } from '../../server/cli/listen-command.ts'
import { readCases } from '../../server/cli/read-run.ts'
import type { DeliveryItem } from '../../server/contract/control-deliveries.ts'
import type { Overview } from '../../server/contract/control-health.ts'
import type { FlowItem } from '../../server/contract/control-requests.ts'
import { flowResults } from '../../server/contract/words/sandbox-words.ts'
import { junitOf } from '../../server/inspect/exports/run-junit.ts'
import { summaryOf } from '../../server/inspect/exports/run-summary.ts'
import type { RunCase } from '../../server/inspect/exports/run-cases.ts'
import type { Delivery } from '../../server/store/entities/webhook-entities.ts'
import { createControlCall } from '../../server/web/control-client.ts'
import { controlWorld } from '../helpers/control.ts'
import { type History, historyPlayer, type Step, step } from '../helpers/random-history.ts'

// Each number and word of each surface against the log. The expected ones are counted here, by code of this file alone, from
// the stored deliveries, attempts and requests, and from what the player of a history knows about its sign-ins.

const histories = 200

const world = controlWorld()
let player: Awaited<ReturnType<typeof historyPlayer>>
beforeAll(async () => {
  player = await historyPlayer(world)
})
afterAll(() => player.close())

const call = createControlCall(async ({ method, path, headers, body }) => {
  const answer = await world.sandbox.app.inject({
    method: method as 'GET',
    url: path,
    headers: {
      host: new URL(world.sandbox.url).host,
      ...headers,
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { payload: JSON.stringify(body) }),
  })
  return { status: answer.statusCode, body: JSON.parse(answer.body) as unknown }
})

type Word = 'succeeded' | 'failing' | 'failed' | 'pending' | 'cancelled' | 'not run'
const words = ['succeeded', 'failing', 'failed', 'pending', 'cancelled', 'not run'] as const

const attemptsOf = ({ id }: Pick<Delivery, 'id'>) =>
  world.sandbox.deps.state.attempts.group('delivery', id)

/** Result of a stored delivery, by its attempts. */
function resultOf(delivery: Delivery): Word {
  const ended = attemptsOf(delivery).filter(({ outcome }) => outcome !== undefined)
  switch (delivery.state) {
    case 'succeeded':
      return ended.some(({ outcome, status }) => outcome === 'succeeded' && status !== undefined)
        ? 'succeeded'
        : 'not run'
    case 'failed':
    case 'cancelled':
      return delivery.state
    default:
      return ended.length > 0 ? 'failing' : 'pending'
  }
}

/** The log, as it is stored. */
function readLog({ signIns }: History) {
  const { state, requests, clock } = world.sandbox.deps
  const deliveries = [...state.deliveries.values()]
  const results = new Map(deliveries.map((delivery) => [delivery.id, resultOf(delivery)]))
  const countOf = (word: Word, of = deliveries) =>
    of.filter(({ id }) => results.get(id) === word).length
  const flows = signIns.map(({ result, expiresAt = Infinity, audit, spoiled }) => ({
    result: result === 'pending' && expiresAt <= clock.now() ? 'expired' : result,
    audit: audit === true,
    spoiled: spoiled === true,
  }))
  // Polls and denials are steps of their protocol; what an audit provoked is its own.
  const steps = new Set(['authorization_pending', 'slow_down', 'access_denied'])
  const refused = [...requests.values()].filter(
    ({ error, request }) =>
      error !== undefined &&
      !steps.has(error) &&
      !String((request.body as URLSearchParams | undefined)?.get?.('code')).startsWith('audited'),
  )
  return { deliveries, results, countOf, flows, refused }
}
type Log = ReturnType<typeof readLog>

const idsOf = (items: readonly { id: string }[]) => items.map(({ id }) => id).toSorted()

async function deliveriesBy(q: string): Promise<DeliveryItem[]> {
  return (await call('GET deliveries', { query: { q, limit: 1000 } })).items
}

async function flowsBy(q: string): Promise<FlowItem[]> {
  return (await call('GET flows', { query: { q, limit: 1000 } })).items
}

const queryIn = (href: string) => new URL(href, 'http://x').searchParams.get('q') ?? ''

async function compareOverview(overview: Overview, log: Log): Promise<void> {
  const { deliveries, countOf, refused } = log
  const { deliveries: told } = overview
  const numbers = [
    told.succeeded,
    told.failing,
    told.failed,
    told.pending,
    told.cancelled,
    told.notRun,
  ]
  expect(numbers).toEqual(words.map((word) => countOf(word)))
  expect(told.total).toBe(deliveries.length)
  expect(numbers.reduce((sum, count) => sum + count)).toBe(told.total)
  expect(overview.counts.deliveries).toBe(deliveries.length)
  expect(overview.counts.outstandingDeliveries).toBe(countOf('failing') + countOf('pending'))
  const { state } = world.sandbox.deps
  const webhooks = [...state.webhooks.values()]
  const suspended = webhooks.filter(({ status }) => status === 'suspended-after-failure')
  const failing = webhooks.filter(
    ({ status, lastFailure }) => status === 'enabled' && lastFailure !== undefined,
  )
  expect(overview.suspendedWebhooks).toBe(suspended.length)
  expect(overview.failingWebhooks).toBe(failing.length)
  const isGood = countOf('failing') + countOf('failed') + countOf('pending') === 0
  const isAll = isGood && suspended.length + failing.length === 0 && countOf('succeeded') > 0
  expect(standingOf(overview).title === 'All delivered').toBe(isAll)
  const spans = overview.requestDensity.spans.map((span) => span.refused)
  expect(spans.reduce((sum, count) => sum + count, 0)).toBe(refused.length)
  await compareRefusals(overview, log)
  for (const issue of overview.issues.items) {
    const found = await deliveriesBy(queryIn(issuePath(issue)))
    expect(found.length).toBe(issue.failing + issue.failed)
    expect(found.filter(({ id }) => log.results.get(id) === 'failed').length).toBe(issue.failed)
    expect(found.every(({ webhookId }) => webhookId === issue.webhookId)).toBe(true)
  }
}

async function compareRefusals({ refusals }: Overview, { refused }: Log): Promise<void> {
  const found = await call('GET requests', { query: { q: 'is:refused', limit: 1000 } })
  expect(idsOf(found.items)).toEqual(idsOf(refused))
  const groups = new Map<string, number>()
  for (const { detail = '' } of found.items) groups.set(detail, (groups.get(detail) ?? 0) + 1)
  expect(new Map(refusals.map(({ reason, count }) => [reason, count]))).toEqual(groups)
}

/** Statistics and rows of each webhook. */
async function compareWebhooks({ deliveries, countOf }: Log): Promise<void> {
  for (const webhook of (await call('GET webhooks', { query: { limit: 1000 } })).items) {
    const own = deliveries.filter(({ webhookId }) => webhookId === webhook.id)
    const told = webhook.deliveries
    const counted = [told.succeeded, told.failing, told.failed, told.pending, told.cancelled]
    expect([...counted, told.notRun]).toEqual(words.map((word) => countOf(word, own)))
    const { id } = webhook
    const figures = await call('GET webhooks/:id/statistics', { params: { id } })
    expect(figures.deliveries).toEqual(told)
    const sum = (name: 'succeeded' | 'failing' | 'failed' | 'open') =>
      figures.overTime.spans.reduce((total, span) => total + span[name], 0)
    const overTime = [sum('succeeded'), sum('failing'), sum('failed'), sum('open')]
    expect(overTime).toEqual(words.slice(0, 4).map((word) => countOf(word, own)))
    const attempts = own.flatMap(attemptsOf)
    // A response time needs a response.
    const times = attempts
      .filter(({ response }) => response !== undefined)
      .map(({ durationMs = 0 }) => durationMs)
    expect(figures.latency.measured).toBe(times.length)
    expect(figures.latency.maxMs).toBe(times.length === 0 ? undefined : Math.max(...times))
    expect(webhook.p95Ms).toBe(atRank(times, 0.95))
    const atFirst = own.filter((delivery) => {
      const [first] = attemptsOf(delivery)
      return first?.outcome === 'succeeded' && first.status !== undefined
    })
    expect(told.succeededAtFirst).toBe(atFirst.length)
    const listed = await deliveriesBy(`webhook:${id} is:first-try`)
    expect(idsOf(listed)).toEqual(idsOf(atFirst))
  }
}

/** Quantile by nearest rank. */
function atRank(times: readonly number[], share: number): number | undefined {
  return times.toSorted((a, b) => a - b)[Math.ceil(times.length * share) - 1]
}

/** Response times of the last attempts, the shortest first. */
function lastTimes(deliveries: readonly Delivery[]): number[] {
  const times = deliveries.flatMap((delivery) => {
    const last = attemptsOf(delivery).at(-1)
    return last?.response === undefined ? [] : [last.durationMs ?? 0]
  })
  return times.toSorted((a, b) => a - b)
}

/** The summary of all deliveries, and of those with each word. */
async function compareSummary({ deliveries, results, countOf }: Log): Promise<void> {
  const sums = await call('GET deliveries/summary')
  const numbers = [sums.succeeded, sums.failing, sums.failed, sums.pending, sums.cancelled]
  expect([...numbers, sums.notRun]).toEqual(words.map((word) => countOf(word)))
  expect([sums.total, sums.listed]).toEqual([deliveries.length, deliveries.length])
  const times = lastTimes(deliveries)
  expect([sums.p50Ms, sums.p95Ms]).toEqual([atRank(times, 0.5), atRank(times, 0.95)])
  const sum = (name: 'succeeded' | 'failing' | 'failed' | 'open') =>
    sums.spans.reduce((total, span) => total + span[name], 0)
  const inSpans = [sum('succeeded'), sum('failing'), sum('failed'), sum('open')]
  expect(inSpans).toEqual(words.slice(0, 4).map((word) => countOf(word)))
  for (const word of words) {
    const q = `status:"${word}"`
    const wanted = deliveries.filter(({ id }) => results.get(id) === word)
    const some = await call('GET deliveries/summary', { query: { q } })
    expect([q, some.total, some.listed]).toEqual([q, wanted.length, deliveries.length])
    expect(some.p95Ms).toBe(atRank(lastTimes(wanted), 0.95))
    const placed = await call('GET deliveries', { query: { q, skip: 0, limit: 1 } })
    expect([q, placed.total]).toEqual([q, wanted.length])
    const { ids } = await call('GET deliveries/ids', { query: { q } })
    expect(ids.toSorted()).toEqual(idsOf(wanted))
  }
}

/** The list of the dashboard, its figures, and the query by each word that it shows. */
async function compareRows({ deliveries, results }: Log): Promise<void> {
  const page = await call('GET deliveries', { query: { view: 'rows', limit: 1000 } })
  const rows = page.items.map(toRow)
  expect(idsOf(rows)).toEqual(idsOf(deliveries))
  const sums = await call('GET deliveries/summary')
  const context = { now: 0 }
  for (const { name, value, query } of figuresOf(sums)) {
    if (query === undefined) continue
    const [text = ''] = Object.entries(query).map(([key, word]) => `${key}:${word}`)
    const filtered = filterEntries('deliveries', text, context, rows, (row) =>
      subjectOfRow(row, undefined, false),
    )
    const wanted = deliveries.filter(({ id }) => results.get(id) === name.toLowerCase())
    expect([name, value]).toEqual([name, String(wanted.length)])
    expect(idsOf(filtered.entries)).toEqual(idsOf(wanted))
    expect(idsOf(await deliveriesBy(text))).toEqual(idsOf(wanted))
  }
  for (const row of rows) {
    // An open delivery may show how far it is.
    const shown = lookOf(row).word.toLowerCase()
    const result = results.get(row.id)
    const isOpen = result === 'failing' || result === 'pending'
    const open = isOpen ? ['failing', 'pending', 'queued', 'sending', 'paused'] : [result]
    expect(open).toContain(shown)
    const found = filterEntries('deliveries', `status:"${shown}"`, context, [row], (one) =>
      subjectOfRow(one, undefined, false),
    )
    expect([shown, found.entries.length]).toEqual([shown, 1])
  }
}

/** Sign-ins in lists, menus, queries and counts. */
async function compareFlows({ flows }: Log): Promise<FlowItem[]> {
  const all = await flowsBy('')
  // The player notes them oldest first.
  const shown = all.toReversed().map(({ audit }, index) => {
    const flow = all[all.length - 1 - index]
    return [flow && outcomeLooks[wordOfFlow(flow)].word, audit === true]
  })
  expect(shown).toEqual(flows.map(({ result, audit }) => [result, audit]))
  const counts = countFlows(all)
  for (const word of flowResults) {
    const ofWord = flows.filter(({ result }) => result === word)
    const own = ofWord.filter(({ audit }) => !audit)
    expect([word, counts[word]]).toEqual([word, own.length])
    expect((await flowsBy(`status:${word}`)).length).toBe(ofWord.length)
    expect((await flowsBy(`status:${word} -is:audit`)).length).toBe(own.length)
    const inMenu = filterFlows(all, { kind: '', outcome: word, audited: false })
    expect(inMenu.length).toBe(own.length)
  }
  return all
}

/** The word for a sign-in by its parts, as this file reads them. */
function wordOfFlow({ outcome, denied, expired }: FlowItem) {
  return denied ? 'denied' : expired ? 'expired' : outcome
}

/** Command line: lists, summary and JUnit file. */
async function compareCommands(log: Log, flows: readonly FlowItem[]): Promise<void> {
  const { deliveries, results, countOf } = log
  const own = log.flows.filter(({ audit }) => !audit)
  const count = (word: string) => own.filter(({ result }) => result === word).length
  const cases = await readCases(call)
  const resultsIn = (suite: RunCase['suite']) =>
    new Map(cases.filter((one) => one.suite === suite).map(({ id, result }) => [id, result]))
  const ofFlows = resultsIn('sign-ins')
  for (const flow of flows) {
    const [, , , , word] = flowSummary(flow)
    expect(word).toBe(`${wordOfFlow(flow)}${flow.audit === true ? ' (audit)' : ''}`)
    expect(ofFlows.get(flow.id)).toBe(flow.audit === true ? undefined : wordOfFlow(flow))
  }
  expect(resultsIn('deliveries')).toEqual(results)
  const spoiled = own.filter((flow) => flow.spoiled).length
  const neither = count('denied') + count('expired')
  const aside = countOf('cancelled') + countOf('not run')
  const open = countOf('failing') + countOf('pending')
  const failed = count('refused') + countOf('failed') + spoiled
  const text = summaryOf(cases)
  if (own.length + deliveries.length > 0) {
    expect(text).toContain(
      `| Sign-ins | ${count('completed')} | ${count('refused')} | ${count('pending')} | ${neither} |`,
    )
    expect(text).toContain(
      `| Deliveries | ${countOf('succeeded')} | ${countOf('failed')} | ${open} | ${aside} |`,
    )
    expect(text.includes(`| Refused requests of sign-ins | 0 | ${spoiled} |`)).toBe(spoiled > 0)
  }
  const junit = junitOf({ name: 'run', startedAt: '2026-01-01T00:00:00.000Z', seconds: 1 }, cases)
  expect(junit.match(/<failure /g)?.length ?? 0).toBe(failed)
  expect(junit.match(/<skipped/g)?.length ?? 0).toBe(count('pending') + neither + open + aside)
  const waiting = world.sandbox.deps.state.deliveries
  for (const item of await deliveriesBy('')) {
    const stored = waiting.get(item.id)
    if (stored && !['queued', 'held', 'sending'].includes(stored.state)) {
      expect(wordOf(item)).toBe(results.get(item.id))
    }
  }
}

/** Checks whether the app was told of a denial. */
function hasAnswer(steps: readonly { error?: string }[]): boolean {
  return steps.some(({ error }) => error === 'access_denied')
}

/** Part of the run report about a sign-in. */
function sectionOf(text: string, id: string): string {
  const start = text.search(new RegExp(`<h2>\\s*Sign-in ${id}`))
  return text.slice(start, text.indexOf('</section>', start))
}

/** Run report: the badge of each sign-in and delivery. */
async function compareReport(log: Log, flows: readonly FlowItem[]): Promise<void> {
  const { text } = await call('GET report')
  const badgeOf = (kind: string, id: string) =>
    new RegExp(`<h2>\\s*${kind} ${id}\\s+<span class="badge (\\w+)">([\\w ]+)</span>`).exec(text)
  for (const flow of flows) {
    const [, tone, word] = badgeOf('Sign-in', flow.id) ?? []
    expect(word).toBe(wordOfFlow(flow))
    expect(tone === 'ok').toBe(word === 'completed')
    expect(tone === 'bad').toBe(word === 'refused')
    const { steps } = await call('GET flows/:id', { params: { id: flow.id } })
    expect(steps.some((one) => one.denied === true)).toBe(word === 'denied' && hasAnswer(steps))
    if (word === 'denied') {
      const looks = steps.map((one) => lookOfStep(one).tone)
      expect(looks).not.toContain('bad')
      expect(sectionOf(text, flow.id)).not.toMatch(/class="[\w ]*\bbad\b/)
    }
  }
  for (const [id, result] of log.results) {
    const [, tone, word = ''] = badgeOf('Delivery', id) ?? []
    if (result !== 'failing' && result !== 'pending') expect(word).toBe(result)
    expect(tone === 'ok').toBe(result === 'succeeded')
    expect(tone === 'bad').toBe(result === 'failed')
  }
}

async function compareTray(overview: Overview, { countOf }: Log): Promise<void> {
  const { items: devices } = await call('GET device', { query: { limit: 1000 } })
  const pending = devices.filter(({ status }) => status === 'pending').length
  const { items: webhooks } = await call('GET webhooks', { query: { limit: 1000 } })
  const isPaused = webhooks.length > 0 && webhooks.every(({ held }) => held)
  const some = (count: number, one: string, many: string) =>
    count === 0 ? [] : [`${count} ${count === 1 ? one : many}`]
  const lines = [
    ...(isPaused ? ['deliveries paused'] : []),
    ...some(countOf('pending'), 'pending delivery', 'pending deliveries'),
    ...some(countOf('failing'), 'failing delivery', 'failing deliveries'),
    ...some(countOf('failed'), 'failed delivery', 'failed deliveries'),
    ...some(overview.failingWebhooks, 'failing webhook', 'failing webhooks'),
    ...some(overview.suspendedWebhooks, 'suspended webhook', 'suspended webhooks'),
    ...some(pending, 'pending device', 'pending devices'),
  ]
  expect(describeGlance(await takeGlance(call))).toBe(lines.join(', ') || 'All clear')
}

const names = { user: () => 'user', app: () => 'app', webhook: () => 'hook' }

/** Activity: what a line counts is what its link lists; only the sandbox's own audits are never red. */
async function compareActivity(overview: Overview, { refused }: Log): Promise<void> {
  const facts = (await call('GET facts', { query: { limit: 1000 } })).items
  const { items: webhooks } = await call('GET webhooks', { query: { limit: 1000 } })
  const entries = withoutEchoes(facts)
  const lines = activityLines(entries, names, {
    undelivered: (id) => webhooks.find((webhook) => webhook.id === id)?.deliveries,
    refusals: new Map(overview.refusals.map(({ reason, count }) => [reason, count])),
  })
  let inLines = 0
  for (const { text, href = '', tone, entry } of lines) {
    const query = queryIn(href)
    if (entry.type === 'request.completed') {
      const isOwn = entry.data.audit !== true
      expect(tone).toBe(isOwn ? 'bad' : 'neutral')
      if (!isOwn) continue
      const [, count = '1'] = /· (\d+) in the log/.exec(text) ?? []
      inLines += Number(count)
      if (query === '') continue
      const found = await call('GET requests', { query: { q: query, limit: 1000 } })
      expect([text, found.items.length]).toEqual([text, Number(count)])
    } else if (query !== '') {
      const numbers = [...text.matchAll(/(\d+) (?:failing|failed)/g)].map(([, count]) =>
        Number(count),
      )
      const found = await deliveriesBy(query)
      expect([text, found.length]).toEqual([text, numbers.reduce((sum, count) => sum + count, 0)])
    }
    if (entry.type === 'authorization.denied' || entry.type === 'device.denied') {
      expect(tone).toBe('neutral')
    }
  }
  expect(inLines).toBe(refused.length)
}

/** What the histories had, so that no comparison is empty in all of them. */
const seen = new Set<string>()

function noteSeen({ deliveries, results, flows }: Log, overview: Overview): void {
  const has = (what: string, isThere: boolean) => isThere && seen.add(what)
  for (const word of results.values()) has(word, true)
  for (const { result, audit, spoiled } of flows) {
    has(result, true)
    has('audit', audit)
    has('refused request of a sign-in', spoiled)
  }
  has('suspended webhook', overview.suspendedWebhooks > 0)
  has('failing webhook', overview.failingWebhooks > 0)
  has(
    'group of refusals',
    overview.refusals.some(({ count }) => count > 1),
  )
  has('all delivered', standingOf(overview).title === 'All delivered')
  const errors = deliveries.flatMap(attemptsOf).map(({ error }) => error?.class ?? '')
  for (const name of errors) has(name, name !== '')
}

const expectedToBeSeen = [
  ...words,
  ...flowResults,
  'audit',
  'refused request of a sign-in',
  'suspended webhook',
  'failing webhook',
  'group of refusals',
  'all delivered',
  'connection_refused',
  'connection_reset',
  'protocol_error',
  'http_status',
]

async function compareAll(history: History): Promise<void> {
  const log = readLog(history)
  const overview = await call('GET overview')
  noteSeen(log, overview)
  await compareOverview(overview, log)
  await compareWebhooks(log)
  await compareRows(log)
  await compareSummary(log)
  const flows = await compareFlows(log)
  await compareCommands(log, flows)
  await compareReport(log, flows)
  await compareTray(overview, log)
  await compareActivity(overview, log)
}

/** Histories that cover each kind of step, in case the random ones leave one out. */
const examples: readonly (readonly Step[])[] = [
  // Ten failures suspend a webhook.
  [{ do: 'respond', with: 500 }, { do: 'flood' }, { do: 'give up' }, { do: 'event' }],
  [{ do: 'audit' }, { do: 'deny' }, { do: 'device' }, { do: 'deny device' }, { do: 'poll' }],
  [{ do: 'event' }, { do: 'delete webhook' }, { do: 'replay', pick: 0 }],
  // The receiver alone is left.
  [{ do: 'delete webhook' }, { do: 'delete webhook' }, { do: 'event' }],
  [{ do: 'unknown redirect' }, { do: 'unknown redirect' }, { do: 'leave consent page' }],
  [{ do: 'sign in' }, { do: 'expired token' }, { do: 'leave code' }, { do: 'retry' }],
  [{ do: 'respond', with: 'reset' }, { do: 'event' }, { do: 'retry' }],
  [{ do: 'respond', with: 'garbage' }, { do: 'event' }, { do: 'hold or release' }, { do: 'event' }],
  [{ do: 'event' }, { do: 'cancel', pick: 1 }, { do: 'replay', pick: 2 }],
  // A replay that meets no server leaves its delivery succeeded.
  [
    { do: 'delete webhook' },
    { do: 'delete webhook' },
    { do: 'event' },
    { do: 'respond', with: 'reset' },
    { do: 'replay', pick: 0 },
  ],
]

describe('sums', () => {
  test('are true on every surface after any history', async () => {
    const property = fc.asyncProperty(
      fc.array(step, { minLength: 2, maxLength: 12 }),
      async (steps) => compareAll(await player.playOut(steps)),
    )
    await expect(
      fc.assert(property, {
        numRuns: histories,
        examples: examples.map((steps): [Step[]] => [[...steps]]),
      }),
    ).resolves.toBeUndefined()
    expect(expectedToBeSeen.filter((what) => !seen.has(what))).toEqual([])
  }, 300_000)

  test.each(['deliveries', 'flows'] as const)(
    'of %s are asked with known words only',
    async (list) => {
      const unknown =
        list === 'deliveries'
          ? call('GET deliveries', { query: { q: 'status:lost' } })
          : call('GET flows', { query: { q: 'status:lost' } })
      await expect(unknown).rejects.toThrow(/Unknown status "lost".*: use .*pending/)
    },
  )
})
