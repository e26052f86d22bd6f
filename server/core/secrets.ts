import { hash, timingSafeEqual } from 'node:crypto'

/** Compares two secrets in a time that reveals neither their content nor their length. */
export function equalSecrets(a: string, b: string): boolean {
  const digest = (text: string) => hash('sha256', text, 'buffer')
  return timingSafeEqual(digest(a), digest(b))
}

/**
 * Shortens a secret for logs and lists: enough to recognize, too little to use. Short ones of the sandbox itself show
 * their ends; other short ones may be real and show nothing.
 */
export function maskSecret(secret: string): string {
  const [prefix = ''] = /^(?:hf_(?:oauth_)?(?:sandbox_?)?|sandbox_)?/.exec(secret) ?? []
  const rest = secret.slice(prefix.length)
  if (rest.length >= 12) return `${prefix}…${rest.slice(-4)}`
  if (!prefix.includes('sandbox') || rest.length < 3) return `${prefix}…`
  return `${prefix}${rest.at(0)}…${rest.at(-1)}`
}
