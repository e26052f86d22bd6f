import { rfc } from '../../../checks/rule.ts'
import {
  describeReaction,
  isRefusal,
  isSuccess,
  type ReceiverJudgement,
  receiverModule,
  type ReceiverModule,
  type Sighting,
} from '../receiver-module.ts'
import type { Receiver, Sent } from '../audited-receiver.ts'
import { failed, inconclusive, notApplicable, passed } from '../../judgement.ts'

const noSecret = 'The audit knows no secret of the receiver.'
const signed = 'The receiver checks signatures: see the modules standard/….'

/** Why the secret of a receiver cannot be judged. */
function whyNot({ secret, isSigned }: Receiver): string | undefined {
  if (secret === undefined || secret === '') return noSecret
  return isSigned ? signed : undefined
}

interface WrongSecret {
  readonly name: string
  readonly plan: 'core' | 'full'
  readonly title: string
  readonly sends: string
  /** Values of each request, by a name if there are several; `undefined` if the secret allows none. */
  readonly values: (secret: string) => Readonly<Record<string, readonly string[]>> | undefined
}

const wrongSecrets: readonly WrongSecret[] = [
  {
    name: 'missing',
    plan: 'core',
    title: 'The receiver does not refuse deliveries without the secret.',
    sends: 'no secret',
    values: () => ({ '': [] }),
  },
  {
    name: 'wrong',
    plan: 'core',
    title: 'The receiver does not refuse another secret.',
    sends: 'another secret of another length',
    values: (secret) => ({ '': [`wrong-${otherCharacters(secret)}`] }),
  },
  {
    name: 'prefix',
    plan: 'core',
    title: 'The receiver does not refuse a part of the secret, or more than it.',
    sends: 'the first half of the secret, and the secret with one more character',
    values: (secret) => ({
      ...(secret.length > 1 && {
        'the first half of the secret': [secret.slice(0, Math.ceil(secret.length / 2))],
      }),
      'the secret with one more character': [`${secret}x`],
    }),
  },
  {
    name: 'same-length',
    plan: 'core',
    title: 'The receiver does not refuse another secret of the same length.',
    sends: 'another secret of the same length',
    values: (secret) => ({ '': [otherCharacters(secret)] }),
  },
  {
    name: 'empty',
    plan: 'core',
    title: 'The receiver does not refuse an empty secret.',
    sends: 'an empty secret',
    values: () => ({ '': [''] }),
  },
  {
    name: 'other-case',
    plan: 'full',
    title: 'The receiver does not refuse the secret in another case.',
    sends: 'the secret with upper and lower case exchanged',
    values(secret) {
      const other = otherCase(secret)
      return other === secret ? undefined : { '': [other] }
    },
  },
  {
    name: 'with-space',
    plan: 'full',
    title: 'The receiver does not refuse the secret with a space in it.',
    sends: 'the secret with a space after its first character',
    values: (secret) =>
      secret.length < 2 ? undefined : { '': [`${secret.slice(0, 1)} ${secret.slice(1)}`] },
  },
  {
    name: 'twice',
    plan: 'full',
    title: 'The receiver does not refuse a wrong secret beside the right one.',
    sends: 'the right and a wrong secret in two headers',
    values: (secret) => ({ '': [secret, otherCharacters(secret)] }),
  },
]

export const secretModules: readonly ReceiverModule[] = [
  ...wrongSecrets.map(({ name, plan, title, sends, values }) =>
    receiverModule({
      id: `secret/${name}`,
      plan,
      title,
      sends,
      expected: 'The receiver refuses with 401 or 403, and does no work.',
      level: 'error',
      fix: 'Compare the whole secret with a function for secrets, such as crypto.timingSafeEqual of digests or hmac.compare_digest, and respond with 401 or 403 before anything else.',
      provoke: (receiver) => judgeForger(receiver, sends, values),
    }),
  ),
  receiverModule({
    id: 'secret/in-query',
    plan: 'full',
    title: 'The receiver accepts the secret in the URL, although it expects the header.',
    sends: 'the right secret in the query only',
    expected: 'The receiver refuses: URLs are stored in logs.',
    level: 'note',
    fix: 'Read the secret from the header X-Webhook-Secret only.',
    async provoke(receiver) {
      const because = whyNot(receiver)
      if (because !== undefined) return notApplicable(because)
      if (receiver.secretIn === 'query') {
        return notApplicable('The receiver expects the secret in the query.')
      }
      const reaction = await receiver.send({ secretInQuery: true })
      const seen = [{ what: 'the secret in the query', reaction }]
      return isRefusal(reaction)
        ? passed('The receiver refused it.', seen)
        : failed(`The receiver ${describeReaction(reaction)}.`, seen)
    },
  }),
  receiverModule({
    id: 'secret/no-leak',
    plan: 'full',
    title: 'The receiver judges a body before the secret, or responds with the secret.',
    sends: 'a wrong secret with a good and a broken body, a broken body, an unknown path',
    expected:
      'No response contains the secret. A wrong secret is refused with the same status, whatever the body.',
    level: 'warning',
    fix: 'Check the secret before the body is read, and put no header of the request into a response.',
    sources: [rfc(9110, '17.16.1')],
    provoke: judgeLeak,
  }),
]

async function judgeForger(
  receiver: Receiver,
  sends: string,
  valuesOf: WrongSecret['values'],
): Promise<ReceiverJudgement> {
  const because = whyNot(receiver)
  if (because !== undefined) return notApplicable(because)
  const values = valuesOf(receiver.secret ?? '')
  if (values === undefined) {
    return notApplicable('The secret has no such variant.')
  }
  const { effects } = receiver
  const before = await effects?.settled()
  const seen: Sighting[] = []
  for (const [name, secrets] of Object.entries(values)) {
    const reaction = await receiver.send({ secrets })
    seen.push({ what: `sent ${name === '' ? sends : name}`, reaction })
  }
  const accepted = seen.find(({ reaction }) => !isRefusal(reaction))
  if (accepted !== undefined) {
    const worked = effects && (await effects.settled()) !== before
    return judgeWrongSecret(accepted, worked)
  }
  if (effects === undefined) {
    return passed(
      'The receiver refused it. No effects are known, so its work was not judged.',
      seen,
    )
  }
  return (await effects.settled()) === before
    ? passed('The receiver refused it, and did no work.', seen)
    : failed('The receiver refused it, and did the work nevertheless.', seen)
}

/** Judges a wrong secret that was not refused. @param worked whether it did the work, if that is known */
function judgeWrongSecret(sighting: Sighting, worked: boolean | undefined): ReceiverJudgement {
  const { reaction } = sighting
  const reacted = `The receiver ${describeReaction(reaction)}`
  if (worked === true) return failed(`${reacted}, and did the work.`, [sighting])
  if (worked === false) return failed(`${reacted}, but did no work.`, [sighting], 'warning')
  // A receiver that fails has not accepted the secret.
  return isSuccess(reaction)
    ? failed(`${reacted}.`, [sighting])
    : failed(`${reacted} instead of refusing.`, [sighting], 'warning')
}

async function judgeLeak(receiver: Receiver): Promise<ReceiverJudgement> {
  const because = whyNot(receiver)
  if (because !== undefined) return notApplicable(because)
  const { secret = '' } = receiver
  const wrong = { secrets: [otherCharacters(secret)] }
  const send = async (what: string, sent: Sent) => ({ what, reaction: await receiver.send(sent) })
  const good = await send('a wrong secret with a good body', wrong)
  const bad = await send('a wrong secret with a broken body', { ...wrong, body: '{' })
  const others = [
    await send('a broken body', { body: '{' }),
    await send('an unknown path', { path: '/hub-sandbox-audit' }),
  ]
  const seen = [good, bad, ...others]
  const leak = seen.find(({ reaction }) => reaction.text.includes(secret))
  if (leak !== undefined) return failed(`The response to ${leak.what} contains the secret.`, [leak])
  if (good.reaction.status !== bad.reaction.status) {
    const observed = `The receiver ${describeReaction(good.reaction)} to ${good.what}, and ${describeReaction(bad.reaction)} to ${bad.what}.`
    return failed(observed, [good, bad])
  }
  if (!isRefusal(good.reaction)) {
    const observed = `No response contains the secret. The receiver ${describeReaction(good.reaction)} to ${good.what}, so no refusals could be compared.`
    return inconclusive(observed, [good, bad])
  }
  return passed('No response contains the secret, and refusals look alike.', seen)
}

/** A text of the same length that differs in each character. */
function otherCharacters(secret: string): string {
  return secret.replaceAll(/./gs, (character) => (character === 'a' ? 'b' : 'a'))
}

function otherCase(text: string): string {
  return text.replaceAll(/[a-z]/gi, (letter) =>
    letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
  )
}
