import type { ResendRequest } from '../../contract/control-requests.ts'
import { type Conceal, maskHeader, maskText } from '../../core/mask.ts'
import { Refusal } from '../../core/refusal.ts'
import { maskSecret } from '../../core/secrets.ts'
import { bodyText } from './body-text.ts'
import type { RequestRecord } from './request-log.ts'

/** Request to the hub, ready to be sent. */
export interface SentAgain {
  method: string
  /** Path and query. */
  path: string
  headers: Record<string, string | string[]>
  body?: string
}

/** Headers of the connection, which the sandbox sets itself. */
const ownHeaders = new Set([
  'connection',
  'content-length',
  'expect',
  'host',
  'keep-alive',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])

/**
 * Builds a recorded request with changes. Masked values in the changes stand for the recorded ones.
 * @throws {Refusal} `invalid` with the part that cannot be sent
 */
export function resentRequest(record: RequestRecord, changes: ResendRequest): SentAgain {
  const method = changes.method ?? record.method
  if (!/^(?:GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS)$/.test(method)) {
    refuse(
      'method',
      `${method} cannot be sent: use GET, HEAD, POST, PUT, PATCH, DELETE or OPTIONS.`,
    )
  }
  const body = bodyOf(record, changes)
  return {
    method,
    path: pathOf(record, changes),
    headers: headersOf(record, changes),
    ...(body === undefined || body === '' ? {} : { body }),
  }
}

function pathOf({ url }: RequestRecord, { path }: ResendRequest): string {
  const sent = path === undefined ? url : unmask(path, [url], maskText)
  // A target may be a whole URL (RFC 9112 §3.2.2).
  const target = /^https?:\/\/[^/?#]*(?<rest>.*)$/i.exec(sent)?.groups?.['rest'] ?? sent
  if (!target.startsWith('/')) refuse('path', `${sent} is not a path: begin with a slash.`)
  if (/[\s\p{Cc}]/u.test(target)) refuse('path', 'The path contains white space: write %20.')
  if (target.startsWith('/_sandbox')) {
    refuse(
      'path',
      `${target} is not part of the Hub: requests to the sandbox itself are not resent.`,
    )
  }
  if (isMasked(maskText, target)) refuseMasked('path', 'The path')
  return target
}

function headersOf({ request }: RequestRecord, changes: ResendRequest): SentAgain['headers'] {
  const recorded = Object.entries(request.headers).flatMap(([name, value]) =>
    [value ?? []].flat().map((text): [string, string] => [name, text]),
  )
  const headers: Record<string, string | string[]> = {}
  for (const [given, shown] of changes.headers ?? recorded) {
    const name = given.toLowerCase()
    if (!/^[\w!#$%&'*+.^`|~-]+$/.test(name)) refuse('headers', `Invalid header name "${given}".`)
    if (ownHeaders.has(name)) continue
    const originals = recorded.filter(([other]) => other === name).map(([, value]) => value)
    const mask = (text: string, conceal?: Conceal) => maskHeader(name, text, conceal)
    const value = changes.headers === undefined ? shown : unmask(shown, originals, mask)
    if (isMasked(mask, value) || /… \(\d+ more characters\)$/.test(value)) {
      refuseMasked('headers', `The header ${given}`)
    }
    if (/[^\t\u0020-\u007E\u0080-\u00FF]/.test(value)) {
      refuse('headers', `The header ${given} has a character that headers cannot have.`)
    }
    const before = Object.hasOwn(headers, name) ? headers[name] : undefined
    Object.defineProperty(headers, name, {
      value: before === undefined ? value : [before, value].flat(),
      enumerable: true,
      configurable: true,
      writable: true,
    })
  }
  return headers
}

function bodyOf({ request }: RequestRecord, { body }: ResendRequest): string | undefined {
  const original = bodyText(request.body)
  const kept = original === undefined ? undefined : maskText(original)
  if (request.truncated && (body === undefined || body === kept)) {
    refuse(
      'body',
      `The log has not the whole body of ${request.size} bytes: enter all of it, or send the request with its client.`,
    )
  }
  if (body === undefined) return original
  const sent = unmask(body, original === undefined ? [] : [original], maskText)
  if (isMasked(maskText, sent)) refuseMasked('body', 'The body')
  return sent
}

type Mask = (text: string, conceal?: Conceal) => string

/** Puts the secrets of the original texts in the place of their masks. */
function unmask(shown: string, originals: readonly string[], mask: Mask): string {
  const same = originals.find((original) => mask(original) === shown)
  if (same !== undefined) return same
  const secrets = new Map<string, string[]>()
  for (const original of originals) {
    mask(original, (secret) => {
      const masked = maskSecret(secret)
      secrets.set(masked, [...(secrets.get(masked) ?? []), secret])
      return masked
    })
  }
  let text = shown
  // A mask may contain another one, which was set before it.
  for (const [masked, known] of [...secrets].toReversed()) {
    let count = 0
    text = text.replaceAll(masked, () => known[Math.min(count++, known.length - 1)] ?? masked)
  }
  return text
}

/** Whether a secret in the text is a mask, of which the real value is unknown. */
function isMasked(mask: Mask, text: string): boolean {
  let found = false
  mask(text, (secret) => {
    found ||= secret.includes('…')
    return secret
  })
  return found
}

function refuseMasked(path: string, what: string): never {
  refuse(
    path,
    `${what} contains a masked value that this request never had: enter the whole value.`,
  )
}

function refuse(path: string, message: string): never {
  throw new Refusal('invalid', message, { issues: [{ path, message }] })
}
