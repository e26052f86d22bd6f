/**
 * Names whose values differ between two equal requests: ids, single-use values, times. Lower case, with `-` between
 * words.
 */
const names: ReadonlySet<string> = new Set(
  [
    'id uid jti sid oid sha event-id delivery-id discussion-id comment-id commit-id commit-oid',
    'head-sha new-sha old-sha etag webhook-id webhook-timestamp webhook-signature message-id serial',
    'code state nonce code-verifier code-challenge device-code user-code ticket signed-in csrf seq',
    'access-token refresh-token id-token id-token-hint at-hash c-hash client-assertion cookie',
    'set-cookie iat exp nbf auth-time time timestamp last-modified',
  ].flatMap((line) => line.split(' ')),
)
const endings = /(?:At|_at|Sha|Oid|Date|Time)$/
/** Headers whose value and absence say nothing about a mistake. */
const incidental = /^(?:(?:x-)?ratelimit.*|date|age|x-request-id|content-length)$/

/** Last part of a JSON pointer, else the whole name. */
function lastName(name: string): string {
  return name.slice(name.lastIndexOf('/') + 1)
}

/**
 * Checks whether two values of a name differ by nature, so that the difference explains nothing. One that is absent on
 * one side has an effect: a nonce that was not sent, a cookie that was not set.
 */
export function differsByNature(
  name: string,
  before: string | undefined,
  after: string | undefined,
): boolean {
  const last = lastName(name)
  const plain = last
    .replaceAll(/([a-z])([A-Z])/g, '$1-$2')
    .replaceAll('_', '-')
    .toLowerCase()
  if (incidental.test(plain)) return true
  if (before === undefined || after === undefined) return false
  if (names.has(plain) || endings.test(last) || (isTime(before) && isTime(after))) return true
  return urlsDifferByNature(before, after)
}

/** Checks whether two URLs differ in parameters that differ by nature alone, such as those of a redirect. */
function urlsDifferByNature(before: string, after: string): boolean {
  const [one, other] = [partsOf(before), partsOf(after)]
  if (one === undefined || other === undefined || one.base !== other.base) return false
  const keys = new Set([...one.parameters.keys(), ...other.parameters.keys()])
  return [...keys].every((key) => {
    const [own, others] = [one.parameters.get(key), other.parameters.get(key)]
    return own === others || differsByNature(key, own ?? undefined, others ?? undefined)
  })
}

function partsOf(url: string): { base: string; parameters: URLSearchParams } | undefined {
  const [, base, query] = /^((?:https?:\/)?\/[^?#]*)[?#](.*)$/s.exec(url) ?? []
  if (base === undefined || query === undefined) return undefined
  return { base, parameters: new URLSearchParams(query) }
}

/** A time as JSON and logs have it. */
function isTime(value: string): boolean {
  return /^"?\d{4}-\d\d-\d\dT[\d:.]+Z"?$/.test(value)
}
