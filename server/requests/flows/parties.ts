import { omitUndefined } from '../../core/omit-undefined.ts'
import type { Deps } from '../../events/deps.ts'
import { bodyText } from '../log/body-text.ts'
import type { RequestRecord } from '../log/request-log.ts'

interface Parties {
  clientId?: string
  userId?: string
}

/** Whose request it was: what it said itself, whose its token is, or the app that it registered. */
export function partiesOf({ state }: Pick<Deps, 'state'>, record: RequestRecord): Parties {
  const { clientId, userId, request } = record
  const bearer = /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? '')?.[1]
  const token = bearer === undefined ? undefined : state.tokens.find('token', bearer)
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
 * Whose sign-in it is. Most of its requests say nothing of the user, but its token does; the latest knows, since users
 * change on the way.
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
    // Of the thousands of polls that a device may send, none was given a token.
    const token = record.error === undefined ? tokenOfAnswer(deps, record) : undefined
    if (token?.[key] !== undefined) return token[key]
  }
  return undefined
}

/** The access token that an answer gave out, as far as the sandbox still knows it. */
export function tokenOfAnswer({ state }: Pick<Deps, 'state'>, { response }: RequestRecord) {
  const token = /"access_token":"([^"]+)"/.exec(bodyText(response.body) ?? '')?.[1]
  return token === undefined ? undefined : state.tokens.find('token', token)
}
