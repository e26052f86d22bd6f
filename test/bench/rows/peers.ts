import { join } from 'node:path'
import { type Child, commandLine, startCommand } from '../children.ts'
import { amount, rounds } from '../effort.ts'
import { firstResponse } from '../first-response.ts'
import { compare, type Comparison, drive, type Load, rateResult } from '../load.ts'
import { type Pair, timeResult } from '../pairs.ts'
import { installPeer, type Peer, peers } from '../peers.ts'
import { same } from '../requests.ts'
import type { Result, Row } from '../row.ts'
import { whileRunning, withFolder, withSandbox } from '../sandbox.ts'
import { median, noise } from '../statistics.ts'
import { createWebhook, event, withWebhookWorld } from '../webhook-world.ts'
import { type Work, works } from '../works.ts'

const deliveries = 500

/** The same work by peers, which take the place of the baseline. */
export const peerRows: readonly Row[] = peers.map((peer) => ({
  name: `beside-${peer.name}`,
  async measure() {
    const modules = await installPeer(peer)
    return [
      await measureStart(peer, modules),
      ...(peer.delivers === undefined ? [] : [await measureDeliveries(peer, modules)]),
      ...(await measureWorks(peer, modules)),
    ]
  },
}))

/** Measures starts after both were started once, so that both have their caches. */
function measureStart(peer: Peer, modules: string): Promise<Result> {
  return withFolder(async (folder) => {
    const command = commandLine(['--data', join(folder, 'data')])
    const ours = () => firstResponse(command, '/.well-known/openid-configuration')
    const theirs = async () => firstResponse(await peer.command(modules), peer.page)
    await ours()
    await theirs()
    const pairs: Pair[] = []
    for (let round = 0; round < rounds(7); round++) {
      pairs.push({ ours: await ours(), baseline: await theirs() })
    }
    return timeResult(`start, beside ${peer.name}`, pairs)
  })
}

async function measureWorks(peer: Peer, modules: string): Promise<Result[]> {
  const results: Result[] = []
  for (const work of works) {
    const theirs = peer.works[work.name]
    if (theirs !== undefined) results.push(await measureWork(peer, modules, { ...work, theirs }))
  }
  return results
}

/** Each work has a program of its own, because some count their requests. */
function measureWork(
  { name, command, mostRequests = Infinity }: Peer,
  modules: string,
  { what, items, requests = 1, load, theirs }: Work & { theirs: Work['load'] },
): Promise<Result> {
  return withSandbox(async (sandbox) =>
    whileRunning(await startCommand(await command(modules)), async (program) => {
      const batches = rounds(5) + 2
      const count = Math.min(amount(items), Math.floor(mostRequests / (batches * requests)))
      const comparison = await compare(
        { server: sandbox, load: await load(sandbox) },
        { server: program, load: await theirs(program) },
        {
          items: count,
          warmUpItems: count,
          rounds: rounds(5),
        },
      )
      return rateResult(`${what}, beside ${name}`, comparison, { byCpu: true })
    }),
  )
}

/** Each delivery is caused by a request. The sandbox stores and logs its deliveries, emulate does not. */
function measureDeliveries(peer: Peer, modules: string): Promise<Result> {
  return withWebhookWorld(async ({ sandbox, receiver }) =>
    whileRunning(await startCommand(await peer.command(modules)), async (program) => {
      await createWebhook(sandbox, receiver.url)
      await createHook(program, receiver.url)
      const request = { method: 'POST', path: '/_sandbox/api/events', json: event }
      const ours = same(request, 202)
      const pairs: { ours: Rate; theirs: Rate }[] = []
      // The first round is a warm-up.
      for (let round = 0; round <= rounds(5); round++) {
        const measured = {
          ours: await rateOf(sandbox, receiver, ours),
          theirs: await rateOf(program, receiver, createIssue),
        }
        if (round > 0) pairs.push(measured)
      }
      return rateResult(`deliveries by HTTP, beside ${peer.name}`, compareRates(pairs))
    }),
  )
}

const hookToken = 'token token_of_the_bench'
const createIssue = same(
  {
    method: 'POST',
    path: '/repos/octocat/hello-world/issues',
    headers: [`Authorization: ${hookToken}`],
    json: { title: 'Of the bench' },
  },
  201,
)

async function createHook({ url }: Child, receiver: string): Promise<void> {
  const response = await fetch(`${url}/repos/octocat/hello-world/hooks`, {
    method: 'POST',
    headers: { authorization: hookToken, 'content-type': 'application/json' },
    body: JSON.stringify({ config: { url: receiver, content_type: 'json' }, events: ['issues'] }),
  })
  if (!response.ok) throw new Error(`no webhook: ${response.status} ${await response.text()}`)
}

interface Rate {
  perSecond: number
  cpuUs: number
}

async function rateOf(program: Child, receiver: Child, load: Load): Promise<Rate> {
  const before = await program.usage()
  const arrived = receiver.ask('expect', deliveries)
  const started = performance.now()
  await Promise.all([drive(program.url, load, deliveries), arrived])
  const elapsedMs = performance.now() - started
  const { cpuMs } = await program.usage()
  return {
    perSecond: (deliveries * 1000) / elapsedMs,
    cpuUs: ((cpuMs - before.cpuMs) * 1000) / deliveries,
  }
}

function compareRates(pairs: readonly { ours: Rate; theirs: Rate }[]): Comparison {
  const all = (side: 'ours' | 'theirs', of: keyof Rate) => pairs.map((pair) => pair[side][of])
  const ratios = pairs.map(({ ours, theirs }) => ours.perSecond / theirs.perSecond)
  const cpuRatios = pairs.map(({ ours, theirs }) => theirs.cpuUs / ours.cpuUs)
  return {
    ours: median(all('ours', 'perSecond')),
    baseline: median(all('theirs', 'perSecond')),
    ratio: median(ratios),
    noise: noise(ratios),
    cpuRatio: median(cpuRatios),
    cpuNoise: noise(cpuRatios),
    cpu: { ours: median(all('ours', 'cpuUs')), baseline: median(all('theirs', 'cpuUs')) },
    baselineNoise: noise(all('theirs', 'perSecond')),
  }
}
