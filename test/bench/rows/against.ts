import { join } from 'node:path'
import { builtCommand, root, withCopies } from '../build-copies.ts'
import { mostChange } from '../changes.ts'
import type { Child } from '../children.ts'
import { amount, rounds } from '../effort.ts'
import { publicApp, userToken } from '../fixtures.ts'
import { compare, type Comparison, type Load } from '../load.ts'
import { inBothOrders, type Pair } from '../pairs.ts'
import { jsonOf } from '../requests.ts'
import type { Result, Row } from '../row.ts'
import { exchangeRequest, type FixedRequest, signIn, withPairs } from '../sandbox.ts'
import { median, noise } from '../statistics.ts'
import { createWebhook, deliverHeld, withReceiver } from '../webhook-world.ts'
import { refreshLoad, signInLoad } from './sign-in.ts'

/** Work that both builds do. */
interface Work {
  name: string
  what: string
  /** Items of a round. */
  items: number
  load: (server: Child) => Promise<Load>
}

const same = (request: FixedRequest, status = 200): Load => ({
  scenario: 'same',
  input: { request, status },
})

const deviceForm = { client_id: publicApp, scope: 'openid profile' }

async function pollLoad(server: Child): Promise<Load> {
  const started = await jsonOf(server, { method: 'POST', path: '/oauth/device', form: deviceForm })
  const form = {
    grant_type: 'urn:ietf:params:oauth:grant-type:device_code',
    client_id: publicApp,
    device_code: (started as { device_code: string }).device_code,
  }
  return same({ method: 'POST', path: '/oauth/token', form }, 400)
}

const works: readonly Work[] = [
  {
    name: 'metadata',
    what: 'metadata',
    items: 4000,
    load: async () => same({ path: '/.well-known/openid-configuration' }),
  },
  { name: 'jwks', what: 'JWKS', items: 4000, load: async () => same({ path: '/oauth/jwks' }) },
  {
    name: 'exchange',
    what: 'opaque token (exchange)',
    items: 2000,
    load: async () => same(exchangeRequest('read-repos')),
  },
  { name: 'poll', what: 'device poll', items: 2000, load: pollLoad },
  {
    name: 'whoami',
    what: 'whoami with a token',
    items: 3000,
    load: async () =>
      same({ path: '/api/whoami-v2', headers: [`Authorization: Bearer ${userToken}`] }),
  },
  {
    name: 'sign-in',
    what: 'whole sign-in',
    items: 500,
    load: async (server) => signInLoad(await signIn(server)),
  },
  {
    name: 'refresh',
    what: 'refresh with ID token',
    items: 500,
    load: async (server) => refreshLoad(server, await signIn(server)),
  },
]

/**
 * Rows that compare this build with another one in the same run, by CPU time.
 * @param folder root of the checkout of the other build
 */
export function againstRows(folder: string): Row[] {
  return [
    ...works.map((work) => ({ name: work.name, measure: () => measureWork(work, folder) })),
    { name: 'delivery', measure: () => measureDeliveries(folder) },
  ]
}

async function measureWork({ what, items, load }: Work, folder: string): Promise<Result[]> {
  const comparisons: Comparison[] = []
  await withBuilds(folder, async (ours, baseline) => {
    comparisons.push(
      await compare(
        { server: ours, load: await load(ours) },
        { server: baseline, load: await load(baseline) },
        { items: amount(items), warmUpItems: amount(2 * items), rounds: rounds(4) },
      ),
    )
  })
  return [
    resultOf(
      what,
      comparisons.map(({ cpu }) => cpu),
    ),
  ]
}

async function measureDeliveries(folder: string): Promise<Result[]> {
  const costs: Pair[] = []
  await withBuilds(folder, async (ours, baseline) => {
    costs.push(
      await inBothOrders(costs.length, {
        ours: () => costOfDelivery(ours),
        baseline: () => costOfDelivery(baseline),
      }),
    )
  })
  return [resultOf('one delivery, trigger included', costs)]
}

/** @returns CPU time of the sandbox for one delivery, in microseconds */
function costOfDelivery(sandbox: Child): Promise<number> {
  return withReceiver(async (receiver) => {
    const webhookId = await createWebhook(sandbox, receiver.url, { held: true })
    const count = amount(1000)
    await deliverHeld({ sandbox, receiver }, [webhookId], count)
    const before = await sandbox.usage()
    await deliverHeld({ sandbox, receiver }, [webhookId], count)
    const { cpuMs } = await sandbox.usage()
    return ((cpuMs - before.cpuMs) * 1000) / count
  })
}

/** Runs `act` with pairs of sandboxes of this build and of the other one. */
function withBuilds(
  folder: string,
  act: (ours: Child, baseline: Child) => Promise<void>,
): Promise<void> {
  const optionsOf = (copy: string) =>
    ({ path: join(copy, builtCommand), deliveryProfile: 'ci' }) as const
  return withCopies([root, folder], ([own, other]) =>
    withPairs(amount(4), { ours: optionsOf(own), baseline: optionsOf(other) }, act),
  )
}

/** @param costs CPU time for one item, in microseconds */
function resultOf(what: string, costs: readonly Pair[]): Result {
  const all = (side: keyof Pair) => costs.map((pair) => pair[side])
  const ratios = costs.map(({ ours, baseline }) => ours / baseline)
  return {
    what,
    ours: `${Math.round(median(all('ours')))} µs`,
    baseline: `${Math.round(median(all('baseline')))} µs`,
    ratio: median(ratios),
    noise: noise(ratios),
    baselineNoise: noise(all('baseline')),
    goal: { atMost: 1 + mostChange },
  }
}
