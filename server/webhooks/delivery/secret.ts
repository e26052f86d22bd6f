import type { Webhook } from '../../state/entities/webhooks.ts'
import type { DeliveryProfile } from './profiles.ts'

const prefix = 'whsec_'
const base64 = /^[A-Za-z0-9+/]+={0,2}$/

/** Why a receiver can never match a secret, as a sentence; `undefined` when it can. */
export function findSecretProblem(
  secret: string,
  { extraHeaders }: Pick<DeliveryProfile, 'extraHeaders'>,
): string | undefined {
  if (/[^\x20-\x7e]/.test(secret)) {
    return 'A secret has printable ASCII characters only, since it is sent as a header.'
  }
  if (secret !== secret.trim()) {
    return 'It begins or ends with a space, which no receiver sees: HTTP drops it around a header.'
  }
  if (extraHeaders === 'standard-webhooks' && signingKeyOf(secret) === undefined) {
    return 'Under the delivery profile standard-webhooks a secret is base64, with whsec_ before it or without: receivers decode it to verify the signature.'
  }
  return undefined
}

/** Why the deliveries of a webhook cannot be sent as it stands; a stored one may not fit another profile. */
export function findSendingProblem(
  { url, secret }: Pick<Webhook, 'url' | 'secret'>,
  profile: Pick<DeliveryProfile, 'extraHeaders'>,
): string | undefined {
  if (url === undefined || secret === undefined) return undefined
  const problem = findSecretProblem(secret, profile)
  return problem === undefined ? undefined : `The secret does not fit: ${problem}`
}

/**
 * The key a secret stands for in signatures, as receivers decode it by default.
 * @returns `undefined` when it is no base64
 * @see https://www.standardwebhooks.com, "Signature scheme"
 */
export function signingKeyOf(secret: string): Buffer | undefined {
  const text = secret.startsWith(prefix) ? secret.slice(prefix.length) : secret
  const rest = text.length % 4
  // Receivers want four characters at least; padding may be left out, but not half of it.
  const isWhole = text.includes('=') ? rest === 0 : rest !== 1
  if (text.length < 4 || !isWhole || !base64.test(text)) return undefined
  return Buffer.from(text, 'base64')
}
