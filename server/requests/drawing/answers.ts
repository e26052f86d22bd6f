import { maskText } from '../../core/mask.ts'
import { omitUndefined } from '../../core/omit-undefined.ts'
import { wholeSentence } from '../../core/sentence.ts'
import type { FlowStepOutcome } from '../../contract/words/sandbox.ts'
import { userDenials } from '../../contract/words/oauth.ts'
import { wireDescription } from '../../oauth/wire-description.ts'
import { bodyText } from '../log/body-text.ts'
import type { RequestRecord } from '../log/request-log.ts'

/** How a request ended. */
export interface RequestEnding {
  outcome: FlowStepOutcome
  error?: string
  /** Why it was refused, in sentences, without secrets. */
  explanation?: string
}

/** Answers of the device flow that mean: ask again (RFC 8628 §3.5). */
export const askAgain: ReadonlySet<string> = new Set(['authorization_pending', 'slow_down'])

/** Parameters of the address that the browser is sent to. */
export function redirectOf({ response }: RequestRecord): URLSearchParams | undefined {
  const location = response.headers['location']
  return typeof location === 'string' && URL.canParse(location)
    ? new URL(location).searchParams
    : undefined
}

export function endingOf(record: RequestRecord): RequestEnding {
  const { status, error, faultId } = record
  const redirected = redirectOf(record)?.get('error') ?? undefined
  const isRefused = status === 0 || status >= 400 || redirected !== undefined
  if (!isRefused) return { outcome: 'ok' }
  const code = redirected ?? error
  if (faultId !== undefined) {
    const explanation = 'A fault rule of the sandbox broke this.'
    return { outcome: 'broken', explanation, ...omitUndefined({ error: code }) }
  }
  if (status === 0) {
    return { outcome: 'broken', explanation: 'The connection was cut before the answer.' }
  }
  const outcome = code !== undefined && askAgain.has(code) ? 'pending' : 'refused'
  return { outcome, ...omitUndefined({ error: code, explanation: reasonOf(record) }) }
}

/** Whether the response reports to the app that the user denied on purpose. */
export function isUserDenial(record: RequestRecord): boolean {
  const said = redirectOf(record)?.get('error_description') ?? descriptionOf(record)
  return record.faultId === undefined && Object.values<unknown>(userDenials).includes(said)
}

/**
 * What is told of a request in a list. What the answer of a refused one said belongs to it: what the log knows beside
 * often only adds to that.
 */
export function detailOf(record: RequestRecord): string | undefined {
  const isRefused = record.error !== undefined && record.faultId === undefined
  return isRefused ? reasonOf(record) : record.detail
}

/** What the answer says, then what only the log knows. */
function reasonOf(record: RequestRecord): string | undefined {
  const said =
    redirectOf(record)?.get('error_description') ?? record.message ?? descriptionOf(record)
  const known = record.detail
  // On the wire it may stand with other quotation marks (RFC 6749 §5.2).
  const isSame = known !== undefined && (said === known || said === wireDescription(known))
  const parts = isSame ? [known] : [said, known]
  const sentences = parts.flatMap((part) => (part ? [wholeSentence(part)] : []))
  return sentences.length === 0 ? undefined : maskText(sentences.join(' '))
}

function descriptionOf({ response }: RequestRecord): string | undefined {
  const text = bodyText(response.body)
  const quoted = /"(?:error_description|message)":("(?:[^"\\]|\\.)*")/.exec(text ?? '')?.[1]
  return quoted === undefined ? undefined : (JSON.parse(quoted) as string)
}
