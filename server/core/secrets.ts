import { hash, timingSafeEqual } from 'node:crypto'

/** Compares two secrets in a time that tells neither their content nor their length. */
export function equalSecrets(a: string, b: string): boolean {
  const digest = (text: string) => hash('sha256', text, 'buffer')
  return timingSafeEqual(digest(a), digest(b))
}

/** A secret as logs and lists show it: enough to recognise, too little to use. */
export function maskSecret(secret: string): string {
  const prefix = /^(hf_oauth_|hf_)?(sandbox_)?/.exec(secret)?.[0] ?? ''
  return secret.length < prefix.length + 12 ? `${prefix}…` : `${prefix}…${secret.slice(-4)}`
}
