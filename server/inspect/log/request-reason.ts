import { maskText } from '../../core/mask.ts'
import { wholeSentence } from '../../core/sentence.ts'
import { userDenials } from '../../contract/words/oauth-words.ts'
import { wireDescription } from '../../hub/oauth/wire-description.ts'
import { bodyText } from './body-text.ts'
import { isRefusedByFault } from './fault-effect.ts'
import type { RequestRecord } from './request-log.ts'

/** Parameters of the URL of a redirect. */
export function redirectOf({ response }: RequestRecord): URLSearchParams | undefined {
  const location = response.headers['location']
  return typeof location === 'string' && URL.canParse(location)
    ? new URL(location).searchParams
    : undefined
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
export function reasonOf(record: RequestRecord): string | undefined {
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
