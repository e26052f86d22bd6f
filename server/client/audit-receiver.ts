import type { AuditRunItem, StartAuditRequest } from '../contract/control-audits.ts'
import { type KeysOf, takeOptions } from '../core/arguments.ts'
import { omitUndefined } from '../core/omit-undefined.ts'
import { sleep } from '../core/timers.ts'
import type { ControlCall } from '../contract/control-call.ts'
import type { ReceiverAuditOptions, StormOptions } from './sandbox-audit.ts'
import { serveFunctions } from './serve-functions.ts'

const optionNames = {
  receive: true,
  path: true,
  url: true,
  webhookId: true,
  secret: true,
  secretIn: true,
  effects: true,
  restart: true,
  plan: true,
  only: true,
  skip: true,
  profile: true,
  event: true,
  storm: true,
} as const satisfies KeysOf<ReceiverAuditOptions>

const stormNames = {
  receivers: true,
  seed: true,
  events: true,
  orders: true,
} as const satisfies KeysOf<StormOptions>

const usualPath = '/webhooks/events'
const restMs = 20

/**
 * Audits a receiver: a function, a URL or a webhook. Functions are served on a free port meanwhile, so that they are
 * called like every receiver.
 * @throws {Error} when the receiver could not be reached, so that nothing was judged
 */
export async function auditReceiver(
  call: ControlCall,
  given: ReceiverAuditOptions,
): Promise<AuditRunItem> {
  const options = takeOptions('audit.receiver()', given, optionNames)
  const { receive, path = usualPath, effects, restart, storm, url, ...rest } = options
  if ([receive, url, rest.webhookId].filter((one) => one !== undefined).length !== 1) {
    throw new TypeError('audit.receiver() requires one of receive, url and webhookId')
  }
  if (restart !== undefined && (storm === undefined || storm === false)) {
    throw new TypeError('audit.receiver() takes restart with storm only')
  }
  const functions = {
    receive,
    effects: typeof effects === 'function' ? effects : undefined,
    restart: typeof restart === 'function' ? restart : undefined,
  }
  const isServed = Object.values(functions).some((one) => one !== undefined)
  const served = isServed ? await serveFunctions(functions) : undefined
  const restartUrl = typeof restart === 'function' ? served?.restartUrl : restart
  const request = omitUndefined({
    kind: 'receiver',
    ...rest,
    url: receive === undefined ? url : `${served?.url ?? ''}${path}`,
    effects: typeof effects === 'function' ? served?.effectsUrl : effects,
    storm:
      storm === undefined || storm === false
        ? undefined
        : omitUndefined({ ...(storm === true ? {} : storm), restart: restartUrl }),
  }) as StartAuditRequest
  try {
    return await finish(call, request)
  } finally {
    await served?.close()
  }
}

/**
 * Sends the same events to receivers, to one after the other, in orders that a seed gives.
 * @throws as {@link auditReceiver}
 */
export async function stormReceivers(
  call: ControlCall,
  given: StormOptions,
): Promise<readonly AuditRunItem[]> {
  const { receivers, seed, ...storm } = takeOptions('storm()', given, stormNames)
  if (receivers.length === 0) throw new TypeError('storm() requires a receiver')
  const runs: AuditRunItem[] = []
  for (const receiver of receivers) {
    const order = omitUndefined({ ...storm, seed: seed === undefined ? undefined : String(seed) })
    runs.push(await auditReceiver(call, { ...receiver, storm: order }))
  }
  return runs
}

async function finish(call: ControlCall, request: StartAuditRequest): Promise<AuditRunItem> {
  const { id } = await call('POST audits', { body: request })
  for (;;) {
    const item = await call('GET audits/:id', { params: { id } })
    if (item.state !== 'running' && item.state !== 'waiting') {
      const isJudged = item.verdicts.some(({ outcome }) => outcome !== 'not-reached')
      if (item.problem !== undefined && !isJudged) throw new Error(item.problem)
      return item
    }
    await sleep(restMs)
  }
}
