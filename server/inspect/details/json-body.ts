import { isObject } from '../../core/is-object.ts'
import { own } from '../../core/own.ts'

/** Members of a body that is a JSON object, parsed or as a string; `undefined` for any other and for a truncated body. */
export function jsonOf(body: unknown): Record<string, unknown> | undefined {
  const value = typeof body === 'string' || Buffer.isBuffer(body) ? parse(String(body)) : body
  return isObject(value) && !(value instanceof URLSearchParams) ? value : undefined
}

/** Returns a member that is a string. */
export function textMember(body: unknown, name: string): string | undefined {
  const value = own(jsonOf(body) ?? {}, name)
  return typeof value === 'string' ? value : undefined
}

function parse(text: string): unknown {
  if (!text.startsWith('{')) return undefined
  try {
    return JSON.parse(text)
  } catch {
    // A truncated body, or one that a fault broke, is shown as it is.
    return undefined
  }
}
