import { webhookGuide } from '../../../checks/rule.ts'
import {
  describeReaction,
  isSuccess,
  type ReceiverJudgement,
  receiverModule,
  type ReceiverModule,
  type Sighting,
  standardWebhooks,
} from '../receiver-module.ts'
import { type Receiver, type Sent, timesDone } from '../audited-receiver.ts'
import { failed, inconclusive, passed } from '../../judgement.ts'

/** Sends the delivery of a module once more. */
type SendAgain = (what: string, more?: Sent) => Promise<Sighting>

interface Repetition extends Pick<ReceiverModule, 'id' | 'title' | 'sends' | 'expected'> {
  readonly plan: 'core' | 'full'
  readonly first: (again: SendAgain) => Promise<readonly Sighting[]>
  /** Sent when the effects of the first have been read. */
  readonly afterwards?: (again: SendAgain) => Promise<readonly Sighting[]>
  /** Whether the sender hangs up on the first ones, so that only later responses are judged. */
  readonly isCut?: true
}

/** Time after which the sender hangs up, without the response. */
const cutAfterMs = 50
const atOnce = 10

const repetitions: readonly Repetition[] = [
  {
    id: 'again/same',
    plan: 'core',
    title: 'The receiver handles a repeated delivery twice, or refuses it.',
    sends: 'one delivery twice, with the same Webhook-Id',
    expected: 'The receiver accepts both, and does the work once.',
    first: async (again) => [await again('the delivery')],
    afterwards: async (again) => [await again('the same delivery again')],
  },
  {
    id: 'again/at-once',
    plan: 'core',
    title: 'The receiver handles a delivery several times when it arrives several times at once.',
    sends: `one delivery ${atOnce} times at once, with the same Webhook-Id`,
    expected: 'The receiver accepts all, and does the work once.',
    first: (again) =>
      Promise.all(Array.from({ length: atOnce }, (_, index) => again(`copy ${index + 1}`))),
  },
  {
    id: 'again/after-failure',
    plan: 'full',
    title: 'The receiver handles a delivery twice whose response got lost.',
    sends: 'a delivery whose connection is closed before the response, then the same again',
    expected: 'The receiver accepts the second one, and does the work once.',
    isCut: true,
    first: async (again) => [await again('the delivery, cut', { abortAfterMs: cutAfterMs })],
    afterwards: async (again) => [await again('the same delivery again')],
  },
]

export const againModules: readonly ReceiverModule[] = repetitions.map(
  ({ first, afterwards, isCut, ...about }) =>
    receiverModule({
      ...about,
      level: 'warning',
      needs: 'effects',
      fix: 'Remember the Webhook-Id of each delivery before you do its work, respond with 2xx to one that you know, and do the work once: dedupe: memoryStore() of hub-sandbox/receiver does this.',
      sources: [webhookGuide, standardWebhooks('Idempotency')],
      async provoke(receiver) {
        const { effects } = receiver
        const again = repeatable(receiver)
        const before = await effects?.settled()
        const seen = await first(again)
        const between = await effects?.settled()
        const later = (await afterwards?.(again)) ?? []
        const refused = refusalOf(isCut === true ? later : [...seen, ...later])
        if (refused !== undefined) return refused
        if (effects === undefined || before === undefined || between === undefined) return noEffects
        const all = [...seen, ...later]
        if (afterwards === undefined) return judgeTimes(timesDone(effects, before, between), all)
        if (isCut !== true && between === before) return lost(all)
        const after = await effects.settled()
        if (effects.unit !== undefined) return judgeTimes(timesDone(effects, before, after), all)
        // A text shows that it changed, and not how often.
        if (after === before) return lost(all)
        return between === before || between === after ? once(all) : more(all, 2)
      },
    }),
)

const noEffects: ReceiverJudgement = inconclusive(
  'The receiver accepted it. Whether it did the work once is unknown without effects: a URL or function that returns how often work was done.',
)

/** Returns a function that sends one and the same delivery. */
function repeatable(receiver: Receiver): SendAgain {
  const delivery = { payload: receiver.payload(), messageId: receiver.messageId() }
  return async (what, more = {}) => ({
    what,
    reaction: await receiver.send({ ...delivery, ...more }),
  })
}

function refusalOf(seen: readonly Sighting[]): ReceiverJudgement | undefined {
  const refused = seen.find(({ reaction }) => !isSuccess(reaction))
  if (refused === undefined) return undefined
  const observed = `The receiver ${describeReaction(refused.reaction)} to ${refused.what}. The Hub counts that as a failure.`
  return failed(observed, [refused], 'error')
}

function judgeTimes(times: number | undefined, seen: readonly Sighting[]): ReceiverJudgement {
  if (times === undefined) {
    const observed = 'The effects are a text, which cannot tell once from twice. Use a number.'
    return inconclusive(observed, seen)
  }
  if (times === 0) return lost(seen)
  return times === 1 ? once(seen) : more(seen, times)
}

const once = (seen: readonly Sighting[]) => passed('The receiver did the work once.', seen)
const more = (seen: readonly Sighting[], times: number) =>
  failed(`The receiver did the work ${Math.round(times * 100) / 100} times.`, seen)
const lost = (seen: readonly Sighting[]) =>
  failed('The receiver accepted the delivery, but did no work for it.', seen)
