import type { StartAuditRequest } from '../../../contract/control-audits.ts'
import { omitUndefined } from '../../../core/omit-undefined.ts'
import type { RealTime } from '../../../core/real-time.ts'
import { refuseIssues } from '../../../core/refusal.ts'
import type { Deps } from '../../../hub/deps.ts'
import { explainAttempt } from '../../../hub/webhooks/delivery/explain.ts'
import { maskUrl } from '../../../core/mask-url.ts'
import type { WebhookEngine } from '../../../hub/webhooks/engine/engine.ts'
import { type AuditControl, AuditProblem, type PlannedAudit } from '../runs.ts'
import { selectModules, unknownModules } from '../verdict.ts'
import { createReceiver } from './call-receiver.ts'
import { receiverModules } from './receiver-catalog.ts'
import { concealIn } from './conceal.ts'
import {
  countWrites,
  effectsOfUrl,
  restartByUrl,
  type ReadEffects,
  settle,
} from './receiver-effects.ts'
import {
  describeReaction,
  isSuccess,
  type ReceiverJudgement,
  type ReceiverModule,
  verdictOnReceiver,
} from './receiver-module.ts'
import { createPayloads } from './payloads.ts'
import type { Effects, Reaction, Receiver } from './audited-receiver.ts'
import { runStorm, stormModules } from './storm.ts'
import { type AuditTarget, readTarget } from './receiver-target.ts'
import { failed } from '../judgement.ts'

export interface ReceiverAuditDeps extends Pick<Deps, 'state' | 'settings' | 'bus' | 'ids'> {
  readonly engine: Pick<WebhookEngine, 'probe' | 'findTargetProblem'>
  readonly realTime: Pick<RealTime, 'after'>
  /** Real time in milliseconds. */
  readonly stopwatch: () => number
}

/** Health checks after a module give up sooner than a delivery. */
const healthMs = 10_000

/**
 * Plans the audit of a receiver.
 * @throws {Refusal} for an unknown or blocked receiver, an unknown module, or an invalid secret
 */
export function planReceiverAudit(
  deps: ReceiverAuditDeps,
  request: StartAuditRequest,
): PlannedAudit {
  const target = readTarget(deps, request)
  const modules = request.storm === undefined ? readModules(request, target) : stormModules
  const { webhook, url, secret } = target
  return {
    kind: 'receiver',
    subject: concealIn(maskUrl(url), secret),
    key: url,
    isFollowed: request.isFollowed === true,
    plan: request.storm === undefined ? (request.plan ?? 'core') : 'storm',
    modules,
    ...omitUndefined({ webhookId: webhook?.id }),
    run: (control) => runAudit(deps, { target, request, modules, control, current: 'plain' }),
  }
}

function readModules({ plan = 'core', only, skip }: StartAuditRequest, target: AuditTarget) {
  const issues = unknownModules(receiverModules, omitUndefined({ only, skip }))
  if (plan === 'oidf') {
    issues.push({ path: 'plan', message: 'The plan oidf is for apps: use core or full.' })
  }
  refuseIssues(issues)
  const isStandard = target.profile.extraHeaders === 'standard-webhooks'
  const fitting = receiverModules.filter(
    ({ id }) => isStandard || only !== undefined || !id.startsWith('standard/'),
  )
  return selectModules(fitting, { plan, ...omitUndefined({ only, skip }) })
}

interface Run {
  readonly target: AuditTarget
  readonly request: StartAuditRequest
  readonly modules: readonly ReceiverModule[]
  readonly control: AuditControl
  /** Module that runs; `plain` before the first one. */
  current: string
}

async function runAudit(deps: ReceiverAuditDeps, run: Run): Promise<void> {
  const { target, request, control } = run
  const { webhook, secret } = target
  const { signal } = control
  const ids = deps.ids.of('audit of a receiver')
  const wait = waitOf(deps.realTime, signal)
  const userId = webhook?.actsAs ?? webhook?.ownerId
  const writes = userId === undefined ? undefined : countWrites(deps.bus, userId)
  const read =
    request.effects === undefined
      ? writes?.read
      : effectsOfUrl(deps.engine, request.effects, signal)
  const call = {
    engine: deps.engine,
    target,
    makePayload: createPayloads(deps, webhook, ids.objectId()),
    newId: () => ids.objectId(),
    wait,
    signal,
    ...(request.storm === undefined && { audit: () => ({ id: control.id, module: run.current }) }),
  }
  try {
    const bare = createReceiver(call)
    await requireHealthy(bare, secret)
    if (request.storm !== undefined) {
      const settled = read && settle(read, wait)
      const { restart } = request.storm
      await runStorm({
        receiver: bare,
        settled,
        restart: restart === undefined ? undefined : restartByUrl(deps.engine, restart, signal),
        storm: request.storm,
        makePayload: call.makePayload,
        event: target.event,
        newSeed: () => ids.objectId().slice(0, 8),
        control,
        stopwatch: deps.stopwatch,
        secret,
      })
      return
    }
    const effects = read && (await measureEffects(bare, read, wait))
    await runModules(deps, run, createReceiver({ ...call, effects }))
  } finally {
    writes?.stop()
  }
}

function waitOf(realTime: Pick<RealTime, 'after'>, signal: AbortSignal) {
  return (ms: number) =>
    new Promise<void>((resolve) => {
      if (signal.aborted) return resolve()
      const cancel = realTime.after(ms, done)
      function done(): void {
        cancel()
        signal.removeEventListener('abort', done)
        resolve()
      }
      signal.addEventListener('abort', done)
    })
}

/** @throws {AuditProblem} when the receiver refuses a correct delivery, so that nothing could be judged */
async function requireHealthy(receiver: Receiver, secret: string | undefined): Promise<void> {
  const reaction = await receiver.send()
  if (isSuccess(reaction)) return
  const { status } = reaction
  const hint =
    status === 401 || status === 403
      ? ' Check the secret.'
      : status === undefined || status < 300
        ? reasonOf(reaction)
        : ' Check the URL, and the event that the receiver expects.'
  const to = status === undefined || status < 300 ? '' : ' to a correct delivery'
  const what = `The receiver ${describeReaction(reaction)}${to}.`
  throw new AuditProblem(concealIn(`${what}${hint}`, secret))
}

function reasonOf({ error }: Reaction): string {
  const reason = error && explainAttempt({ error, source: 'audit' })
  return reason === undefined ? '' : ` ${reason}`
}

/** Effects are known if a correct delivery changes them. */
async function measureEffects(
  receiver: Receiver,
  read: ReadEffects,
  wait: (ms: number) => Promise<void>,
): Promise<Effects | undefined> {
  const settled = settle(read, wait)
  const before = await settled()
  await receiver.send()
  const after = await settled()
  if (before === after) return undefined
  const unit = Number(after) - Number(before)
  return Number.isNaN(unit) || before === '' ? { settled } : { settled, unit }
}

async function runModules(
  { stopwatch }: ReceiverAuditDeps,
  run: Run,
  receiver: Receiver,
): Promise<void> {
  const { modules, control, target } = run
  for (const module of modules) {
    if (control.signal.aborted) return
    control.begin(module)
    run.current = module.id
    const began = stopwatch()
    const judgement = await module.provoke(receiver)
    const sick = await findIllness(receiver)
    if (control.signal.aborted) return
    const final = sick === undefined ? judgement : withIllness(judgement, sick)
    control.add(verdictOnReceiver(module, final, stopwatch() - began, target.secret))
    if (sick !== undefined) {
      const what = `The receiver ${describeReaction(sick)} to a correct delivery after ${module.id}.`
      throw new AuditProblem(concealIn(what, target.secret))
    }
  }
}

/** @returns the reaction of a receiver that no longer accepts correct deliveries */
async function findIllness(receiver: Receiver): Promise<Reaction | undefined> {
  const check = () => receiver.send({ abortAfterMs: Math.min(healthMs, receiver.deadlineMs) })
  const first = await check()
  if (isSuccess(first)) return undefined
  // It may be restarting.
  await receiver.wait(1000)
  const second = await check()
  return isSuccess(second) ? undefined : second
}

function withIllness(judgement: ReceiverJudgement, reaction: Reaction): ReceiverJudgement {
  const what = 'a correct delivery afterwards'
  const after = failed(
    `${judgement.observed} It then ${describeReaction(reaction)} to ${what}.`,
    [{ what, reaction }],
    'error',
  )
  return {
    ...after,
    evidence: [...(judgement.evidence ?? []), ...(after.evidence ?? [])].slice(-6),
  }
}
