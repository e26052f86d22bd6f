import { join } from 'node:path'
import { type Child, commandLine, startCommand } from '../children.ts'
import { rounds } from '../effort.ts'
import { firstAnswer } from '../first-answer.ts'
import { compare, type Comparison, drive, type Load } from '../load.ts'
import { emulate, installPeer, type Peer, peers } from '../peers.ts'
import type { Result, Row } from '../row.ts'
import {
  authorizationQuery,
  codeForm,
  signIn,
  whileRunning,
  withFolder,
  withSandbox,
} from '../sandbox.ts'
import { median, noise } from '../statistics.ts'
import { createWebhook, event, withWebhookWorld } from '../webhook-world.ts'
import { same } from './baselines.ts'

const metadata = '/.well-known/openid-configuration'
const deliveries = 500

/** What others' programs take for the same: these stand where the bare program stands elsewhere. */
export const peerRows: Row[] = peers.map((peer) => ({
  name: `beside-${peer.name}`,
  async measure() {
    const modules = await installPeer(peer)
    return [
      {
        ...(await measureStart(peer, modules)),
        ...(peer.note === undefined ? {} : { note: peer.note }),
      },
      ...(peer.jwks === undefined ? [] : await measureRequests(peer, peer.jwks, modules)),
      ...(peer.name === 'emulate' ? [await measureDeliveries(peer, modules)] : []),
    ]
  },
}))

/** Both started before, so that what they keep between starts is there. */
function measureStart(peer: Peer, modules: string): Promise<Result> {
  return withFolder(async (folder) => {
    const ours = () => firstAnswer(commandLine(['--data', join(folder, 'data')]), metadata)
    const theirs = async () => firstAnswer(await peer.command(modules), peer.metadata)
    await ours()
    await theirs()
    const pairs: { ours: number; theirs: number }[] = []
    for (let round = 0; round < rounds(7); round++) {
      pairs.push({ ours: await ours(), theirs: await theirs() })
    }
    const ratios = pairs.map((pair) => pair.ours / pair.theirs)
    return {
      what: `start, beside ${peer.name}`,
      ours: `${Math.round(median(pairs.map((pair) => pair.ours)))} ms`,
      baseline: `${Math.round(median(pairs.map((pair) => pair.theirs)))} ms`,
      ratio: median(ratios),
      noise: noise(ratios),
    }
  })
}

function measureRequests(peer: Peer, jwks: string, modules: string): Promise<Result[]> {
  return withSandbox(async (sandbox) =>
    whileRunning(await startCommand(await peer.command(modules)), async (program) => {
      const cookie = await signIn(sandbox)
      const oursToSignIn = { query: authorizationQuery, form: codeForm, cookie }
      const loads: { what: string; ours: Load; theirs: Load | undefined }[] = [
        { what: 'metadata', ours: same({ path: metadata }), theirs: same({ path: peer.metadata }) },
        { what: 'jwks', ours: same({ path: '/oauth/jwks' }), theirs: same({ path: jwks }) },
        ...(peer.token === undefined
          ? []
          : [{ what: 'a token', ours: same(peer.token.ours), theirs: same(peer.token.theirs) }]),
        {
          what: 'whole sign-in',
          ours: { scenario: 'signIn', input: oursToSignIn },
          theirs: peer.signIn,
        },
      ]
      const results: Result[] = []
      for (const { what, ours, theirs } of loads) {
        if (theirs === undefined) continue
        const comparison = await compare(
          { server: sandbox, load: ours },
          { server: program, load: theirs },
          { rounds: rounds(5), warmUpItems: 500 },
        )
        results.push(resultOf(`${what}, beside ${peer.name}`, comparison))
      }
      return results
    }),
  )
}

function resultOf(what: string, comparison: Comparison): Result {
  const { ours, baseline, ratio, noise: spread, cpuRatio, cpu, baselineNoise } = comparison
  return {
    what,
    ours: `${Math.round(ours)}/s`,
    baseline: `${Math.round(baseline)}/s`,
    ratio,
    noise: spread,
    cpuRatio,
    cpu,
    baselineNoise,
  }
}

/** Both cause each delivery by a request: ours are journalled and recorded, theirs are not. */
function measureDeliveries(peer: Peer, modules: string): Promise<Result> {
  return withWebhookWorld(async ({ sandbox, receiver }) =>
    whileRunning(await startCommand(await emulate(modules, ['github'])), async (program) => {
      await createWebhook(sandbox, receiver.url)
      await createHook(program, receiver.url)
      const ours: Load = {
        scenario: 'same',
        input: {
          request: { method: 'POST', path: '/_sandbox/api/events', json: event },
          status: 202,
        },
      }
      const theirs: Load = {
        scenario: 'same',
        input: {
          request: {
            method: 'POST',
            path: '/repos/octocat/hello-world/issues',
            headers: hookHeaders,
            json: { title: 'Of the bench' },
          },
          status: 201,
        },
      }
      const pairs: { ours: Rate; theirs: Rate }[] = []
      // The first round of each warms it up.
      for (let round = 0; round < rounds(5) + 1; round++) {
        pairs.push({
          ours: await rateOf(sandbox, receiver, ours),
          theirs: await rateOf(program, receiver, theirs),
        })
      }
      const warm = pairs.slice(1)
      const ratios = warm.map((pair) => pair.ours.perSecond / pair.theirs.perSecond)
      const perSecond = (of: 'ours' | 'theirs') =>
        `${Math.round(median(warm.map((pair) => pair[of].perSecond)))}/s`
      const cpu = (of: 'ours' | 'theirs') => median(warm.map((pair) => pair[of].cpuUs))
      return {
        what: `deliveries by HTTP, beside ${peer.name}`,
        ours: perSecond('ours'),
        baseline: perSecond('theirs'),
        ratio: median(ratios),
        noise: noise(ratios),
        cpuRatio: cpu('theirs') / cpu('ours'),
        cpu: { ours: cpu('ours'), baseline: cpu('theirs') },
      }
    }),
  )
}

const hookHeaders = ['Authorization: token token_of_the_bench']

async function createHook({ url }: Child, receiver: string): Promise<void> {
  const answer = await fetch(`${url}/repos/octocat/hello-world/hooks`, {
    method: 'POST',
    headers: { authorization: 'token token_of_the_bench', 'content-type': 'application/json' },
    body: JSON.stringify({ config: { url: receiver, content_type: 'json' }, events: ['issues'] }),
  })
  if (!answer.ok) throw new Error(`no webhook: ${answer.status} ${await answer.text()}`)
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
