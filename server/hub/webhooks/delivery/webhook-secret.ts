import type { Webhook } from '../../../store/entities/webhook-entities.ts'
import type { DeliveryProfile } from './profiles.ts'

const prefix = 'whsec_'
const base64 = /^[A-Za-z0-9+/]+={0,2}$/

/** Returns why no receiver could verify a secret, as a sentence; `undefined` when it can. */
export function findSecretProblem(
  secret: string,
  { extraHeaders }: Pick<DeliveryProfile, 'extraHeaders'>,
): string | undefined {
  if (/[^\x20-\x7e]/.test(secret)) {
    return 'Use printable ASCII characters only: the secret is sent as a header.'
  }
  if (secret !== secret.trim()) {
    return 'The secret begins or ends with a space. HTTP removes spaces around header values, so no receiver would see it.'
  }
  if (extraHeaders === 'standard-webhooks' && signingKeyOf(secret) === undefined) {
    return 'The delivery profile standard-webhooks needs a base64 secret, with or without the prefix whsec_: receivers decode it to verify the signature.'
  }
  return undefined
}

/** Returns why deliveries of a webhook cannot be sent: a stored secret may be invalid under another profile. */
export function findSendingProblem(
  { url, secret }: Pick<Webhook, 'url' | 'secret'>,
  profile: Pick<DeliveryProfile, 'extraHeaders'>,
): string | undefined {
  if (url === undefined || secret === undefined) return undefined
  const problem = findSecretProblem(secret, profile)
  return problem === undefined ? undefined : `Invalid secret: ${problem}`
}

/**
 * Decodes a secret to the key for signatures, as receivers do by default.
 * @returns `undefined` when it is not base64
 * @see https://www.standardwebhooks.com, "Signature scheme"
 */
export function signingKeyOf(secret: string): Buffer | undefined {
  const text = secret.startsWith(prefix) ? secret.slice(prefix.length) : secret
  const rest = text.length % 4
  // Receivers need at least four characters; padding may be left out only as a whole.
  const isWhole = text.includes('=') ? rest === 0 : rest !== 1
  if (text.length < 4 || !isWhole || !base64.test(text)) return undefined
  return Buffer.from(text, 'base64')
}
