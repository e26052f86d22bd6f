import { isObject } from '../../core/is-object.ts'
import { own } from '../../core/own.ts'

/** The members of a body that is a JSON object, parsed or as text; `undefined` for any other, and for one that was cut. */
export function jsonOf(body: unknown): Record<string, unknown> | undefined {
  const value = typeof body === 'string' || Buffer.isBuffer(body) ? parse(String(body)) : body
  return isObject(value) && !(value instanceof URLSearchParams) ? value : undefined
}

/** A member that is a text. */
export function textMember(body: unknown, name: string): string | undefined {
  const value = own(jsonOf(body) ?? {}, name)
  return typeof value === 'string' ? value : undefined
}

function parse(text: string): unknown {
  if (!text.startsWith('{')) return undefined
  try {
    return JSON.parse(text)
  } catch {
    // Cut off, or broken by a rule: what is left is shown as it is.
    return undefined
  }
}
