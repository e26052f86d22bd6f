import { pathOf } from '../../core/request-target.ts'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { FaultItem } from '../../contract/control-faults.ts'
import { ciDrillNames } from '../../contract/words/ci-words.ts'
import { requireDuration } from '../../core/duration.ts'
import { clearTimeout, setTimeout } from '../../core/timers.ts'
import type { MintDeps } from '../../hub/oauth/ci/mint.ts'
import type { ServerDeps } from '../server-deps.ts'
import { changeResponse } from './change-response.ts'
import { changeRedirect } from './change-redirect.ts'
import { narrowGrant } from './narrow-grant.ts'
import { withLongCode } from './lengthen.ts'
import { flowOfRequest, flowOfResponse } from './flow-of-request.ts'
import { drillIdToken, sandboxIdToken } from './drill-ci-token.ts'
import type { Subject } from './matching.ts'
import { playedExperiment } from './played-experiment.ts'
import { attribute } from '../../inspect/log/attribution.ts'
import { noteRefusal } from '../../web/plugins/refusals.ts'

declare module 'fastify' {
  interface FastifyRequest {
    fault: FaultItem | undefined
  }
}

/**
 * Applies fault rules and barriers to routes of the emulated Hub, and to calls of the control API that stand for a request of
 * the Hub. Other control calls always work, so that a rule can be removed.
 *
 * A rule that only refuses (`status`, `oauthError`, `body`, the page of a proxy) responds instead of the Hub, which never sees
 * the request. Any other rule changes the Hub's response: the request takes effect, and the client gets a changed response
 * or none.
 */
export function registerFaults(
  app: FastifyInstance,
  deps: Pick<ServerDeps, 'faults' | 'barriers' | 'closers'> & MintDeps,
  concerns: (request: FastifyRequest) => boolean = () => true,
): void {
  const { faults, barriers, closers } = deps
  // A server cannot close while a response waits.
  const delays = createDelays()
  closers.add(() => delays.close())
  app.decorateRequest('fault', undefined)

  app.addHook('preValidation', (request, reply, done) => {
    if ((faults.size === 0 && barriers.size === 0) || !concerns(request)) return done()
    const hasCiIdToken = sandboxIdToken(deps, request.body) !== undefined
    const subject: Subject = { ...describe(deps.state, request), hasCiIdToken }
    const hold = barriers.hold(request.id, subject)
    if (hold === undefined) return strike(request, reply, subject, done)
    reply.raw.once('close', () => barriers.leave(request.id))
    hold
      .then(() => strike(request, reply, subject, done))
      .catch((error: unknown) => reply.send(error))
  })

  app.addHook('onRequestAbort', (request, done) => {
    if (barriers.size > 0) barriers.leave(request.id)
    done()
  })

  function strike(
    request: FastifyRequest,
    reply: FastifyReply,
    subject: Subject,
    done: (error?: Error) => void,
  ): void {
    const rule = faults.take(subject)
    if (rule === undefined) return done()
    request.fault = rule
    noteEffect(request, rule, [])
    if (!refusesOnly(rule)) {
      const { ciDrill } = rule
      if (ciDrill === undefined) return done()
      noteEffect(request, rule, [`ID token: ${ciDrillNames[ciDrill]}`])
      // oxlint-disable promise/no-callback-in-promise
      drillIdToken(deps, request.body, ciDrill).then(() => done(), done)
      // oxlint-enable promise/no-callback-in-promise
      return
    }
    // The body follows in `onSend`, where every fault is applied.
    reply.code(rule.status ?? 400).send('')
  }

  /**
   * Binds rules to the sign-in that a response starts, and applies a rule to the redirect to the app: only the response
   * shows whether a request ends a sign-in.
   */
  function takeForResponse(request: FastifyRequest, reply: FastifyReply, payload: unknown) {
    const subject = describe(deps.state, request)
    if (!concerns(request)) return
    const isAuthorization = subject.path === '/oauth/authorize'
    if (!isAuthorization && subject.path !== '/oauth/device') return
    const location = isAuthorization ? redirectBack(request, reply, payload) : undefined
    if (isAuthorization && location === undefined) return
    const flow = flowOfResponse(deps.state, { location, payload })
    if (flow !== undefined) faults.beginFlow(flow)
    // A rule for a device code that waits for no sign-in was applied before.
    if (!isAuthorization && flow === undefined) return
    request.fault ??= faults.take({
      ...subject,
      familyId: flow?.familyId,
      ...(isAuthorization ? { isRedirectBack: true as const } : { isDeviceCode: true as const }),
    })
  }

  app.addHook('onSend', (request, reply, payload, done) => {
    if (faults.size > 0) takeForResponse(request, reply, payload)
    if (request.fault === undefined) return done(null, payload)
    // An async hook would cost a turn of the event loop for every response.
    // oxlint-disable promise/no-callback-in-promise
    alter(request.fault, request, reply, payload).then(
      (altered) => done(null, altered),
      (error: Error) => done(error),
    )
    // oxlint-enable promise/no-callback-in-promise
  })

  async function alter(
    rule: FaultItem,
    request: FastifyRequest,
    reply: FastifyReply,
    payload: unknown,
  ): Promise<unknown> {
    const delayMs = rule.delay === undefined ? 0 : requireDuration(rule.delay)
    if (delayMs > 0) {
      // Recorded first, because the client may disconnect meanwhile.
      noteEffect(request, rule, [`delayed by ${rule.delay}`])
      await delays.wait(delayMs)
    }
    if (rule.break === 'reset') {
      noteEffect(request, rule, ['connection reset'], true)
      noteRefusal(request, 'connection_reset', describeRule(rule))
      return cut(request, reply)
    }
    if (rule.redirect !== undefined) {
      return alterRedirect(deps, { ...rule, redirect: rule.redirect }, request, reply, payload)
    }
    const changed = await changeResponse(deps, rule, {
      status: reply.statusCode,
      contentType: String(reply.getHeader('content-type') ?? ''),
      body: payload,
    })
    reply.code(changed.status)
    if (changed.contentType !== undefined) reply.header('content-type', changed.contentType)
    if (changed.body !== payload) reply.removeHeader('content-length')
    reply.headers(rule.headers ?? {})
    request.answerBody = changed.body
    const error = errorOf(rule, changed.status)
    const truncated = rule.break === 'truncate' ? ['body truncated'] : []
    noteEffect(request, rule, [...changed.changes, ...truncated], error !== undefined)
    if (error !== undefined) noteRefusal(request, error, describeRule(rule))
    return rule.break === 'truncate' ? truncate(request, reply, changed.body) : changed.body
  }
}

type RedirectRule = FaultItem & { redirect: NonNullable<FaultItem['redirect']> }

/** Changes where the browser of the user returns to the app. A call of the control API has that URL in its body. */
function alterRedirect(
  { state }: MintDeps,
  rule: RedirectRule,
  request: FastifyRequest,
  reply: FastifyReply,
  payload: unknown,
): unknown {
  const { codeLength, scope } = rule.redirect
  const before = redirectBack(request, reply, payload) ?? ''
  if (scope !== undefined) narrowGrant(state, before, scope)
  const { location, changes } = changeRedirect(
    codeLength === undefined ? before : withLongCode(state, before, codeLength),
    rule.redirect,
  )
  const headers = Object.keys(rule.headers ?? {}).map((name) => `header ${name} set`)
  noteEffect(request, rule, [...changes, ...headers])
  reply.headers(rule.headers ?? {})
  if (request.standIn === undefined) {
    reply.header('location', location)
    return payload
  }
  reply.removeHeader('content-length')
  request.answerBody = JSON.stringify({ redirectTo: location })
  return request.answerBody
}

/** Returns the URL of the app to which a response redirects; the pages of the hub have relative ones. */
function redirectBack(
  request: FastifyRequest,
  reply: FastifyReply,
  payload: unknown,
): string | undefined {
  const { status, headers } = request.standIn?.answer(payload, reply.statusCode) ?? {
    status: reply.statusCode,
    headers: { location: reply.getHeader('location') },
  }
  const { location } = headers
  const isRedirect = status >= 300 && status < 400
  return isRedirect && typeof location === 'string' && URL.canParse(location) ? location : undefined
}

/** Delays that all end when the sandbox closes. */
function createDelays() {
  const waiting = new Set<() => void>()
  let closed = false
  return {
    async wait(delayMs: number): Promise<void> {
      if (closed) return
      await new Promise<void>((resolve) => {
        const end = () => {
          clearTimeout(timer)
          waiting.delete(end)
          resolve()
        }
        const timer = setTimeout(end, delayMs)
        waiting.add(end)
      })
    },
    close(): void {
      closed = true
      for (const end of waiting) end()
    },
  }
}

/** Largest number of changes in the request log. */
const mostChanges = 10

/** Adds the changes of a rule to the entry of the request log. */
function noteEffect(
  request: FastifyRequest,
  { id }: FaultItem,
  changes: readonly string[],
  refused = false,
): void {
  const all = [...(request.faultEffect?.changes ?? []), ...changes]
  const more = all.length - mostChanges
  const listed = more > 0 ? [...all.slice(0, mostChanges), `${more} more changes`] : all
  request.faultEffect = { id, changes: listed, refused }
}

function refusesOnly(rule: FaultItem): boolean {
  if (rule.oauthError !== undefined || rule.body !== undefined || rule.break === 'html') return true
  const changesResponse =
    rule.set !== undefined ||
    rule.remove !== undefined ||
    rule.idToken !== undefined ||
    rule.lengthen !== undefined
  return rule.status !== undefined && !changesResponse && rule.break === undefined
}

/** Returns the reason of a failure that the rule caused, for the request log. */
function errorOf(rule: FaultItem, status: number): string | undefined {
  if (rule.oauthError !== undefined) return rule.oauthError
  if (rule.break === 'truncate') return 'truncated'
  const isOwnStatus = rule.status !== undefined || rule.break === 'html'
  if (!isOwnStatus || status < 400) return undefined
  const named = (rule.body as { error?: unknown } | null | undefined)?.error
  return typeof named === 'string' ? named : `http_${status}`
}

function describeRule({ id }: FaultItem): string {
  return `Fault rule ${id} of the sandbox did this.`
}

function describe(
  state: MintDeps['state'],
  request: FastifyRequest,
): Extract<Subject, { kind: 'request' }> {
  const { clientId, grantType } = attribute(request)
  const { method, url } = request.standIn ?? request
  const { authorization } = request.headers
  // A refused token identifies no user, but the request belongs to the app of the token.
  const flow =
    request.standIn === undefined
      ? flowOfRequest(state, { authorization, body: request.body })
      : undefined
  return {
    kind: 'request',
    path: pathOf(url),
    method,
    clientId: clientId ?? flow?.clientId,
    grantType,
    familyId: flow?.familyId,
    playedFor: playedExperiment.getStore(),
  }
}

/** Closes the connection without a response; never resolves. */
function cut(request: FastifyRequest, reply: FastifyReply): Promise<never> {
  const { socket } = request.raw
  if ('resetAndDestroy' in socket && !('encrypted' in socket)) socket.resetAndDestroy()
  // A request by `inject` has no socket.
  else reply.raw.destroy()
  return new Promise(() => undefined)
}

/** Sends half of the body and ends the connection. */
function truncate(request: FastifyRequest, reply: FastifyReply, body: unknown): Promise<never> {
  if (typeof body !== 'string' && !Buffer.isBuffer(body)) return cut(request, reply)
  const whole = Buffer.from(body)
  const headers = { ...reply.getHeaders(), 'content-length': whole.length }
  reply.raw.writeHead(reply.statusCode, headers as Record<string, string | number | string[]>)
  reply.raw.write(whole.subarray(0, Math.floor(whole.length / 2)), () => {
    reply.raw.destroy()
  })
  return new Promise(() => undefined)
}
