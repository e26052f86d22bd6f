import {
  describeReaction,
  isRefusal,
  judgeAccepted,
  receiverModule,
  type ReceiverModule,
  standardWebhooks,
} from '../receiver-module.ts'
import type { Receiver, Sent } from '../audited-receiver.ts'
import { failed, notApplicable, passed } from '../../judgement.ts'

interface Forgery {
  readonly name: string
  readonly title: string
  readonly sends: string
  readonly sent: (receiver: Receiver) => Sent
}

const minutes = 60_000
/** Base64 of 32 bytes that are no signature of anything. */
const noSignature = Buffer.alloc(32, 7).toString('base64')

const forgeries: readonly Forgery[] = [
  {
    name: 'signature-wrong',
    title: 'The receiver does not verify the signature.',
    sends: 'a wrong signature',
    sent: () => ({ header: signature(() => `v1,${noSignature}`) }),
  },
  {
    name: 'body-changed',
    title: 'The receiver accepts a body that was changed after it was signed.',
    sends: 'the signature of another body',
    sent(receiver) {
      const payload = receiver.payload()
      return { payload, signedBody: JSON.stringify(receiver.payload()) }
    },
  },
  {
    name: 'id-changed',
    title: 'The receiver accepts an id that was changed after it was signed.',
    sends: 'another webhook-id than the signed one',
    sent: (receiver) => ({
      header: (name, value) => (name === 'webhook-id' ? receiver.messageId() : value),
    }),
  },
  {
    name: 'old',
    title: 'The receiver accepts a delivery that was signed long ago.',
    sends: 'a delivery that was signed 6 minutes ago',
    sent: () => ({ offsetMs: -6 * minutes }),
  },
  {
    name: 'future',
    title: 'The receiver accepts a delivery of the future.',
    sends: 'a delivery that is signed for 6 minutes from now',
    sent: () => ({ offsetMs: 6 * minutes }),
  },
]

const honest: readonly (Forgery & { readonly what: string })[] = [
  {
    name: 'rotated',
    title: 'The receiver refuses a delivery with two signatures.',
    sends: 'two signatures, of which the second is right, as during a rotation of the secret',
    what: 'two signatures',
    sent: () => ({ header: signature((value) => `v1,${noSignature} ${value}`) }),
  },
  {
    name: 'other-version',
    title: 'The receiver refuses a delivery with a signature of another version.',
    sends: 'a signature of version v1a beside the right one',
    what: 'a signature of another version',
    sent: () => ({ header: signature((value) => `v1a,${noSignature} ${value}`) }),
  },
]

const fix =
  'Verify with a library of Standard Webhooks, such as new Webhook(secret).verify(body, headers), on the bytes of the body and before it is parsed.'

/** Modules for receivers of the profile standard-webhooks. */
export const standardModules: readonly ReceiverModule[] = [
  ...forgeries.map(({ name, title, sends, sent }) =>
    receiverModule({
      id: `standard/${name}`,
      plan: 'core',
      title,
      sends,
      expected: 'The receiver refuses with 400, 401 or 403.',
      level: 'error',
      fix,
      sources: [standardWebhooks('Verifying webhook authenticity')],
      async provoke(receiver) {
        if (!hasSignature(receiver)) return notApplicable(needsSecret)
        const reaction = await receiver.send(sent(receiver))
        const seen = [{ what: sends, reaction }]
        const observed = `The receiver ${describeReaction(reaction)}.`
        return isRefusal(reaction) ? passed(observed, seen) : failed(observed, seen)
      },
    }),
  ),
  ...honest.map(({ name, title, sends, what, sent }) =>
    receiverModule({
      id: `standard/${name}`,
      plan: 'full',
      title,
      sends,
      expected: 'The receiver accepts it: one valid signature is enough.',
      level: 'error',
      fix,
      sources: [standardWebhooks('Signature scheme')],
      async provoke(receiver) {
        if (!hasSignature(receiver)) return notApplicable(needsSecret)
        return judgeAccepted([{ what, reaction: await receiver.send(sent(receiver)) }])
      },
    }),
  ),
]

const needsSecret = 'The deliveries are not signed: use the profile standard-webhooks and a secret.'
const hasSignature = ({ isSigned }: Receiver) => isSigned

function signature(change: (value: string) => string) {
  return (name: string, value: string) => (name === 'webhook-signature' ? change(value) : value)
}
