import type { Clock } from '../../../core/clock.ts'
import { parseDuration } from '../../../contract/durations.ts'
import { maskText } from '../../../core/mask.ts'
import { omitUndefined } from '../../../core/omit-undefined.ts'
import { pathOf } from '../../../core/request-target.ts'
import type { RealTime } from '../../../core/real-time.ts'
import { shortened } from '../../../core/shortened.ts'
import type { Deps } from '../../../hub/deps.ts'
import type { SigningKeys } from '../../../hub/oauth/signing-keys.ts'
import type { RequestLog } from '../../../inspect/log/request-log.ts'
import { endOf, type SeenRequest } from '../../checks/evidence.ts'
import type { EvidenceItem } from '../../checks/rule.ts'
import { type AuditControl, AuditProblem } from '../runs.ts'
import {
  type AppRun,
  beginRun,
  familyIdOfRun,
  familyOfRun,
  intervalMsOf,
  otherAppOfRun,
  redemptionsIn,
  refreshesIn,
  requestsOfRun,
  tokenUsesIn,
  userOfRun,
} from './app-run.ts'
import { controlProblem, factsOfControl, settleMs } from './control-run.ts'
import { type Driver, DriverProblem, type DriverSession, SkippedModule } from './drivers/driver.ts'
import type { AuditModule, AuditUser, ControlFacts, ModuleEvidence, Step } from './app-module.ts'
import { judgeAcceptance } from './judge.ts'
import { createPoison, type Poison, type PoisonDeps } from './poison.ts'
import { createMovedClock, forgetApp, type MovedClock, rememberApp, restoreApp } from './restore.ts'
import { describeModule, judgeBefore, judgeModule, verdictOfModule } from './verdict-of-module.ts'
import { inconclusive, notReached, tolerated } from '../judgement.ts'

export interface AppAuditDeps extends Pick<Deps, 'state' | 'settings'> {
  readonly requests: Pick<RequestLog, 'values' | 'get'>
  readonly clock: Pick<Clock, 'advance' | 'read'>
  readonly keys: Pick<SigningKeys, 'rotate'>
  readonly faults: PoisonDeps['faults']
  readonly barriers: PoisonDeps['barriers']
  readonly realTime: RealTime
  /** Real milliseconds since the process started, as in the request log. */
  monotonicMs(): number
  /** The user revokes the app's access. */
  disconnect(userId: string, clientId: string): void
  /** Calls back when another state takes the place of the present one. @returns a function that ends it */
  onReplaced(listener: () => void): () => void
  /** Begins a time that the checks do not judge. @returns a function that ends it */
  pauseAdvice(): () => void
}

export interface AppAudit {
  readonly clientId: string
  readonly user: AuditUser
  readonly otherUser: AuditUser | undefined
  readonly modules: readonly AuditModule[]
  /** All modules: it may need the garbage probe, although that is not selected. */
  readonly catalog: readonly AuditModule[]
}

/** Module that shows whether an app reads the ID token. */
const garbageId = 'id-token/garbage'
/** Module that shows whether an app checks the signature of the ID token. */
const unsignedId = 'id-token/alg-none'
const pollMs = 25
const restartPollMs = 200
/** Time in which an app may restart by itself. */
const longestSilenceMs = 1000
/** Time that an app has to start. */
const longestRestartMs = 10_000
/** Longest time that a module waits for a signal. */
const longestWaitMs = 5000
/** Time without a request of the app after which the control run ends. */
const quietMs = 1000
/** Pauses of a device after which a module ends, even if the app polls on. */
const mostPauses = 4

/** Slack for the time that the app needs to receive the keys. */
const keysSlackMs = 1000

/** Honest sign-in, for the display of progress. */
const plain: Omit<AuditModule, 'provoke'> = {
  id: 'plain',
  title: 'An honest sign-in',
  plan: 'core',
  level: 'note',
  must: 'accept',
  expected: 'The user is signed in.',
  fix: '',
  sources: [],
}

/** Checks that an app still works. */
const honest: AuditModule = {
  ...plain,
  provoke: () => [{ do: 'sign-in' }],
  judge: (evidence) => judgeAcceptance({ ...evidence, hits: 1 }),
}

/** An app that did not sign a user in may have broken, and would fail all other modules, too. */
function mayHaveBroken(module: AuditModule, outcome: string, facts: ControlFacts): boolean {
  const signIns = module.provoke(facts).filter((step) => step.do === 'sign-in')
  return outcome === 'failed' && (module.must === 'accept' || signIns.length > 1)
}

/**
 * Audits an app: an honest sign-in first, then one poisoned sign-in after another. Whatever happens, the poison is
 * removed, and the clock and the tokens of the app are restored.
 * @throws {AuditProblem} when the honest sign-in or the probe fails
 */
export async function runAppAudit(
  given: AppAuditDeps,
  audit: AppAudit,
  driver: Driver,
  control: AuditControl,
): Promise<void> {
  rememberApp(given.state, audit.clientId, given.clock.read())
  const resumeAdvice = given.pauseAdvice()
  // A reset or restore has put another state and another time in place.
  let isReplaced = false
  const unfollow = given.onReplaced(() => {
    isReplaced = true
    forgetApp(given.state)
  })
  const advance = (ms: number) => (isReplaced ? undefined : given.clock.advance(ms))
  const deps: AppAuditDeps = { ...given, clock: { ...given.clock, advance } }
  try {
    let facts = await runControl(deps, audit, driver, control)
    if (needsGarbageProbe(audit)) {
      const garbage = audit.catalog.find(({ id }) => id === garbageId)
      if (garbage !== undefined && facts.hasIdToken) {
        control.begin(describeModule(garbage))
        const { outcome } = await runModule(deps, audit, driver, control, garbage, facts)
        facts = withGarbage(facts, outcome)
      }
    }
    for (const module of audit.modules) {
      control.signal.throwIfAborted()
      control.begin(describeModule(module))
      const startedMs = deps.monotonicMs()
      const before = judgeBefore(module, facts)
      if (before === undefined) await requireAlive(deps, driver, module, control.signal)
      const judgement = before ?? (await runPatiently(deps, audit, driver, control, module, facts))
      control.signal.throwIfAborted()
      if (module.id === garbageId) facts = withGarbage(facts, judgement.outcome)
      if (module.id === unsignedId) {
        facts = { ...facts, acceptsUnsigned: judgement.outcome === 'tolerated' }
      }
      const tookMs = deps.monotonicMs() - startedMs
      control.add(verdictOfModule(module, judgement, (item) => lineOf(deps, item), tookMs))
      if (!mayHaveBroken(module, judgement.outcome, facts)) continue
      control.begin(describeModule(honest))
      const after = await runModule(deps, audit, driver, control, honest, facts)
      if (after.outcome !== 'failed') continue
      const rest = audit.modules.slice(audit.modules.indexOf(module) + 1)
      for (const left of rest) {
        const observed = `No user could sign in to the app after ${module.id}. Restart the app, and run this module alone: --only ${left.id}`
        const verdict = notReached(observed)
        control.add(verdictOfModule(left, judgeBefore(left, facts) ?? verdict, () => undefined, 0))
      }
      break
    }
  } finally {
    unfollow()
    resumeAdvice()
    if (!isReplaced) restoreApp(given.state)
  }
}

/**
 * Checks that the app responds before a module: a module that finds it down would fail for what happened before.
 * @throws {AuditProblem}
 */
async function requireAlive(
  deps: AppAuditDeps,
  driver: Driver,
  { id }: AuditModule,
  signal: AbortSignal,
): Promise<void> {
  const session = driver.open(id)
  for (const endMs = deps.monotonicMs() + longestSilenceMs; ;) {
    if ((await session.isAlive()) !== false) return
    signal.throwIfAborted()
    if (deps.monotonicMs() > endMs) break
    await new Promise<void>((resolve) => void deps.realTime.after(restartPollMs, resolve))
  }
  throw new AuditProblem(`The app no longer responds before ${id}. Start it, and the audit, again.`)
}

function needsGarbageProbe({ modules }: AppAudit): boolean {
  return (
    modules.some(({ id }) => id.startsWith('id-token/')) &&
    !modules.some(({ id }) => id === garbageId)
  )
}

function withGarbage(facts: ControlFacts, outcome: string): ControlFacts {
  if (outcome === 'passed') return { ...facts, readsIdToken: true }
  return outcome === 'failed' ? { ...facts, readsIdToken: false } : facts
}

async function runControl(
  deps: AppAuditDeps,
  { clientId, user, otherUser, modules }: AppAudit,
  driver: Driver,
  control: AuditControl,
): Promise<ControlFacts> {
  control.begin(describeModule({ ...plain, provoke: () => [] }))
  const session = driver.open(plain.id)
  try {
    if (driver.hasProbe && (await askProbe(session))) {
      throw new AuditProblem(
        'The signed-in probe says yes before anybody has signed in, so it cannot tell. Pass --signed-in with a URL that only signed-in users see, or --signed-in-text with text that only they see.',
      )
    }
    const run = beginRun(deps, clientId, deps.monotonicMs())
    const intervalMs = intervalMsOf(deps)
    const isDevice = modules.some(({ flow }) => flow === 'device')
    await session.signIn(0)
    await untilQuiet(deps, run, longestWaitMs + (isDevice ? intervalMs : 0), control.signal)
    const requests = requestsOfRun(deps, run)
    const family = familyOfRun(deps, run)
    const signedIn = userOfRun(deps, run)
    if (signedIn !== undefined && signedIn.id !== user.id) {
      throw new AuditProblem(
        `${signedIn.username} signed in instead of ${user.username}. Choose ${user.username} on the login page of the Hub, or pass --user ${signedIn.username}.`,
      )
    }
    const record = {
      requests,
      redemptions: redemptionsIn(requests, family),
      tokenUses: tokenUsesIn(requests, family),
      visits: session.visits,
      hasCode: family.id !== undefined,
      hasProbe: driver.hasProbe,
      otherApp: otherAppOfRun(deps, run),
    }
    const problem = controlProblem(record)
    if (problem !== undefined) {
      const said = family.id === undefined ? session.said?.() : undefined
      throw new AuditProblem(said ? `${problem} The program printed last:\n${said}` : problem)
    }
    if (driver.hasProbe && !(await askProbe(session))) {
      throw new AuditProblem(
        `The signed-in probe says no after an honest sign-in, so it cannot tell. ${
          driver.isBrowser
            ? 'Pass --signed-in with a URL that responds with 2xx to signed-in users, and the right --signed-in-text.'
            : 'Without --start, the URL of --signed-in is opened without the cookies of the user. A function signedIn has to return true for a signed-in user.'
        }`,
      )
    }
    return factsOfControl(record, {
      clientId,
      isPublicClient: deps.state.apps.get(clientId)?.clientSecret === undefined,
      issuer: deps.settings.baseUrl,
      intervalMs,
      user,
      ...omitUndefined({ otherUser }),
      driver: {
        canUse: driver.canUse,
        canRestart: driver.restart !== undefined,
        isBrowser: driver.isBrowser,
      },
    })
  } catch (error) {
    if (error instanceof DriverProblem) {
      throw new AuditProblem(`The honest sign-in failed: ${error.message}`, { cause: error })
    }
    if (error instanceof SkippedModule) {
      throw new AuditProblem(
        'The honest sign-in was skipped, and without it nothing can be judged.',
      )
    }
    throw error
  }
}

/** @throws {AuditProblem} if it gives no answer */
async function askProbe(session: DriverSession): Promise<boolean> {
  try {
    return await session.probe()
  } catch (error) {
    if (!(error instanceof DriverProblem)) throw error
    throw new AuditProblem(`The signed-in probe cannot tell: ${error.message}`, { cause: error })
  }
}

/** Waits until the app has been silent for a second. */
async function untilQuiet(
  deps: AppAuditDeps,
  run: AppRun,
  longestMs: number,
  signal: AbortSignal,
): Promise<void> {
  const startMs = deps.monotonicMs()
  await waitUntil(deps, longestMs, signal, () => {
    const requests = requestsOfRun(deps, run)
    const redeemed = requests.some(
      ({ path, record }) => path === '/oauth/token' && record.error !== 'authorization_pending',
    )
    return redeemed && deps.monotonicMs() - lastEndMs(requests, startMs) >= quietMs
  })
}

/** Waits until an app that polls in the background has been silent for the pause, or the verdict is certain. */
async function untilPollsEnd(
  deps: AppAuditDeps,
  pauseMs: number,
  signal: AbortSignal,
  module: AuditModule,
  observe: () => ModuleEvidence,
): Promise<void> {
  const startMs = deps.monotonicMs()
  const decisive = decisiveOutcome(module)
  await waitUntil(deps, mostPauses * pauseMs, signal, () => {
    const evidence = observe()
    return (
      judgeModule(module, evidence).outcome === decisive ||
      deps.monotonicMs() - lastEndMs(evidence.requests, startMs) >= pauseMs
    )
  })
}

function lastEndMs(requests: readonly SeenRequest[], startMs: number): number {
  return Math.max(startMs, ...requests.map(endOf))
}

async function runModule(
  deps: AppAuditDeps,
  { clientId, user }: AppAudit,
  driver: Driver,
  control: AuditControl,
  module: AuditModule,
  facts: ControlFacts,
): Promise<ReturnType<typeof judgeModule>> {
  const { signal } = control
  const poison = createPoison(
    { ...deps, after: (ms, act) => deps.realTime.after(ms, act) },
    clientId,
  )
  const clock = createMovedClock(deps.clock)
  const session = driver.open(module.id)
  const run = beginRun(deps, clientId, deps.monotonicMs())
  const steps = module.provoke(facts)
  const tested: Tested = { marksMs: [] }
  const scene = { deps, run, driver, session, poison, clock, facts, user, tested, module, signal }
  try {
    let driverProblem: string | undefined
    try {
      for (const [index, step] of steps.entries()) {
        signal.throwIfAborted()
        if (step.do === 'sign-in') driverProblem = undefined
        // A command may fail because its sign-in did: another sign-in is another try.
        if (driverProblem !== undefined && step.do !== 'probe') continue
        if (step.do === 'probe') {
          const earlier = await askApp(driver, session)
          tested.earlier = omitUndefined({
            signedIn: earlier.signedIn,
            driverProblem: driverProblem ?? earlier.driverProblem,
          })
          continue
        }
        driverProblem = await problemOf(() => perform(step, index, scene))
        if (driverProblem !== undefined && step.do !== 'sign-in') break
      }
    } catch (error) {
      if (!(error instanceof SkippedModule)) throw error
      return inconclusive(error.message)
    }
    const observe = () => observed({ deps, run, poison, facts, steps, session, tested })
    await waitUntil(deps, settleMs(facts), signal, () => isDecided(module, observe()))
    if (module.pauseMs !== undefined) {
      await untilPollsEnd(deps, module.pauseMs(facts), signal, module, observe)
    }
    // The poison is out before the probe, which may make the app call the hub again.
    const evidence = observe()
    poison.remove()
    clock.restore()
    const after = await askApp(driver, session)
    return judgeModule(module, {
      ...evidence,
      ...after,
      ...omitUndefined({ driverProblem: driverProblem ?? after.driverProblem }),
    })
  } finally {
    poison.remove()
    clock.restore()
    const hasRestarted = steps.some((step) => step.do === 'restart')
    if (hasRestarted && !signal.aborted) await forgetMetadata(scene)
  }
}

/** Runs a module, and judges an app that reads the keys seldom after the time for which it may keep them. */
async function runPatiently(
  deps: AppAuditDeps,
  audit: AppAudit,
  driver: Driver,
  control: AuditControl,
  module: AuditModule,
  facts: ControlFacts,
): Promise<ReturnType<typeof judgeModule>> {
  const startedMs = deps.monotonicMs()
  const judgement = await runModule(deps, audit, driver, control, module, facts)
  const { keysKept } = module
  if (judgement.outcome !== 'failed' || keysKept === undefined) return judgement
  const readMs = lastKeyReadMs(deps)
  const waitMs = readMs + keysKept.ms + keysSlackMs - deps.monotonicMs()
  if (readMs >= startedMs || waitMs <= 0) return judgement
  await waitUntil(deps, waitMs, control.signal, () => false)
  const later = await runModule(deps, audit, driver, control, honest, facts)
  if (later.outcome !== 'passed') return judgement
  return tolerated(
    `${judgement.observed} The app did not read the keys again within ${keysKept.ms / 1000} s of the last time; a sign-in after that succeeded. ${keysKept.reason}`,
  )
}

/** Real time at which the keys were read last; -Infinity = not in the log. */
function lastKeyReadMs({ requests }: AppAuditDeps): number {
  return requests
    .values()
    .filter(({ url }) => pathOf(url) === '/oauth/jwks')
    .reduce((latest, { receivedMs }) => Math.max(latest, receivedMs), -Infinity)
}

async function problemOf(work: () => Promise<void>): Promise<string | undefined> {
  try {
    await work()
    return undefined
  } catch (error) {
    if (error instanceof DriverProblem) return error.message
    throw error
  }
}

interface Tested {
  /** Moments at which something other than a response was changed. */
  marksMs: number[]
  earlier?: NonNullable<ModuleEvidence['earlier']>
}

interface Scene {
  readonly deps: AppAuditDeps
  readonly run: AppRun
  readonly driver: Driver
  readonly module: AuditModule
  readonly signal: AbortSignal
  readonly session: DriverSession
  readonly poison: Poison
  readonly clock: MovedClock
  readonly facts: ControlFacts
  readonly user: AuditUser
  readonly tested: Tested
}

async function perform(
  step: Exclude<Step, { do: 'probe' }>,
  index: number,
  scene: Scene,
): Promise<void> {
  const { deps, run, session, poison, clock, facts, user, tested } = scene
  const mark = () => tested.marksMs.push(deps.monotonicMs())
  switch (step.do) {
    case 'poison':
      return poison.add(step.faults, step.next === true ? undefined : familyIdOfRun(deps, run))
    case 'hold':
      return poison.hold(step.match, step.count)
    case 'restart':
      return restartApp(scene)
    case 'advance':
      mark()
      return clock.advance(parseDuration(step.by) ?? 0)
    case 'rotate-key':
      mark()
      return void (await deps.keys.rotate(step.keepOld))
    case 'revoke':
      mark()
      return deps.disconnect(user.id, facts.clientId)
    case 'sign-in':
      return session.signIn(index, step.as === 'other' ? facts.otherUser : undefined)
    case 'use':
      return session.use(index, step.times ?? 1)
    case 'callback-again':
      mark()
      return session.callbackAgain(index)
    case 'foreign-callback':
      mark()
      if (facts.otherUser !== undefined) await session.foreignCallback(index, facts.otherUser)
  }
}

/** Restarts the app, and waits until it responds again: an app that refuses the metadata never does. */
async function restartApp({ deps, driver, session, module, signal }: Scene): Promise<void> {
  if (driver.restart === undefined) return
  await driver.restart(module.id)
  const endMs = deps.monotonicMs() + longestRestartMs
  while (deps.monotonicMs() < endMs && (await session.isAlive()) === false) {
    signal.throwIfAborted()
    await new Promise<void>((resolve) => void deps.realTime.after(restartPollMs, resolve))
  }
}

/** Restarts an app that has read changed metadata. If it cannot be restarted, the next sign-in shows that. */
async function forgetMetadata(scene: Scene): Promise<void> {
  try {
    await restartApp(scene)
  } catch (error) {
    if (!(error instanceof DriverProblem || error instanceof SkippedModule)) throw error
  }
}

function observed(scene: {
  deps: AppAuditDeps
  run: AppRun
  poison: Poison
  facts: ControlFacts
  steps: readonly Step[]
  session: DriverSession
  tested: Tested
}): ModuleEvidence {
  const { deps, run, poison, facts, steps, session, tested } = scene
  const requests = requestsOfRun(deps, run)
  const family = familyOfRun(deps, run)
  const struckMs = requests
    .filter(({ record }) => record.faultId !== undefined && poison.ruleIds.has(record.faultId))
    .map(({ record }) => record.receivedMs)
  const firstMs = Math.min(...struckMs, ...tested.marksMs)
  const hasPoison = steps.some((step) => step.do === 'poison') || tested.marksMs.length > 0
  const after = hasPoison ? requests.filter(({ record }) => record.receivedMs > firstMs) : requests
  // A moved clock or a rotated key is met by the first request after it; a callback by being sent.
  const isSent = (step: Step) => step.do === 'callback-again' || step.do === 'foreign-callback'
  const marks = tested.marksMs.filter(
    (ms) => steps.some(isSent) || requests.some(({ record }) => record.receivedMs > ms),
  )
  return {
    facts,
    steps,
    hits: poison.hits() + marks.length,
    requests,
    after,
    redemptions: redemptionsIn(requests, family),
    refreshes: refreshesIn(requests, family),
    tokenUses: tokenUsesIn(after, family),
    visits: session.visits,
    ...omitUndefined({ earlier: tested.earlier }),
  }
}

/** Checks whether waiting longer cannot change the verdict. With a probe it can: the app may sign in late. */
function isDecided(module: AuditModule, evidence: ModuleEvidence): boolean {
  if (evidence.facts.signals.probe || module.judge !== undefined) return false
  return judgeModule(module, evidence).outcome === decisiveOutcome(module)
}

/** Outcome that a later request cannot change. */
function decisiveOutcome({ must }: AuditModule): string {
  return must === 'accept' ? 'passed' : 'failed'
}

async function askApp(
  driver: Driver,
  session: DriverSession,
): Promise<Pick<ModuleEvidence, 'signedIn' | 'signedInPage' | 'isAlive' | 'driverProblem'>> {
  try {
    const signedIn = driver.hasProbe ? await session.probe() : undefined
    const isAlive = await session.isAlive()
    return omitUndefined({ signedIn, isAlive, signedInPage: session.probedPage?.() })
  } catch (error) {
    if (!(error instanceof DriverProblem)) throw error
    return { driverProblem: error.message }
  }
}

/** Resolves when the condition holds, or after the time. Rejects when the audit is stopped. */
async function waitUntil(
  { realTime, monotonicMs }: Pick<AppAuditDeps, 'realTime' | 'monotonicMs'>,
  ms: number,
  signal: AbortSignal,
  isMet: () => boolean,
): Promise<void> {
  const endMs = monotonicMs() + ms
  while (monotonicMs() < endMs && !isMet()) {
    signal.throwIfAborted()
    await new Promise<void>((resolve) => void realTime.after(pollMs, resolve))
  }
  signal.throwIfAborted()
}

/** Method, path and status of a request, without secrets. */
function lineOf({ requests }: AppAuditDeps, { id }: EvidenceItem): string | undefined {
  const record = requests.get(id)
  if (record === undefined) return undefined
  return `${record.method} ${shortened(maskText(record.url), 200)} ${record.status}`
}
