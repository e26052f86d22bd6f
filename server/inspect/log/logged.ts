import { Refusal } from '../../core/refusal.ts'
import type { Flow } from '../flows/flows.ts'
import type { RequestLog, RequestRecord } from './request-log.ts'

/** @throws {Refusal} `not_found` for a request that is not in the log */
export function requireRequest(log: Pick<RequestLog, 'get'>, id: string): RequestRecord {
  return log.get(id) ?? refuseUnknown('request', id)
}

/** @throws {Refusal} `not_found` for a sign-in that is not in the log */
export function requireFlow(log: Pick<RequestLog, 'flows'>, id: string): Flow {
  return log.flows.get(id) ?? refuseUnknown('sign-in', id)
}

function refuseUnknown(what: string, id: string): never {
  throw new Refusal('not_found', `Unknown ${what} ${id}: the log drops the oldest ones.`)
}
