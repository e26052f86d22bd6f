import { maskText } from '../../core/mask.ts'
import { omitUndefined } from '../../core/omit-undefined.ts'
import { wholeSentence } from '../../core/sentence.ts'
import type { FlowStepOutcome } from '../../contract/words/sandbox-words.ts'
import { pollAgainErrors, userDenials } from '../../contract/words/oauth-words.ts'
import { wireDescription } from '../../hub/oauth/wire-description.ts'
import { bodyText } from '../log/body-text.ts'
import { faultSentence, isRefusedByFault, isTouched } from './fault-effect.ts'
import type { RequestRecord } from '../log/request-log.ts'

/** Outcome of a request. */
export interface RequestEnding {
  outcome: FlowStepOutcome
  error?: string
  /** Reason of the refusal, in sentences, without secrets. */
  explanation?: string
}

/** Parameters of the URL of a redirect. */
export function redirectOf({ response }: RequestRecord): URLSearchParams | undefined {
  const location = response.headers['location']
  return typeof location === 'string' && URL.canParse(location)
    ? new URL(location).searchParams
    : undefined
}

export function endingOf(record: RequestRecord): RequestEnding {
  const { status, error } = record
  const redirected = redirectOf(record)?.get('error') ?? undefined
  const isRefused = status === 0 || status >= 400 || redirected !== undefined
  const change = isTouched(record) ? faultSentence(record) : undefined
  if (!isRefused) {
    return change === undefined ? { outcome: 'ok' } : { outcome: 'changed', explanation: change }
  }
  const code = redirected ?? error
  if (isRefusedByFault(record)) {
    return { outcome: 'broken', ...omitUndefined({ error: code, explanation: change }) }
  }
  const reason = status === 0 ? 'The connection was dropped before the response.' : reasonOf(record)
  const sentences = [reason, change].filter((sentence) => sentence !== undefined)
  const explanation = sentences.length === 0 ? undefined : sentences.join(' ')
  if (status === 0) return { outcome: 'broken', ...omitUndefined({ explanation }) }
  const outcome = code !== undefined && pollAgainErrors.has(code) ? 'pending' : 'refused'
  return { outcome, ...omitUndefined({ error: code, explanation }) }
}

/** Checks whether the response reports to the app that the user denied on purpose. */
export function isUserDenial(record: RequestRecord): boolean {
  const said = redirectOf(record)?.get('error_description') ?? descriptionOf(record)
  return !isRefusedByFault(record) && Object.values<unknown>(userDenials).includes(said)
}

/**
 * Summary of a request in a list. For a refused one it includes the message of the response, to which the reason in the
 * log often only adds.
 */
export function detailOf(record: RequestRecord): string | undefined {
  const isRefused = record.error !== undefined && !isRefusedByFault(record)
  return isRefused ? reasonOf(record) : record.detail
}

/** Message of the response, then the reason that only the log has. */
function reasonOf(record: RequestRecord): string | undefined {
  const said =
    redirectOf(record)?.get('error_description') ?? record.message ?? descriptionOf(record)
  const known = record.detail
  // The response may use other quotation marks (RFC 6749 §5.2).
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
