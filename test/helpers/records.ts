import type { RequestRecord } from '../../server/inspect/log/request-log.ts'

/** Limits of a request log that only counts. */
export const logCaps = (requests: number) => ({ requests, requestBytes: Infinity })

let count = 0

/** A request as the log has it; every one comes a millisecond after the one before. */
export function requestRecord(
  changes: Partial<Omit<RequestRecord, 'request' | 'response'>> & {
    form?: Record<string, string>
    headers?: Record<string, string>
    answer?: unknown
    location?: string
  } = {},
): RequestRecord {
  const { form, headers = {}, answer, location, ...rest } = changes
  count += 1
  return {
    id: `req-${count}`,
    at: 1_700_000_000_000 + count,
    endedAt: 1_700_000_000_000 + count + 0.5,
    receivedMs: count,
    method: form === undefined ? 'GET' : 'POST',
    url: '/',
    status: location === undefined ? 200 : 303,
    durationMs: 0.5,
    grantType: form?.['grant_type'],
    clientId: form?.['client_id'],
    ...rest,
    request: {
      headers: { host: 'localhost', ...headers },
      ...(form === undefined ? {} : { body: new URLSearchParams(form) }),
      size: 0,
      truncated: false,
    },
    response: {
      headers: location === undefined ? {} : { location },
      ...(answer === undefined ? {} : { body: JSON.stringify(answer) }),
      size: 0,
      truncated: false,
    },
  }
}
