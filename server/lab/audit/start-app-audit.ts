import { appModules } from './app/app-catalog.ts'
import { beginRun, familyIdOfRun, intervalMsOf, requestsOfRun } from './app/app-run.ts'
import { deviceProgress } from './app/device-progress.ts'
import { type BrowserDeps, type BrowserOptions, browserDriver } from './app/drivers/app-browser.ts'
import { type Driver, DriverProblem } from './app/drivers/driver.ts'
import { restartBy, type SignInWatch, waitingDriver } from './app/drivers/waiting.ts'
import { readAppAudit, requireQuiet } from './app/app-plan.ts'
import { type AppAudit, type AppAuditDeps, runAppAudit } from './app/run-app-modules.ts'
import { describeModule } from './app/verdict-of-module.ts'
import type { AuditControl, PlannedAudit } from './runs.ts'
import type { StartAuditRequest } from '../../contract/control-audits.ts'
import { omitUndefined } from '../../core/omit-undefined.ts'
import { isLoopbackHost } from '../../core/loopback.ts'
import { performance } from '../../core/timers.ts'
import { portOf } from '../../web/outgoing/target-policy.ts'
import { revokeConsent } from '../../hub/oauth/consents.ts'
import type { Inject } from '../../web/inject.ts'
import type { ServerDeps } from '../server-deps.ts'

/**
 * Plans the audit of an app.
 * @throws {Refusal} `invalid` for a mistake in the request; `conflict` while something else changes responses
 */
export function planAppAudit(
  deps: ServerDeps,
  inject: Inject,
  request: StartAuditRequest,
): PlannedAudit {
  const audit = readAppAudit(deps.state, appModules, request)
  requireQuiet(deps)
  const { clientId, appName, modules } = audit
  return {
    kind: 'app',
    subject: appName,
    key: 'apps',
    isFollowed: request.isFollowed === true,
    clientId,
    plan: request.plan ?? 'core',
    modules: modules.map(describeModule),
    run: (control) =>
      runAppAudit(
        auditDeps(deps, clientId),
        audit,
        driverOf({ deps, inject, request, audit, control }),
        control,
      ),
  }
}

function auditDeps(deps: ServerDeps, clientId: string): AppAuditDeps {
  return {
    ...deps,
    monotonicMs: () => performance.now(),
    disconnect: (userId, clientId) => void revokeConsent(deps, userId, clientId),
    onReplaced: (listener) => deps.bus.on('sandbox.reset', listener),
    pauseAdvice() {
      const now = () => ({ realAt: deps.clock.realNow(), realMs: performance.now() })
      const id = deps.adviceExceptions.pause(now(), clientId)
      return () => deps.adviceExceptions.resume(id, now())
    },
  }
}

interface DriverParts {
  readonly deps: ServerDeps
  readonly inject: Inject
  readonly request: StartAuditRequest
  readonly audit: AppAudit & { readonly appName: string }
  readonly control: AuditControl
}

function driverOf(parts: DriverParts): Driver {
  const { request, audit, control } = parts
  const restart = request.canRestart === true ? restartBy(control, audit.appName) : undefined
  return { ...signInDriverOf(parts), restart }
}

function signInDriverOf({ deps, inject, request, audit, control }: DriverParts): Driver {
  const { start, signedIn, signedInText, use } = request
  const { user, appName, clientId } = audit
  const browserDeps = browserOf(deps, inject, control.signal)
  const pages = omitUndefined({ signedIn, signedInText, use })
  if (start !== undefined) return browserDriver(browserDeps, { start, user, ...pages })
  const kind = request.driver === 'program' ? 'program' : 'person'
  return waitingDriver(control, {
    kind,
    app: appName,
    user: user.username,
    // A person can click, if something is shown.
    canUse: request.canUse ?? kind === 'person',
    canProbe: request.canProbe === true,
    probeUrl: probeOf(browserDeps, signedIn, { user, ...pages }),
    watchSignIn: (signal) =>
      request.flow === 'device'
        ? watchDevice(deps, clientId, signal)
        : { done: codeSeen(deps, clientId, signal), isUnfinished: () => false },
    flow: request.flow ?? 'sign-in',
    answerDevices: (signal) =>
      answerDevices({ deps, inject, clientId, user: user.username }, signal),
  })
}

/** Asks the URL of the probe without cookies, for an app that has one user, such as a command line. */
function probeOf(
  browserDeps: BrowserDeps,
  signedIn: string | undefined,
  options: Omit<BrowserOptions, 'start'>,
): (() => Promise<boolean>) | undefined {
  if (signedIn === undefined) return undefined
  const driver = browserDriver(browserDeps, { ...options, start: signedIn })
  return () => driver.open('probe').probe()
}

/** Approves the device codes of the app for the user, as they come. */
async function answerDevices(
  {
    deps,
    inject,
    clientId,
    user,
  }: Pick<DriverParts, 'deps' | 'inject'> & { clientId: string; user: string },
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    for (const device of deps.state.deviceAuthorizations.values()) {
      if (device.clientId !== clientId || device.status !== 'pending') continue
      await callControl(deps, inject, `device/${device.userCode}`, { user, decision: 'approve' })
    }
    await rest(deps)
  }
}

/** Calls the control API in the place of the user's browser: it is logged, and faults apply to it. */
function callControl(deps: ServerDeps, inject: Inject, path: string, body: object) {
  const { baseUrl, controlToken } = deps.settings
  return inject({
    method: 'POST',
    url: `/_sandbox/api/${path}`,
    headers: {
      host: new URL(baseUrl).host,
      'user-agent': 'hub-sandbox',
      'content-type': 'application/json',
      ...(controlToken === undefined ? {} : { authorization: `Bearer ${controlToken}` }),
    },
    payload: JSON.stringify(body),
  })
}

/** Resolves when the app has received a code. */
async function codeSeen(deps: ServerDeps, clientId: string, signal: AbortSignal): Promise<void> {
  const run = beginRun(deps, clientId, performance.now())
  while (familyIdOfRun(deps, run) === undefined && !signal.aborted) await rest(deps)
}

/** Follows the next device sign-in of the app. */
function watchDevice(deps: ServerDeps, clientId: string, signal: AbortSignal): SignInWatch {
  const run = beginRun(deps, clientId, performance.now())
  const progress = () =>
    deviceProgress(requestsOfRun(deps, run), performance.now(), intervalMsOf(deps))
  async function untilEnded(): Promise<void> {
    while (!signal.aborted && progress() !== 'ended') await rest(deps)
  }
  return { done: untilEnded(), isUnfinished: () => progress() === 'polling' }
}

async function rest({ realTime }: ServerDeps): Promise<void> {
  await new Promise<void>((resolve) => void realTime.after(100, resolve))
}

function browserOf(deps: ServerDeps, inject: Inject, signal: AbortSignal): BrowserDeps {
  const { baseUrl, interceptedOrigins = [], port } = deps.settings
  const { origin } = new URL(baseUrl)
  const origins = new Set([origin, ...interceptedOrigins])
  // An app may name this machine in another way than the base URL.
  const isOwn = (url: URL) => isLoopbackHost(url.hostname) && portOf(url) === port
  return {
    visit: (request) => deps.visitPage({ ...request, signal }),
    isHub: (url) => origins.has(url.origin) || isOwn(url),
    realNow: () => deps.clock.realNow(),
    async authorize(url, user) {
      const parameters = Object.fromEntries(url.searchParams)
      const reply = await callControl(deps, inject, 'authorize', { ...parameters, user })
      const answer = reply.json<{ redirectTo?: string; message?: string }>()
      if (answer.redirectTo !== undefined) return answer.redirectTo
      throw new DriverProblem(`The hub refused the sign-in: ${answer.message ?? reply.statusCode}`)
    },
  }
}
