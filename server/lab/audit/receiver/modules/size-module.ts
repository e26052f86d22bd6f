import { rfc } from '../../../checks/rule.ts'
import type { MadeBody } from '../../../../web/outgoing/wire.ts'
import {
  describeReaction,
  isSuccess,
  receiverModule,
  type ReceiverModule,
} from '../receiver-module.ts'
import type { Payload } from '../audited-receiver.ts'
import { failed, passed } from '../../judgement.ts'

const kibibyte = 1024
const part = new Uint8Array(64 * kibibyte).fill(0x78)

export const sizeModules: readonly ReceiverModule[] = [
  receiverModule({
    id: 'size/large',
    plan: 'full',
    title: 'The receiver fails on a body of 300 KiB.',
    sends: 'a body of 300 KiB',
    expected: 'The receiver accepts it, or refuses with 413.',
    level: 'warning',
    fix: 'Raise the limit of the body parser, such as express.json({ limit: "1mb" }).',
    sources: [rfc(9110, '15.5.14')],
    async provoke(receiver) {
      const payload = { ...receiver.payload(), padding: 'x'.repeat(300 * kibibyte) }
      const reaction = await receiver.send({ payload })
      const seen = [{ what: 'a body of 300 KiB', reaction }]
      const observed = `The receiver ${describeReaction(reaction)}.`
      return isSuccess(reaction) || reaction.status === 413
        ? passed(observed, seen)
        : failed(observed, seen)
    },
  }),
  receiverModule({
    id: 'size/huge',
    plan: 'full',
    title: 'The receiver does not limit the size of bodies.',
    sends: 'a body of 12 MiB',
    expected:
      'The receiver refuses with 413, closes the connection or accepts it, and goes on working.',
    level: 'warning',
    fix: 'Limit the size of bodies, and respond with 413 to larger ones.',
    sources: [rfc(9110, '15.5.14')],
    async provoke(receiver) {
      const reaction = await receiver.send({ body: hugeBody(receiver.payload()) })
      const seen = [{ what: 'a body of 12 MiB', reaction }]
      const observed = `The receiver ${describeReaction(reaction)}.`
      const { status, error } = reaction
      const isCut = status === undefined && error?.class !== 'timeout'
      return isSuccess(reaction) || status === 413 || isCut
        ? passed(observed, seen)
        : failed(observed, seen)
    },
  }),
]

/** A payload with 12 MiB of padding, made while it is sent. */
function hugeBody(payload: Payload): MadeBody {
  const head = Buffer.from(`${JSON.stringify(payload).slice(0, -1)},"padding":"`)
  const tail = Buffer.from('"}')
  const count = 192
  return {
    bytes: head.length + count * part.length + tail.length,
    *parts() {
      yield head
      for (let index = 0; index < count; index++) yield part
      yield tail
    },
  }
}
