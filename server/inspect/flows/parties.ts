import { omitUndefined } from '../../core/omit-undefined.ts'
import type { Deps } from '../../hub/deps.ts'
import { bodyText } from '../log/body-text.ts'
import type { RequestRecord } from '../log/request-log.ts'

interface Parties {
  clientId?: string
  userId?: string
}

/** Finds the access token that a request sent, if the state still has it. */
export function sentToken({ state }: Pick<Deps, 'state'>, { request }: RequestRecord) {
  const bearer = /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? '')?.[1]
  return bearer === undefined ? undefined : state.tokens.find('token', bearer)
}

/** Finds client and user of a request: by its parameters, by its token, or by the app that it registered. */
export function partiesOf(deps: Pick<Deps, 'state'>, record: RequestRecord): Parties {
  const { clientId, userId } = record
  const token = sentToken(deps, record)
  return omitUndefined({
    clientId: clientId ?? token?.clientId ?? registeredApp(record),
    userId: userId ?? token?.userId,
  })
}

function registeredApp({ method, url, status, response }: RequestRecord): string | undefined {
  if (url !== '/oauth/register' || method !== 'POST' || status !== 201) return undefined
  return /"client_id":"([^"]+)"/.exec(bodyText(response.body) ?? '')?.[1]
}

/**
 * Finds client and user of a sign-in. Most of its requests do not name the user, but its token does. The latest request
 * counts, because the user may change on the way.
 */
export function partiesOfAll(
  deps: Pick<Deps, 'state'>,
  records: readonly RequestRecord[],
): Parties {
  return omitUndefined({
    clientId: firstKnown(deps, records, 'clientId'),
    userId: firstKnown(deps, records.toReversed(), 'userId'),
  })
}

function firstKnown(
  deps: Pick<Deps, 'state'>,
  records: readonly RequestRecord[],
  key: keyof Parties,
): string | undefined {
  for (const record of records) {
    const known = partiesOf(deps, record)[key]
    if (known !== undefined) return known
    // Refused requests, such as thousands of polls, received no token.
    const token = record.error === undefined ? tokenOfResponse(deps, record) : undefined
    if (token?.[key] !== undefined) return token[key]
  }
  return undefined
}

/** Finds the access token of a response, if the state still has it. */
export function tokenOfResponse({ state }: Pick<Deps, 'state'>, { response }: RequestRecord) {
  const token = /"access_token":"([^"]+)"/.exec(bodyText(response.body) ?? '')?.[1]
  return token === undefined ? undefined : state.tokens.find('token', token)
}
