import { isObject } from '../../core/is-object.ts'
/** Stands where a secret stood that the request log never had. */
const hidden = '…'

/** Whatever is not known to be public may be the secret, by whichever name it was sent. */
const publicMembers = new Set(['key', 'description'])

/** The body that sets a secret, as the request log may have it. */
export function noteSecret(body: unknown): unknown {
  if (!isObject(body)) return undefined
  return mapMembers(body, (value, name) => (publicMembers.has(name) ? value : hidden))
}

/** A body with a list of secrets, as the request log may have it. */
export function noteSecrets(body: unknown): unknown {
  if (!isObject(body)) return undefined
  return mapMembers(body, (value, name) => {
    if (name !== 'secrets') return value
    return Array.isArray(value) ? value.map((entry) => noteSecret(entry) ?? hidden) : hidden
  })
}

function mapMembers(body: object, map: (value: unknown, name: string) => unknown): object {
  return Object.fromEntries(Object.entries(body).map(([name, value]) => [name, map(value, name)]))
}
