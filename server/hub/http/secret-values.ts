import { isObject } from '../../core/is-object.ts'
/** Replaces a secret before the request log gets it. */
const hidden = '…'

/** Only these members are public: any other may be the secret under a wrong name. */
const publicMembers = new Set(['key', 'description'])

/** Masks a body that sets a secret, for the request log. */
export function noteSecret(body: unknown): unknown {
  if (!isObject(body)) return undefined
  return mapMembers(body, (value, name) => (publicMembers.has(name) ? value : hidden))
}

/** Masks a body with a list of secrets, for the request log. */
export function noteSecrets(body: unknown): unknown {
  if (!isObject(body)) return undefined
  return mapMembers(body, (value, name) => {
    if (name !== 'secrets') return value
    return Array.isArray(value) ? value.map((entry) => noteSecret(entry) ?? hidden) : hidden
  })
}

/** Masks the secrets of an inference endpoint and the credentials of its image, for the request log. */
export function noteEndpointSecrets(body: unknown): unknown {
  if (!isObject(body)) return undefined
  return mapMembers(body, (value, name) =>
    name === 'model' && isObject(value)
      ? mapMembers(value, (part, key) => (key === 'secrets' || key === 'image' ? hidden : part))
      : value,
  )
}

function mapMembers(body: object, map: (value: unknown, name: string) => unknown): object {
  return Object.fromEntries(Object.entries(body).map(([name, value]) => [name, map(value, name)]))
}
