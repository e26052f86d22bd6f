import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { builtCommand, withCopies } from '../build-copies.ts'
import type { Child } from '../children.ts'
import { amount, rounds } from '../effort.ts'
import { publicApp, userToken } from '../fixtures.ts'
import { compare, type Comparison, type Load } from '../load.ts'
import { jsonOf } from '../requests.ts'
import type { Result, Row } from '../row.ts'
import { exchangeRequest, type FixedRequest, signIn, withSandbox } from '../sandbox.ts'
import { median, noise } from '../statistics.ts'
import { createWebhook, deliverHeld, withReceiver } from '../webhook-world.ts'
import { refreshLoad, signInLoad } from './sign-in.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))

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

/** A build may cost this much more before a row counts as slower. */
const slower = { atMost: 1.1 }

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

export const againstNames: readonly string[] = [...works.map(({ name }) => name), 'delivery']

async function measureWork({ what, items, load }: Work, folder: string): Promise<Result[]> {
  const comparisons: Comparison[] = []
  await inPairs(folder, async (ours, baseline) => {
    comparisons.push(
      await compare(
        { server: ours, load: await load(ours) },
        { server: baseline, load: await load(baseline) },
        { items: amount(items), warmUpItems: amount(2 * items), rounds: rounds(4) },
      ),
    )
  })
  const us = (side: 'ours' | 'baseline') => comparisons.map(({ cpu }) => cpu[side])
  return [resultOf(what, us('ours'), us('baseline'))]
}

async function measureDeliveries(folder: string): Promise<Result[]> {
  const cost = { ours: [] as number[], baseline: [] as number[] }
  await inPairs(folder, async (ours, baseline) => {
    cost.ours.push(await costOfDelivery(ours))
    cost.baseline.push(await costOfDelivery(baseline))
  })
  return [resultOf('one delivery, trigger included', cost.ours, cost.baseline)]
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

/** Two processes of one build differ by some percent, so there are several of each, started in alternating order. */
function inPairs(
  folder: string,
  act: (ours: Child, baseline: Child) => Promise<void>,
): Promise<void> {
  return withCopies(
    async (copies) => {
      const [own, other] = copies.map((copy) => ({
        path: join(copy, builtCommand),
        deliveryProfile: 'ci' as const,
      }))
      for (let pair = 0; pair < amount(4); pair++) {
        const isFirst = pair % 2 === 0
        await withSandbox(
          (first) =>
            withSandbox(
              (second) => act(isFirst ? first : second, isFirst ? second : first),
              isFirst ? other : own,
            ),
          isFirst ? own : other,
        )
      }
    },
    [root, folder],
  )
}

function resultOf(what: string, ours: readonly number[], baseline: readonly number[]): Result {
  const ratios = ours.map((one, index) => one / (baseline[index] ?? Number.NaN))
  return {
    what,
    ours: `${Math.round(median(ours))} µs`,
    baseline: `${Math.round(median(baseline))} µs`,
    ratio: median(ratios),
    noise: noise(ratios),
    baselineNoise: noise(baseline),
    goal: slower,
  }
}
