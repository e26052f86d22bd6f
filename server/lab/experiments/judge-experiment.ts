import type { FaultItem } from '../../contract/control-faults.ts'
import type { RequestItem } from '../../contract/control-requests.ts'
import { words } from './words.ts'
import type { Verdict } from '../../contract/control-experiments.ts'
import { type Experiment, missingScope } from './experiments.ts'

interface Evidence {
  /** Rule of the experiment. */
  fault: Pick<FaultItem, 'id' | 'hits'>
  /** Recorded requests, newest first. */
  requests: readonly RequestItem[]
  /** Whether nothing more is expected of the app. */
  isOver: boolean
}

/** Judges an app by the requests that it sent after the changed response. */
export function judgeExperiment(
  { expectation }: Pick<Experiment, 'expectation'>,
  { fault, requests, isOver }: Evidence,
): Verdict {
  const position = requests.findIndex(({ faultId }) => faultId === fault.id)
  const hit = requests[position]
  if (hit === undefined) {
    if (fault.hits === 0) return { state: 'armed', text: words.waitingForApp }
    // A late response is recorded when it was sent; an old one may have left the log.
    return isOver
      ? { state: 'unclear', text: words.requestDropped }
      : { state: 'watching', text: words.watchingApp }
  }
  const later = requests.slice(0, position).toReversed()
  const sent = later.filter((request) => isOfSameApp(request, hit) && isSoon(request, hit))
  const [state, text] = judges[expectation](hit, sent)
  // An app that has sent nothing yet may still send a request.
  const isDecided = isOver || state === 'passed' || state === 'failed'
  const verdict: Verdict = isDecided
    ? { state: state ?? 'passed', text }
    : { state: 'watching', text: words.watchingApp }
  return hit.flowId === undefined ? verdict : { ...verdict, flowId: hit.flowId }
}

/**
 * Verdict on the requests so far. `unclear` holds only if nothing else follows; so does a verdict without a state, which
 * is then passed.
 */
type Judge = (
  hit: RequestItem,
  later: readonly RequestItem[],
) => readonly ['passed' | 'failed' | 'unclear' | undefined, string]

const judges: Record<Experiment['expectation'], Judge> = {
  'refuse-token': (hit, later) => {
    const use = later.find((request) => usesTokenOf(request, hit))
    return use === undefined
      ? [undefined, words.refusedToken]
      : ['failed', words.acceptedToken(nameOf(use))]
  },
  wait: (hit, later) => {
    if (hit.status === 0) return ['failed', words.hungUp]
    const use = later.find((request) => usesTokenOf(request, hit))
    return use === undefined
      ? ['unclear', words.waitedUnused]
      : ['passed', words.waitedAndUsed(nameOf(use))]
  },
  retry: (hit, later) => {
    const retries = later.filter((request) => isSame(request, hit))
    if (retries.length > mostRetries) return ['failed', words.hammered(retries.length)]
    if (retries.some(({ status }) => status === 200)) return ['passed', words.recovered]
    if (later.some(isAuthorization)) return ['passed', words.startedAgain]
    return [undefined, retries.length === 0 ? words.gaveUp : words.retryRefused]
  },
  'sign-in-again': (hit, later) => {
    const [next] = later.filter(
      (request) => isAuthorization(request) || isTokenRequest(request) || isSame(request, hit),
    )
    if (next === undefined) return ['unclear', words.stopped]
    if (isSame(next, hit)) return ['failed', words.repeated(nameOf(next))]
    return ['passed', isAuthorization(next) ? words.askedUserAgain : words.gotNewToken]
  },
  'drop-token': (hit, later) => {
    const [next] = later.filter(
      (request) => isTokenRequest(request) || isAuthorization(request) || usesTokenOf(request, hit),
    )
    if (next === undefined) return [undefined, words.stoppedUsing]
    if (isTokenRequest(next)) return ['passed', words.gotNewToken]
    if (isAuthorization(next)) return ['passed', words.askedUserAgain]
    const text = isSame(next, hit) ? words.repeated : words.acceptedToken
    return ['failed', text(nameOf(next))]
  },
  'refuse-response': (hit, later) => {
    const use = later.find((request) => isTokenRequest(request) && request.flowId === hit.flowId)
    return use === undefined
      ? [undefined, words.refusedResponse]
      : ['failed', words.acceptedResponse(nameOf(use))]
  },
  leave: (_hit, later) => {
    const next = later.find((request) => isAuthorization(request) || isTokenRequest(request))
    return next === undefined
      ? [undefined, words.leftAlone]
      : ['failed', words.stayed(nameOf(next))]
  },
  'step-up': (_hit, later) => {
    const asked = later.filter(isAuthorization)
    if (asked.some((request) => scopesOf(request).includes(missingScope))) {
      return ['passed', words.askedForScope]
    }
    return asked.length > 0 ? ['failed', words.askedForLess] : ['unclear', words.stopped]
  },
  'register-once': (hit, later) => {
    const again = later.filter((request) => isSame(request, hit))
    if (again.length > mostRetries) return ['failed', words.registeredAgain(again.length)]
    if (later.some(isAuthorization)) return ['passed', words.usedOtherClient]
    return [undefined, words.gaveUpRegistration]
  },
}

/** Retries above this load a server that is down. */
const mostRetries = 3

/** Time in which a request is a reaction to the response, and not the next sign-in. */
const reactionMs = 30_000

function isSoon({ at }: RequestItem, { endedAt }: RequestItem): boolean {
  return Date.parse(at) - Date.parse(endedAt) <= reactionMs
}

/** Pages of the hub name no app, and belong to the sign-in. If the changed request names no app, any may have sent it. */
function isOfSameApp({ app, flowId }: RequestItem, hit: RequestItem): boolean {
  if (hit.app === undefined) return true
  if (flowId !== undefined && flowId === hit.flowId) return true
  return hit.app !== undefined && app?.clientId === hit.app.clientId
}

function pathOf({ path }: RequestItem): string {
  return path.split('?', 1)[0] ?? ''
}

/** Requests of the same sign-in beyond its own endpoints carry its access token. */
function usesTokenOf(request: RequestItem, hit: RequestItem): boolean {
  const path = pathOf(request)
  if (request.flowId !== hit.flowId || path.startsWith('/login')) return false
  return path === '/oauth/userinfo' || !path.startsWith('/oauth/')
}

function isTokenRequest(request: RequestItem): boolean {
  return pathOf(request) === '/oauth/token'
}

function isAuthorization(request: RequestItem): boolean {
  return ['/oauth/authorize', '/oauth/device'].includes(pathOf(request))
}

/** The same call in the same sign-in: the app did not learn from the refusal. */
function isSame(request: RequestItem, hit: RequestItem): boolean {
  return (
    pathOf(request) === pathOf(hit) &&
    request.grantType === hit.grantType &&
    // Each exchange of a CI job, which names no app, is a sign-in of its own.
    (hit.app === undefined || request.flowId === hit.flowId)
  )
}

function scopesOf({ path }: RequestItem): string[] {
  return new URLSearchParams(path.split('?')[1]).get('scope')?.split(' ') ?? []
}

function nameOf(request: RequestItem): string {
  return `${request.method} ${pathOf(request)}`
}
