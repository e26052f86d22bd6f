import type { OutgoingHttpHeaders } from 'node:http'
import { setTimeout as later } from 'node:timers/promises'
import type { RunningSandbox } from '../../../server/app/run-sandbox.ts'
import { must } from '../target.ts'
import {
  foreseen,
  gather,
  type Harvest,
  isEndless,
  isFolded,
  type Message,
  messageOf,
} from './message.ts'
import { deviationOf, type Operation } from './operations.ts'
import type { Step } from './steps.ts'

interface Answer {
  statusCode: number
  headers: OutgoingHttpHeaders
  body: string
}

/** Real time after which a request that is held on purpose is let go. */
const heldMs = 300
/** Real time after which nothing holds a request any more. */
const hungMs = 20_000

/** Sends the requests of a sequence, one after the other, and holds each answer against what must be true of all. */
export async function playSteps(
  sandbox: RunningSandbox,
  operations: ReadonlyMap<string, Operation>,
  steps: readonly Step[],
): Promise<void> {
  const harvest: Harvest = new Map()
  for (const step of steps) {
    const operation = operations.get(step.operation)
    if (operation === undefined) continue
    const message = messageOf(step, harvest)
    if (isEndless(message) || isFolded(message)) continue
    const isBroken = sandbox.deps.faults.list().length > 0
    const where = `${message.method} ${message.url}`
    const before = sandbox.deps.requests.values().at(-1)?.id
    const answer = await ask(sandbox, message)
    if (answer === undefined) {
      must(isBroken, `${where} was not answered`)
      continue
    }
    collect(harvest, answer)
    // A rule may have broken it in any way.
    if (isBroken && !message.url.startsWith('/_sandbox')) continue
    judge(operation, answer, where)
    const logged = sandbox.deps.requests.values().at(-1)
    if (logged !== undefined && logged.id !== before && answer.statusCode >= 400) {
      must(
        logged.detail !== undefined || logged.response.body !== undefined,
        `${where}: the request log does not say why it was answered ${answer.statusCode}: ${answer.body.slice(0, 300)}`,
      )
    }
  }
}

function judge(operation: Operation, { statusCode, headers, body }: Answer, where: string): void {
  must(
    statusCode < 500 || foreseen.has(statusCode),
    `${where} was answered ${statusCode}: ${body.slice(0, 500)}`,
  )
  // The guards stand before every route, and speak for themselves.
  if (/^\{"error":"(?:missing_host|forbidden_\w+)"/.test(body)) return
  const [type = ''] = String(headers['content-type'] ?? '').split(';')
  const deviation = deviationOf(operation, { statusCode, type, body })
  must(deviation === undefined, `${where} ${statusCode}: ${deviation} ${body.slice(0, 1000)}`)
}

async function ask(sandbox: RunningSandbox, message: Message): Promise<Answer | undefined> {
  const { method, url, headers, payload } = message
  const asking = sandbox.app
    .inject({
      method: method as 'GET',
      url,
      headers,
      ...(payload === undefined ? {} : { payload }),
    })
    .catch(() => undefined)
  const first = await Promise.race([asking, later(heldMs, 'held' as const, { ref: false })])
  if (first !== 'held') return first
  await letGo(sandbox)
  const last = await Promise.race([asking, later(hungMs, 'hung' as const, { ref: false })])
  must(last !== 'hung', `${method} ${url} is not answered`)
  return last
}

/** Ends what a sequence has told the sandbox to wait for. */
async function letGo({ app, deps }: RunningSandbox): Promise<void> {
  await app.inject({ method: 'DELETE', url: '/_sandbox/api/faults' })
  deps.barriers.clear()
}

/** Ids for later requests. */
function collect(harvest: Harvest, { headers, body }: Answer): void {
  const { location, 'set-cookie': cookie } = headers
  if (typeof location === 'string' && URL.canParse(location, 'http://localhost')) {
    gather(harvest, Object.fromEntries(new URL(location, 'http://localhost').searchParams))
  }
  if (cookie !== undefined) gather(harvest, [cookie].flat()[0]?.split(';')[0], 'cookie')
  if (!String(headers['content-type']).includes('json')) return
  const value: unknown = JSON.parse(body)
  gather(harvest, value)
  const { name, value: session } = value as { name?: unknown; value?: unknown }
  if (typeof session === 'string') gather(harvest, `${String(name)}=${session}`, 'cookie')
}
