import { rfc } from '../../../checks/rule.ts'
import {
  describeReaction,
  isRefusal,
  isSuccess,
  type ReceiverJudgement,
  receiverModule,
  type ReceiverModule,
} from '../receiver-module.ts'
import type { Reaction, Receiver } from '../audited-receiver.ts'
import { failed, passed, tolerated } from '../../judgement.ts'

interface Body {
  readonly name: string
  readonly plan: 'core' | 'full'
  /** Noun: `an empty body`. */
  readonly sends: string
  readonly body: (receiver: Receiver) => string | Uint8Array
  /** Why a receiver may accept it. */
  readonly tolerated?: string
}

/** Deeper than any payload, and harmless for a parser with a limit. */
const depth = 20_000

const bodies: readonly Body[] = [
  { name: 'not-json', plan: 'core', sends: 'a body that is not JSON', body: () => '{"event": {' },
  { name: 'empty', plan: 'core', sends: 'an empty body', body: () => '' },
  { name: 'null', plan: 'core', sends: 'the body null', body: () => 'null' },
  { name: 'array', plan: 'full', sends: 'a list', body: () => '[]' },
  { name: 'text', plan: 'full', sends: 'a JSON string', body: () => '"repo.content"' },
  {
    name: 'deep',
    plan: 'full',
    sends: `a list that is nested ${depth} times`,
    body: () => '['.repeat(depth) + ']'.repeat(depth),
  },
  {
    name: 'proto',
    plan: 'full',
    sends: 'a payload inside of __proto__ and constructor',
    body(receiver) {
      const inner = JSON.stringify(receiver.payload())
      return `{"__proto__":${inner},"constructor":{"prototype":${inner}}}`
    },
  },
  {
    name: 'invalid-utf8',
    plan: 'full',
    sends: 'a payload with bytes that are not UTF-8',
    body(receiver) {
      const text = Buffer.from(JSON.stringify({ ...receiver.payload(), note: '##' }))
      const index = text.lastIndexOf('##')
      text.set([0xc3, 0x28], index)
      return text
    },
    tolerated: 'Many parsers replace such bytes.',
  },
  {
    name: 'duplicate-keys',
    plan: 'full',
    sends: 'a payload with the member event twice',
    body(receiver) {
      const { event, ...rest } = receiver.payload()
      const text = JSON.stringify({ event, ...rest })
      return `{"event":${JSON.stringify({ ...event, action: 'delete' })},${text.slice(1)}`
    },
    tolerated: 'RFC 8259 leaves it to the parser which member counts.',
  },
]

export const bodyModules: readonly ReceiverModule[] = bodies.map(
  ({ name, plan, sends, body, tolerated }) =>
    receiverModule({
      id: `body/${name}`,
      plan,
      title: `The receiver does not refuse ${sends}.`,
      sends: `the right secret with ${sends}`,
      expected: 'The receiver refuses with 400 or 422, and goes on working.',
      level: 'warning',
      fix: 'Catch errors of the JSON parser, check the payload before you use its members, and respond with 400 or 422.',
      sources: [rfc(9110, '15.5.1'), rfc(8259, '4')],
      async provoke(receiver) {
        return judge(await receiver.send({ body: body(receiver) }), sends, tolerated)
      },
    }),
)

function judge(reaction: Reaction, sends: string, reason: string | undefined): ReceiverJudgement {
  const seen = [{ what: sends, reaction }]
  const observed = `The receiver ${describeReaction(reaction)}.`
  if (isRefusal(reaction)) return passed(observed, seen)
  if (!isSuccess(reaction)) {
    return failed(observed, seen, reaction.status === undefined ? 'error' : 'warning')
  }
  if (reason === undefined) return failed(observed, seen, 'note')
  return tolerated(`${observed} ${reason}`, seen)
}
