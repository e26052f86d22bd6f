import { encodeText } from '../../core/encode-text.ts'
import { isSecretName, maskHeader, maskText } from '../../core/mask.ts'
import { Refusal } from '../../core/refusal.ts'
import { maskSecret } from '../../core/secrets.ts'

/** Value, masked if it is secret. */
export interface Shown {
  value: string
  secret?: true
}

/** Secrets of a step to show unmasked, by name; all others stay masked. */
export interface SecretReveal {
  /** A parameter, a member of JSON or a claim. */
  show(name: string, value: string): Shown
  header(name: string, value: string): string
  /** Shows a body or a URL, which contains the secrets that were shown before. */
  text(text: string): string
  /**
   * Checks the names after everything was shown.
   * @throws {Refusal} `invalid` for a name that no secret has
   */
  check(): void
}

/** @param wanted names, comma-separated; `*` = all */
export function readReveal(wanted = ''): SecretReveal {
  const names = new Set(wanted.split(',').filter((name) => name !== ''))
  const all = names.has('*')
  const isOpen = (name: string) => all || names.has(name)
  const secrets = new Set<string>()
  const revealed = new Set<string>()

  return {
    show(name, value) {
      if (!isSecretName(name) && maskText(value) === value) return { value }
      secrets.add(name)
      if (!isOpen(name)) {
        return { value: isSecretName(name) ? maskSecret(value) : maskText(value), secret: true }
      }
      revealed.add(value)
      return { value, secret: true }
    },
    header(name, value) {
      const lowerName = name.toLowerCase()
      const masked = maskHeader(lowerName, value)
      if (masked === value) return value
      secrets.add(lowerName)
      return isOpen(lowerName) ? value : maskHeader(lowerName, value)
    },
    text: (text) => (all ? text : maskAround(text, spellings(revealed))),
    check() {
      const unknown = [...names].filter((name) => name !== '*' && !secrets.has(name))
      if (unknown.length === 0) return
      const has = secrets.size === 0 ? 'it has none' : `it has ${[...secrets].join(', ')}`
      const message = `This step has no secret ${unknown.join(', ')}; ${has}.`
      throw new Refusal('invalid', message, { issues: [{ path: 'reveal', message }] })
    },
  }
}

/** Encodings of a secret in JSON, in a form and in a URL. */
function spellings(secrets: ReadonlySet<string>): string[] {
  const all = [...secrets].flatMap((secret) => [
    secret,
    encodeText(secret),
    new URLSearchParams({ s: secret }).toString().slice(2),
    JSON.stringify(secret).slice(1, -1),
  ])
  // The longest first: one may start with another.
  return [...new Set(all)]
    .filter((spelling) => spelling !== '')
    .toSorted((one, other) => other.length - one.length)
}

function maskAround(text: string, open: readonly string[]): string {
  const [first, ...rest] = open
  if (first === undefined) return maskText(text)
  return text
    .split(first)
    .map((part) => maskAround(part, rest))
    .join(first)
}
