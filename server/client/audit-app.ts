import type { ControlCall } from '../contract/control-call.ts'
import type { AuditRunItem, StartAuditRequest } from '../contract/control-types.ts'
import { messageOf } from '../core/background.ts'
import { omitUndefined } from '../core/omit-undefined.ts'
import { shortened } from '../core/shortened.ts'
import { clearInterval, setInterval, sleep } from '../core/timers.ts'
import type { AppAuditOptions, AuditStep } from './sandbox-audit.ts'

const pollMs = 40
/** Longest reason for the control API, without the note that it was shortened. */
const longestProblem = 900
const readEveryMs = 10_000

/**
 * Runs the audit of an app, and does its steps by the functions of a test.
 * @throws {Error} with the reason when the honest sign-in or the probe fails
 */
export async function auditApp(call: ControlCall, options: AppAuditOptions): Promise<AuditRunItem> {
  const { id } = await call('POST audits', { body: requestOf(options) })
  try {
    const run = await followAudit(call, id, (step) => doStep(options, step))
    if (run.problem !== undefined) throw new Error(run.problem)
    return run
  } catch (error) {
    await call('DELETE audits/:id', { params: { id } }).catch(() => undefined)
    throw error
  }
}

/** Follows an audit to its end, and does the steps that it waits for. */
export async function followAudit(
  call: ControlCall,
  id: string,
  act: (step: AuditStep) => Promise<{ signedIn?: boolean; problem?: string }>,
  onChange: (run: AuditRunItem) => void = () => {},
): Promise<AuditRunItem> {
  for (;;) {
    const run = await call('GET audits/:id', { params: { id } })
    onChange(run)
    if (run.state !== 'running' && run.state !== 'waiting') return run
    if (run.step === undefined) {
      await sleep(pollMs)
      continue
    }
    const result = await keepReading(call, id, act(run.step))
    await call('POST audits/:id/continue', { params: { id }, body: result })
  }
}

/** Reads an audit regularly until some work is done: an audit that nobody reads is stopped. */
export async function keepReading<T>(call: ControlCall, id: string, work: Promise<T>): Promise<T> {
  const read = () => void call('GET audits/:id', { params: { id } }).catch(() => undefined)
  const timer = setInterval(read, readEveryMs)
  try {
    return await work
  } finally {
    clearInterval(timer)
  }
}

function requestOf(options: AppAuditOptions): StartAuditRequest {
  const { clientId, module, plan, only, skip, flow, signIn, signedIn, use, start, user } = options
  const { restart } = options
  const isProgram = start === undefined
  if (isProgram && typeof signIn !== 'function') {
    throw new TypeError(
      'audit.app() requires signIn, a function that signs a user in to the app, or start, the URL by which the app begins a sign-in',
    )
  }
  return {
    kind: 'app',
    clientId,
    isFollowed: true,
    ...omitUndefined({
      canRestart: restart === undefined ? undefined : true,
      plan,
      flow,
      user,
      start,
      only: module === undefined ? only && [...only] : [module],
      skip: skip && [...skip],
    }),
    ...(isProgram
      ? {
          driver: 'program' as const,
          canUse: typeof use === 'function',
          canProbe: typeof signedIn === 'function',
        }
      : {}),
    ...(typeof signedIn === 'string' ? { signedIn } : {}),
    ...omitUndefined({ signedInText: options.signedInText }),
    ...(typeof use === 'string' ? { use } : {}),
  }
}

/** Errors of the app's own functions are results: an app that refuses a sign-in often throws. */
async function doStep(
  { signIn, signedIn, use, restart }: AppAuditOptions,
  { name, module, times = 1 }: AuditStep,
): Promise<{ signedIn?: boolean; problem?: string; said?: string }> {
  if (name === 'probe') {
    if (typeof signedIn !== 'function') return { problem: 'There is no function signedIn.' }
    try {
      return { signedIn: Boolean(await signedIn({ module })) }
    } catch (error) {
      return { problem: shortened(`signedIn failed: ${messageOf(error)}`, longestProblem) }
    }
  }
  if (name === 'restart') {
    try {
      await restart?.({ module })
      return {}
    } catch (error) {
      return { problem: shortened(`restart failed: ${messageOf(error)}`, longestProblem) }
    }
  }
  const act = name === 'use' ? use : signIn
  if (typeof act !== 'function') return { problem: `There is no function for the step ${name}.` }
  const uses = Array.from({ length: times }, async () => act({ module }))
  const results = await Promise.allSettled(uses)
  const failed = results.find((result) => result.status === 'rejected')
  return failed === undefined ? {} : { said: shortened(messageOf(failed.reason), longestProblem) }
}
