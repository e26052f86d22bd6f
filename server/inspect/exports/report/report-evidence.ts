import { escapeCharacter } from '../../../core/terminal-text.ts'
import type { DeliveryItem } from '../../../contract/control-deliveries.ts'
import type { FlowDetail, FlowStepDetail } from '../../../contract/control-flows.ts'
import type { RequestDetail } from '../../../contract/control-requests.ts'
import { isObject } from '../../../core/is-object.ts'
import { maskHeader, maskText } from '../../../core/mask.ts'

/** Sign-in with the details of its steps; in the report of a run the steps alone. */
export interface FlowEvidence {
  readonly flow: FlowDetail
  readonly details: readonly FlowStepDetail[]
}

export interface DeliveryEvidence {
  readonly delivery: DeliveryItem
  /** Name or target of the webhook. */
  readonly webhook: string
}

/** Content of a report. Lists may be computed while they are read. */
export interface ReportEvidence {
  readonly title: string
  /** Time of the report on the sandbox clock, ISO 8601. */
  readonly madeAt: string
  readonly version: string
  readonly baseUrl: string
  /** Sentences about what the report lacks. */
  readonly missing: readonly string[]
  readonly flows: Iterable<FlowEvidence>
  readonly deliveries: Iterable<DeliveryEvidence>
  readonly requests: Iterable<RequestDetail>
}

/** Masks a delivery, whose requests hold the secrets of its webhook. */
export function maskDelivery({ delivery, webhook }: DeliveryEvidence): DeliveryEvidence {
  const attempts = delivery.attempts.map((attempt) => {
    const { request, response } = attempt
    return {
      ...attempt,
      ...(request && {
        request: { ...request, url: maskText(request.url), headers: maskHeaders(request.headers) },
      }),
      ...(response && {
        response: {
          ...response,
          headers: maskHeaders(response.headers),
          // Secrets cannot be found in bytes.
          body:
            response.encoding === 'utf-8'
              ? maskText(response.body)
              : `(${response.size} bytes that are not text)`,
        },
      }),
    }
  })
  const payload = delivery.payload && maskText(JSON.stringify(delivery.payload, undefined, 2))
  return { delivery: { ...delivery, attempts, payload }, webhook: maskText(webhook) }
}

function maskHeaders(headers: readonly (readonly string[])[]): [string, string][] {
  return headers.map(([name = '', value = '']) => [name, maskHeader(name, value)])
}

/** Returns a copy of a value with every string changed. */
export function mapStrings<T>(value: T, change: (text: string) => string): T {
  return map(value) as T

  function map(part: unknown): unknown {
    if (typeof part === 'string') return change(part)
    if (Array.isArray(part)) return part.map(map)
    if (!isObject(part)) return part
    return Object.fromEntries(Object.entries(part).map(([key, item]) => [key, map(item)]))
  }
}

/** Shows characters that move or reorder other text by their numbers. */
export function visible(text: string): string {
  return text.replaceAll(/[^\P{Cc}\n\t]|\p{Bidi_Control}/gu, escapeCharacter)
}
