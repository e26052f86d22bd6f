import { isoTime } from '../../core/time.ts'
import { omitUndefined } from '../../core/omit-undefined.ts'
import { bodyText } from '../../inspect/log/body-text.ts'
import { detailOf } from '../../inspect/log/request-reason.ts'
import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http'
import type { RequestDetail, RequestItem, RequestList } from '../../contract/control-requests.ts'
import { maskHeader, maskText } from '../../core/mask.ts'
import type {
  RecordedMessage,
  RequestLog,
  RequestRecord,
  Transfer,
} from '../../inspect/log/request-log.ts'
import { isExpected } from '../../inspect/log/expected.ts'
import { partiesOf, sentToken, tokenOfResponse } from '../../inspect/flows/parties.ts'
import { type AuditMarkDeps, isRequestOfAudit } from '../audit/of-audit.ts'
import { appRef, present, userRef, type ViewDeps } from '../../hub/access/refs.ts'

export type LogViewDeps = ViewDeps & AuditMarkDeps

/** Describes the extent of the log, as every list does. */
export function describeExtent(requests: Pick<RequestLog, 'extent'>): RequestList['kept'] {
  const { kept, received, since } = requests.extent()
  return { requests: kept, received, ...(since === undefined ? {} : { since: isoTime(since) }) }
}

export function describeRequest(
  deps: LogViewDeps,
  record: RequestRecord,
  flowId: string | undefined,
): RequestItem {
  const { clientId, userId } = partiesOf(deps, record)
  return {
    id: record.id,
    at: isoTime(record.at),
    endedAt: isoTime(record.endedAt),
    method: record.method,
    path: maskText(record.url),
    status: record.status,
    durationMs: record.durationMs,
    ...present(record, 'grantType', 'error', 'faultId', 'resentFrom'),
    ...(record.inference === undefined ? {} : { inference: omitUndefined(record.inference) }),
    ...(record.transfer && {
      transfer: { ...record.transfer, bytes: carriedBytes(record, record.transfer) },
    }),
    ...(isExpected(record) ? { expected: true } : {}),
    ...(record.faultChanges?.length ? { faultChanges: [...record.faultChanges] } : {}),
    ...omitUndefined({ detail: detailOf(record) }),
    ...(clientId === undefined ? {} : { app: appRef(deps, clientId) }),
    ...(userId === undefined ? {} : { user: userRef(deps, userId) }),
    ...omitUndefined({ flowId, tokenId: sentToken(deps, record)?.id }),
    ...(isRequestOfAudit(deps, record) ? { audit: true } : {}),
  }
}

function carriedBytes({ request, response }: RequestRecord, { right }: Transfer): number {
  return (right === 'write' ? request : response).size
}

export function describeRequestInDetail(
  deps: LogViewDeps,
  record: RequestRecord,
  flowId: string | undefined,
): RequestDetail {
  const item = describeRequest(deps, record, flowId)
  const issued = record.error === undefined ? tokenOfResponse(deps, record)?.id : undefined
  return {
    ...item,
    ...omitUndefined({ tokenId: item.tokenId ?? issued }),
    request: describeMessage(record.request),
    response: describeMessage(record.response),
  }
}

function describeMessage(
  message: RecordedMessage<IncomingHttpHeaders | OutgoingHttpHeaders>,
): RequestDetail['request'] {
  const body = bodyText(message.body)
  return {
    headers: Object.entries(message.headers).flatMap(([name, value]) =>
      [value ?? []].flat().map((text) => [name, maskHeader(name, String(text))]),
    ),
    ...(body === undefined || body === '' ? {} : { body: maskText(body) }),
    size: message.size,
    truncated: message.truncated,
  }
}
