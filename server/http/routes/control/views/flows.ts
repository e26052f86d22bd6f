import type { FlowItem } from '../../../../contract/control-requests.ts'
import type { RequestRecord } from '../../../../requests/request-log.ts'
import type { Flow } from '../../../../requests/flows.ts'
import { appRef, iso, userRef, type ViewDeps } from './refs.ts'
import { bodyText } from '../../../../requests/body-text.ts'
import { describeRequest, partiesOf } from './requests.ts'

export function describeFlow(deps: ViewDeps, { id, kind, records }: Flow): FlowItem {
  const clientId = records.find((record) => record.clientId !== undefined)?.clientId
  const userId = findUser(deps, records)
  const { outcome, explanation } = explain(kind, records)
  return {
    id,
    kind,
    ...(clientId === undefined ? {} : { app: appRef(deps, clientId) }),
    ...(userId === undefined ? {} : { user: userRef(deps, userId) }),
    startedAt: iso(records[0]?.at ?? 0),
    lastAt: iso(records.at(-1)?.at ?? 0),
    outcome,
    explanation,
    requests: records.map((record) => describeRequest(deps, record, id)),
  }
}

/** Most requests of a sign-in say nothing of the user; its token does. The latest knows: users change on the way. */
function findUser(deps: ViewDeps, records: readonly RequestRecord[]): string | undefined {
  for (const record of records.toReversed()) {
    const { userId } = partiesOf(deps, record)
    if (userId !== undefined) return userId
    const token = /"access_token":"([^"]+)"/.exec(bodyText(record.response.body) ?? '')?.[1]
    const found = token === undefined ? undefined : deps.state.tokens.find('token', token)
    if (found !== undefined) return found.userId
  }
  return undefined
}

/** Answers of the device flow that mean: ask again. */
const notYet = new Set(['authorization_pending', 'slow_down'])

function explain(
  kind: FlowItem['kind'],
  records: readonly RequestRecord[],
): Pick<FlowItem, 'outcome' | 'explanation'> {
  const last = records.findLast(({ url }) => /^\/oauth\/(authorize|token|device)\b/.test(url))
  const refused = last === undefined ? undefined : refusalOf(last)
  if (refused !== undefined) return { outcome: 'refused', explanation: refused }
  const hasToken = records.some(({ url, status }) => url === '/oauth/token' && status === 200)
  if (hasToken) {
    return { outcome: 'completed', explanation: 'The app has its token.' }
  }
  return { outcome: 'pending', explanation: missingStep(kind, records) }
}

function refusalOf({
  status,
  error,
  detail,
  response,
  faultId,
}: RequestRecord): string | undefined {
  if (faultId !== undefined && (status === 0 || status >= 400)) {
    return 'A fault rule of the sandbox broke this.'
  }
  const location = response.headers['location']
  const target =
    typeof location === 'string' && URL.canParse(location)
      ? new URL(location).searchParams
      : undefined
  const redirected = target?.get('error')
  if (typeof redirected === 'string') {
    return `${redirected}: ${target?.get('error_description') ?? 'the app was told so'}`
  }
  if (status === 0) return 'The connection was cut before the answer.'
  if (status < 400 || (error !== undefined && notYet.has(error))) return undefined
  return `${error ?? `status ${status}`}${detail === undefined ? '' : `: ${detail}`}`
}

function missingStep(kind: FlowItem['kind'], records: readonly RequestRecord[]): string {
  if (kind === 'device-code') return 'The user has not answered for the device yet.'
  const hasCode = records.some(({ response }) =>
    /[?&]code=/.test(String(response.headers['location'])),
  )
  return hasCode
    ? 'The app was sent a code and has not exchanged it yet.'
    : 'The user has not answered yet.'
}
