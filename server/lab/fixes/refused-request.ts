import { pathOf, queryPartOf } from '../../core/request-target.ts'
import { deviceCodeGrant } from '../../contract/words/oauth-words.ts'
import { omitUndefined } from '../../core/omit-undefined.ts'
import { Refusal } from '../../core/refusal.ts'
import type { OAuthDeps } from '../../hub/oauth/oauth-deps.ts'
import { findPendingDevice } from '../../hub/oauth/device-authorization.ts'
import { collectParameters } from '../../hub/oauth/forms.ts'
import type { RequestRecord } from '../../inspect/log/request-log.ts'

/** Endpoint that refused a sign-in; `answer` is the page on which a user approves a device. */
export type RefusedAt = 'authorize' | 'device' | 'token' | 'answer'

/** Last request of a sign-in, if it was refused. */
export interface RefusedRequest {
  at: RefusedAt
  error: string
  clientId: string
  /** Parameters, each once; empty if the log kept none. */
  parameters: ReadonlyMap<string, string>
  /** Whether the client sent a secret. */
  sentSecret: boolean
  userId?: string
}

const endpoints: ReadonlyMap<string, RefusedAt> = new Map([
  ['/oauth/authorize', 'authorize'],
  ['/oauth/device', 'device'],
  ['/oauth/token', 'token'],
  ['/oauth/device/verify', 'answer'],
])

/**
 * Reads the refusal of the last request of a sign-in. Earlier refusals do not count, since the sign-in continued.
 * @param records of one sign-in, oldest first
 * @returns undefined if the last request was not refused, named no client, or repeated a parameter
 */
export function readRefused(
  deps: OAuthDeps,
  records: readonly RequestRecord[],
): RefusedRequest | undefined {
  const last = records.findLast((record) => endpoints.has(pathOf(record.url)))
  const at = last && endpoints.get(pathOf(last.url))
  if (last?.error === undefined || at === undefined) return undefined
  const { values, repeated } = collectParameters(sentParameters(last, at))
  if (repeated.size > 0) return undefined
  const clientId =
    at === 'answer'
      ? pendingClient(deps, values.get('user_code'))
      : (values.get('client_id') ?? last.clientId)
  if (clientId === undefined) return undefined
  return {
    at,
    error: last.error,
    clientId,
    parameters: values,
    sentSecret: values.has('client_secret') || last.request.headers.authorization !== undefined,
    ...omitUndefined({ userId: last.userId }),
  }
}

/** Checks whether the request is a poll of a device. */
export function isPoll({ at, parameters }: RefusedRequest): boolean {
  return at === 'token' && parameters.get('grant_type') === deviceCodeGrant
}

function sentParameters({ url, request: { body } }: RequestRecord, at: RefusedAt): URLSearchParams {
  const query = queryPartOf(url)
  if (at === 'authorize') return query
  if (body instanceof URLSearchParams) return body
  if (at === 'answer') return query
  // A device may send JSON.
  const texts = Object.entries(typeof body === 'object' && body !== null ? body : {}).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string',
  )
  return new URLSearchParams(texts)
}

function pendingClient(deps: OAuthDeps, userCode = ''): string | undefined {
  try {
    return findPendingDevice(deps, userCode).clientId
  } catch (error) {
    if (error instanceof Refusal) return undefined
    throw error
  }
}
