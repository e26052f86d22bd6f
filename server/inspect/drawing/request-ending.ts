import { omitUndefined } from '../../core/omit-undefined.ts'
import type { FlowStepOutcome } from '../../contract/words/sandbox-words.ts'
import { pollAgainErrors } from '../../contract/words/oauth-words.ts'
import { faultSentence, isRefusedByFault, isTouched } from '../log/fault-effect.ts'
import { reasonOf, redirectOf } from '../log/request-reason.ts'
import type { RequestRecord } from '../log/request-log.ts'

/** Outcome of a request. */
export interface RequestEnding {
  outcome: FlowStepOutcome
  error?: string
  /** Reason of the refusal, in sentences, without secrets. */
  explanation?: string
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
