import {
  describeReaction,
  isSuccess,
  type ReceiverJudgement,
  receiverModule,
  type ReceiverModule,
  type Sighting,
} from '../receiver-module.ts'
import type { Receiver } from '../audited-receiver.ts'
import { failed, passed } from '../../judgement.ts'

const limitMs = 5000
const dripMs = 8000
const fix =
  'Respond with 2xx as soon as the delivery is stored, and do its work afterwards: with context.defer() of hub-sandbox/receiver, a queue or a background task.'

export const timeModules: readonly ReceiverModule[] = [
  receiverModule({
    id: 'time/answer',
    plan: 'core',
    title: 'The receiver responds slowly.',
    sends: 'five correct deliveries, one after the other',
    expected: 'The receiver accepts each within 5 seconds.',
    level: 'warning',
    fix,
    async provoke(receiver) {
      const seen = await inTurn(receiver, 5)
      const late = seen.find(({ reaction }) => reaction.durationMs >= receiver.deadlineMs)
      if (late !== undefined) {
        return failed('The receiver took longer than the deadline of a delivery.', [late], 'error')
      }
      return judgeAll(seen, seen.length)
    },
  }),
  receiverModule({
    id: 'time/burst',
    plan: 'core',
    title: 'The receiver cannot take many deliveries at once.',
    sends: '50 correct deliveries within a second, ten at once',
    expected: 'The receiver accepts all, and 95 % of them within 5 seconds.',
    level: 'warning',
    fix,
    async provoke(receiver) {
      const seen: Sighting[] = []
      const lanes = Array.from({ length: 10 }, async () => {
        seen.push(...(await inTurn(receiver, 5)))
      })
      await Promise.all(lanes)
      return judgeAll(seen, Math.floor(seen.length * 0.95))
    },
  }),
  receiverModule({
    id: 'time/slow-sender',
    plan: 'full',
    title: 'One slow sender stops all other deliveries.',
    sends: 'a body that arrives over 8 seconds, beside correct deliveries',
    expected: 'The receiver accepts the others in their usual time.',
    level: 'warning',
    fix: 'Serve requests concurrently: an asynchronous server, or several workers or threads behind a proxy that buffers.',
    async provoke(receiver) {
      const usual = await usualMs(receiver)
      const stop = new AbortController()
      const slow = receiver.send({ pace: { kind: 'slow', overMs: dripMs }, signal: stop.signal })
      const seen: Sighting[] = []
      for (let second = 0; second < dripMs / 1000 - 1; second++) {
        await receiver.wait(1000)
        seen.push(...(await inTurn(receiver, 1)))
        if (seen.some((one) => isHeldUp(one, usual))) break
      }
      const judgement = judgeBeside(seen, usual)
      if (judgement.outcome === 'failed') stop.abort()
      await slow
      return judgement
    },
  }),
  receiverModule({
    id: 'time/kept-open',
    plan: 'full',
    title: 'Open connections stop other deliveries.',
    sends: 'correct deliveries beside 30 connections whose bodies never end',
    expected: 'The receiver accepts the deliveries in their usual time.',
    level: 'note',
    fix: 'Raise the number of connections, and set a time limit for reading a request.',
    async provoke(receiver) {
      const usual = await usualMs(receiver)
      const stop = new AbortController()
      const open = Array.from({ length: 30 }, () =>
        receiver.send({ pace: { kind: 'half' }, signal: stop.signal }),
      )
      await receiver.wait(200)
      const seen = await inTurn(receiver, 3)
      stop.abort()
      await Promise.all(open)
      return judgeBeside(seen, usual)
    },
  }),
]

async function inTurn(receiver: Receiver, count: number): Promise<Sighting[]> {
  const seen: Sighting[] = []
  for (let index = 0; index < count; index++) {
    seen.push({ what: 'a correct delivery', reaction: await receiver.send() })
  }
  return seen
}

/** @param inTime number of deliveries that have to be accepted within the limit */
function judgeAll(seen: readonly Sighting[], inTime: number): ReceiverJudgement {
  const refused = seen.filter(({ reaction }) => !isSuccess(reaction))
  const [first] = refused
  if (first !== undefined) {
    const what = `${refused.length} of ${seen.length} deliveries failed`
    return failed(`${what}: the receiver ${describeReaction(first.reaction)}.`, refused)
  }
  const slow = seen.filter(({ reaction }) => reaction.durationMs >= limitMs)
  const slowest = Math.round(Math.max(...seen.map(({ reaction }) => reaction.durationMs)))
  return seen.length - slow.length < inTime
    ? failed(`${slow.length} of ${seen.length} took longer than ${limitMs / 1000} s.`, slow)
    : passed(`All ${seen.length} were accepted; the slowest took ${slowest} ms.`)
}

async function usualMs(receiver: Receiver): Promise<number> {
  const seen = await inTurn(receiver, 3)
  return seen.map(({ reaction }) => reaction.durationMs).toSorted((a, b) => a - b)[1] ?? 0
}

/** Generous, because the machine may be loaded. */
function isHeldUp({ reaction }: Sighting, usual: number): boolean {
  return !isSuccess(reaction) || reaction.durationMs > Math.max(1500, 10 * usual)
}

function judgeBeside(seen: readonly Sighting[], usual: number): ReceiverJudgement {
  const heldUp = seen.find((one) => isHeldUp(one, usual))
  if (heldUp === undefined) return passed('The others were accepted in their usual time.', seen)
  const { reaction } = heldUp
  const took = `took ${Math.round(reaction.durationMs)} ms instead of ${Math.round(usual)} ms`
  const what = isSuccess(reaction) ? took : 'failed'
  return failed(`A delivery ${what}: the receiver ${describeReaction(reaction)}.`, [heldUp])
}
