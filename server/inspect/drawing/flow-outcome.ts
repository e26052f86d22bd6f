import type { FlowDetail } from '../../contract/control-flows.ts'
import { userDenials } from '../../contract/words/oauth-words.ts'
import type { Flow } from '../flows/flows.ts'
import type { RequestRecord } from '../log/request-log.ts'
import { endingOf } from './request-ending.ts'
import { isUserDenial, redirectOf } from '../log/request-reason.ts'
import type { DrawingDeps } from './context.ts'
import { deviceOf } from './draw-device-flow.ts'
import { changesOf, isTouched } from '../log/fault-effect.ts'
import { formOf, recordPath } from './exchanges.ts'

export type Standing = Pick<
  FlowDetail,
  'outcome' | 'explanation' | 'denied' | 'expired' | 'changed'
>

const decisive = /^\/oauth\/(?:authorize|token|device|register)$/

/** State of a sign-in, with a sentence about what happened or is missing. */
export function standingOf(deps: DrawingDeps, flow: Pick<Flow, 'kind' | 'records'>): Standing {
  const isChanged = flow.records.some(isTouched)
  return { ...standingOfResponses(deps, flow), ...(isChanged ? { changed: true } : {}) }
}

function standingOfResponses(deps: DrawingDeps, flow: Pick<Flow, 'kind' | 'records'>): Standing {
  const last = lastDecisive(flow.records)
  const { outcome, error, explanation } = last === undefined ? { outcome: 'ok' } : endingOf(last)
  if (outcome === 'refused' || outcome === 'broken') {
    const code = error ?? (outcome === 'refused' ? `status ${last?.status}` : undefined)
    const parts = [code, explanation].filter((part) => part !== undefined)
    const isDenied = last !== undefined && isUserDenial(last)
    return {
      outcome: 'refused',
      explanation: parts.join(': '),
      ...(isDenied ? { denied: true } : {}),
      ...(error === 'expired_token' && outcome === 'refused' ? { expired: true } : {}),
    }
  }
  const done = completion(flow)
  if (done !== undefined) return { outcome: 'completed', explanation: done }
  return flow.kind === 'device-code' ? waitingDevice(deps, flow) : waitingUser(deps, flow)
}

/** Returns the last request that decided a sign-in; others use its token. */
export function lastDecisive(records: readonly RequestRecord[]): RequestRecord | undefined {
  return records.findLast((record) => decisive.test(recordPath(record)))
}

function completion({ kind, records }: Pick<Flow, 'kind' | 'records'>): string | undefined {
  const isRegistration = kind === 'registration'
  if (!isRegistration && !records.some(hasToken)) return undefined
  const changes = changesOf(records.filter(isTouched))
  if (changes.length > 0) {
    return `The Hub granted the request, and a fault changed what the app received: ${changes.join('; ')}.`
  }
  return isRegistration ? 'The app is registered.' : 'The app received its token.'
}

/** Checks whether the app has a token: using one shows it, even if the log dropped the response with the token. */
function hasToken(record: RequestRecord): boolean {
  const { status, request } = record
  const isOk = status > 0 && status < 400
  const usesToken = /^Bearer /i.test(request.headers.authorization ?? '')
  return isOk && (recordPath(record) === '/oauth/token' || usesToken)
}

function waitingDevice(deps: DrawingDeps, flow: Pick<Flow, 'kind' | 'records'>): Standing {
  const device = deviceOf(deps, flow)
  if (device?.status === 'denied') {
    return { outcome: 'refused', denied: true, explanation: userDenials.consent }
  }
  if (device !== undefined && device.expiresAt <= deps.clock.now()) {
    return {
      outcome: 'refused',
      expired: true,
      explanation: 'The device code expired without a decision.',
    }
  }
  const explanation =
    device?.status === 'approved'
      ? 'The user approved; the device has not requested its token yet.'
      : 'The user has not decided yet.'
  return { outcome: 'pending', explanation }
}

function waitingUser(deps: DrawingDeps, { records }: Pick<Flow, 'records'>): Standing {
  const code = latestCode(records)
  if (code === undefined) {
    return { outcome: 'pending', explanation: 'The user has not decided yet.' }
  }
  const { expiresAt = Infinity } = deps.state.codes.get(code) ?? {}
  if (expiresAt <= deps.clock.now()) {
    return {
      outcome: 'refused',
      expired: true,
      explanation: 'The app received a code, which expired before it was exchanged.',
    }
  }
  return {
    outcome: 'pending',
    explanation: 'The app received a code and has not exchanged it yet.',
  }
}

/** Returns the code that the app received last, or sent. */
function latestCode(records: readonly RequestRecord[]): string | undefined {
  for (const record of records.toReversed()) {
    const code = redirectOf(record)?.get('code') ?? formOf(record).get('code')
    if (typeof code === 'string') return code
  }
  return undefined
}
