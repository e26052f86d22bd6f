import { omitUndefined } from '../../../core/omit-undefined.ts'
import type { OutgoingRequest } from '../../../web/outgoing/wire.ts'
import type {
  Probe,
  ProbeResult,
  ProbeTarget,
  Probes,
} from '../../../hub/webhooks/engine/probes.ts'
import { type MakePayload, repoOf } from './payloads.ts'
import type { Effects, Payload, Reaction, Receiver, Sent } from './audited-receiver.ts'
import type { AuditTarget } from './receiver-target.ts'

interface CallOptions {
  readonly engine: Pick<Probes, 'probe'>
  readonly target: AuditTarget
  readonly makePayload: MakePayload
  readonly newId: () => string
  readonly wait: (ms: number) => Promise<void>
  readonly signal: AbortSignal
  readonly effects?: Effects | undefined
  /** Keeps each attempt as a delivery of the audit and module that it returns. Default: none is kept. */
  readonly audit?: (() => { readonly id: string; readonly module: string }) | undefined
}

/** Makes the receiver that modules judge, out of the engine that sends deliveries. */
export function createReceiver(options: CallOptions): Receiver {
  const { engine, target, makePayload, newId, wait, signal, effects } = options
  const { secret, secretIn, profile } = target
  const isSigned = profile.extraHeaders === 'standard-webhooks' && secret !== undefined
  let number = 0
  const payload: Receiver['payload'] = (event = target.event) => makePayload(event, ++number)
  return {
    secret,
    secretIn,
    isSigned,
    deadlineMs: profile.deadlineMs,
    effects,
    payload,
    messageId: newId,
    wait,
    async send(sent = {}) {
      const made = sent.payload ?? payload()
      const stop = sent.signal === undefined ? signal : AbortSignal.any([signal, sent.signal])
      const probe: Probe = {
        messageId: sent.messageId ?? newId(),
        ...made.event,
        body: sent.body ?? JSON.stringify(made),
        signal: stop,
        change: changeOf(target, sent),
        ...omitUndefined({
          method: sent.method,
          pace: sent.pace,
          abortAfterMs: sent.abortAfterMs,
          offsetMs: sent.offsetMs,
          signedBody: sent.signedBody,
          record: recordOf(options, made),
        }),
      }
      return reactionOf(await engine.probe(probeTarget(target), probe))
    },
  }
}

/** Marks of an attempt that is kept. */
function recordOf({ audit, target }: CallOptions, payload: Payload): Probe['record'] {
  if (audit === undefined) return undefined
  return { audit: audit(), ...repoOf(payload), ...omitUndefined({ webhookId: target.webhook?.id }) }
}

function probeTarget({ url, secret, profile, webhook }: AuditTarget): ProbeTarget {
  const { id = 'audit', ca, acceptSelfSigned } = webhook ?? {}
  return { webhook: { id, url, ...omitUndefined({ secret, ca, acceptSelfSigned }) }, profile }
}

const secretHeader = 'X-Webhook-Secret'

/** Puts the secrets where the receiver expects them, and changes what else the request asks for. */
function changeOf({ secret, secretIn }: AuditTarget, sent: Sent): NonNullable<Probe['change']> {
  const right = secret === undefined ? [] : [secret]
  const secrets = sent.secrets ?? right
  return ({ url: given, headers }) => {
    const url = new URL(given)
    if (sent.path !== undefined) url.pathname = `${url.pathname.replace(/\/$/, '')}${sent.path}`
    const inQuery = sent.secretInQuery === true ? right : secretIn === 'query' ? secrets : []
    for (const value of inQuery) url.searchParams.append('secret', value)
    const inHeader = sent.secretInQuery === true || secretIn === 'query' ? [] : secrets
    const { header = (_name: string, value: string) => value } = sent
    const kept: OutgoingRequest['headers'] = headers
      .filter(([name]) => name !== secretHeader)
      .map(([name, value]) => [name, header(name.toLowerCase(), value)])
    const isPlain = sent.path === undefined && inQuery.length === 0
    return {
      // As given: serializing a URL may change it.
      url: isPlain ? given : url.href,
      headers: [...kept, ...inHeader.map((value) => [secretHeader, value] as const)],
    }
  }
}

function reactionOf({ response, error, durationMs, deliveryId }: ProbeResult): Reaction {
  const status = response?.status
  const text = [...(response?.headers ?? []).map((pair) => pair.join(': ')), response?.body ?? '']
  return { durationMs, text: text.join('\n'), ...omitUndefined({ status, error, deliveryId }) }
}
