import { isoTime } from '../../../core/time.ts'
import type { QueriedDelivery } from '../../../contract/query/subjects.ts'
import type { ProbeDelivery } from '../delivery/probe-log.ts'
import type { AttemptView, DeliveryView } from './activity.ts'

/** An attempt of an audit has no event, and not always a webhook. */
export function probeSubject({ webhookId, audit }: Pick<ProbeDelivery, 'webhookId' | 'audit'>) {
  return { webhookId: webhookId ?? audit.id, eventId: audit.id }
}

/** Describes an attempt of an audit as a delivery of its own. */
export function describeProbe(probe: ProbeDelivery, attempt: AttemptView): DeliveryView {
  const { attempt: made, seq: _seq, index: _index, webhookId: _webhookId, ...about } = probe
  return {
    ...about,
    ...probeSubject(probe),
    state: made.outcome,
    explanation: `Sent by the module ${probe.audit.module} of an audit, which judges the response. It is not retried and counts nowhere.`,
    attempts: [attempt],
    createdAt: isoTime(made.at),
    finishedAt: isoTime(made.at + (made.durationMs ?? 0)),
  }
}

/** Prepares an attempt of an audit for the test of a query. */
export function queriedProbe({ attempt, ...probe }: ProbeDelivery): QueriedDelivery {
  const { outcome, error } = attempt
  const subject = probeSubject(probe)
  return {
    ...attempt,
    ...probe,
    ...subject,
    state: outcome,
    hasEnded: true,
    errorClass: error?.class,
    attempts: 1,
  }
}
