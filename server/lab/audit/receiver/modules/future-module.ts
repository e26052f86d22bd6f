import {
  describeReaction,
  isSuccess,
  judgeAccepted,
  receiverModule,
  type ReceiverModule,
} from '../receiver-module.ts'
import type { Payload, Receiver } from '../audited-receiver.ts'
import { failed, passed, tolerated } from '../../judgement.ts'

interface UnknownValue {
  readonly name: string
  readonly sends: string
  readonly change: (payload: Payload) => Payload
}

const unknownValues: readonly UnknownValue[] = [
  {
    name: 'version',
    sends: 'a payload of version 4',
    change: (payload) => ({
      ...payload,
      webhook: { ...Object(payload['webhook']), version: 4 },
    }),
  },
  {
    name: 'repo-type',
    sends: 'a repo of the unknown type kernel',
    change: (payload) => ({ ...payload, repo: { ...Object(payload['repo']), type: 'kernel' } }),
  },
  {
    name: 'action',
    sends: 'the unknown action archive',
    change: (payload) => ({ ...payload, event: { ...payload.event, action: 'archive' } }),
  },
]

export const futureModules: readonly ReceiverModule[] = [
  receiverModule({
    id: 'future/scope',
    plan: 'core',
    title: 'The receiver refuses events of scopes that it does not know.',
    sends: 'the scopes repo.config.dois and galaxy with the action update',
    expected: 'The receiver accepts them: the Hub documents that scopes may become narrower.',
    level: 'error',
    fix: 'Treat an unknown, narrower scope as an update of the broader one, and respond with 2xx to events that you do not use.',
    async provoke(receiver) {
      const send = async (scope: string, event: string) => ({
        what: `the scope ${scope}`,
        reaction: await receiver.send({
          payload: { ...receiver.payload(event), event: { scope, action: 'update' } },
        }),
      })
      return judgeAccepted([
        await send('repo.config.dois', 'repo.config.update'),
        await send('galaxy', 'repo.update'),
      ])
    },
  }),
  receiverModule({
    id: 'future/members',
    plan: 'core',
    title: 'The receiver refuses payloads with members that it does not know.',
    sends: 'unknown members at every level',
    expected: 'The receiver accepts it and ignores the members.',
    level: 'error',
    fix: 'Ignore unknown members: use extra="ignore" in pydantic, no .strict() in zod, no additionalProperties: false.',
    async provoke(receiver) {
      const payload = withUnknownMembers(receiver.payload()) as Payload
      return judgeAccepted([
        { what: 'unknown members', reaction: await receiver.send({ payload }) },
      ])
    },
  }),
  ...unknownValues.map(({ name, sends, change }) =>
    receiverModule({
      id: `future/${name}`,
      plan: 'full',
      title: `The receiver fails on ${sends}.`,
      sends,
      expected: 'The receiver accepts or refuses it, but does not fail.',
      level: 'warning',
      fix: 'Handle unknown values as events that you do not use, and respond with 2xx.',
      provoke: (receiver) => judgeUnknown(receiver, sends, change),
    }),
  ),
]

async function judgeUnknown(receiver: Receiver, sends: string, change: UnknownValue['change']) {
  const reaction = await receiver.send({ payload: change(receiver.payload()) })
  const seen = [{ what: sends, reaction }]
  const observed = `The receiver ${describeReaction(reaction)}.`
  if (isSuccess(reaction)) return passed(observed, seen)
  const { status = 0 } = reaction
  if (status < 400 || status >= 500) return failed(observed, seen)
  const because = "The Hub's own Python helper refuses it, too."
  return tolerated(`${observed} ${because}`, seen)
}

function withUnknownMembers(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withUnknownMembers)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).map(([key, inner]) => [key, withUnknownMembers(inner)])
  return { ...Object.fromEntries(entries), addedLater: { by: 'the Hub', values: [1, null] } }
}
