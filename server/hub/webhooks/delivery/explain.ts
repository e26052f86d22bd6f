import type { Attempt } from '../../../store/entities/webhook-entities.ts'
import type { DeliveryErrorClass, SkipReason } from '../../../contract/words/webhook-words.ts'

const skipReasons: Record<SkipReason, string> = {
  'not-watched': 'The webhook does not watch this repository or its owner.',
  'domain-filtered': 'The webhook watches this repository, but not this kind of event (domain).',
  'private-not-visible': 'The repository is private, and the owner of the webhook cannot read it.',
  disabled: 'The webhook is disabled.',
  suspended: 'The webhook is suspended after repeated failures. Enable it to resume.',
  'offline-target-blocked':
    'The sandbox does not call this URL. Start it with --allow-network to reach public addresses.',
  'quota-exceeded': 'The webhook has used up its quota of deliveries per 24 hours.',
}

/** Explanation for deliveries of a held webhook. */
export const explainHeld = 'Deliveries of this webhook are paused. Resume it to send them.'
/** Explanation for a delivery that is held because of a loop. */
export const explainLoop =
  'This webhook is triggering itself: its receiver causes the events that it gets. Let the receiver ignore events of its own user, then release or cancel this delivery.'
/** Explanation for a held delivery whose webhook is not held. */
export const explainLackOfRoom =
  'Queued: too many deliveries are waiting, so this one is sent later.'

const errorClasses: Record<DeliveryErrorClass, string> = {
  dns_error:
    'The host name could not be resolved. Check its spelling, and whether this machine can resolve it.',
  connection_refused:
    'Nothing listens on this host and port. Start the receiver, or correct the URL.',
  connection_reset:
    'The receiver closed the connection before it sent a response. Look for an error in its log.',
  network_unreachable: 'This machine has no network route to the address.',
  connect_timeout:
    'The connection timed out. A firewall may drop the packets, or the address may be unused.',
  timeout:
    'The response was not complete before the deadline. Respond with 2xx at once, and do the work afterwards.',
  tls_error:
    'The TLS handshake failed, or the certificate is not trusted. For a self-signed certificate, enable "Accept self-signed certificates" on the webhook.',
  http_status: 'Only a 2xx status counts as success.',
  redirect: 'Redirects are not followed. Set the final URL on the webhook.',
  protocol_error:
    'The response is not valid HTTP. Check whether the port uses TLS or belongs to another program.',
  blocked_target:
    'The sandbox only calls loopback and private addresses, and never its own port. Start it with --allow-network to reach public addresses.',
  sender_fault:
    'Caused by the sandbox, not by the receiver: a fault rule, or invalid settings of the webhook. It does not count as a failure of the receiver.',
  aborted_by_shutdown:
    'The sandbox was stopped during this attempt. The delivery continues at the next start; a replay does not.',
  job_failed: 'The job ended with a non-zero exit code. See its logs.',
}

/** Explanation for a job that could not be started, timed out, or was cancelled. */
const jobWithoutExitCode =
  'The job did not finish, so it has no exit code. See the error message and its logs.'

/** Explains to the user why a webhook got no delivery of an event. */
export function explainSkip(reason: SkipReason): string {
  return skipReasons[reason]
}

/** Explains to the user what went wrong with an attempt, and how to fix it. */
export function explainAttempt(
  attempt: Pick<Attempt, 'error' | 'note' | 'outcome' | 'status'> & { source: string },
): string | undefined {
  const { error, status } = attempt
  if (error?.class === 'job_failed' && status === undefined) return jobWithoutExitCode
  if (error !== undefined) return errorClasses[error.class]
  if (attempt.note !== undefined) return `${attempt.note} Only the status counts.`
  if (attempt.outcome !== 'unknown') return undefined
  const unknown = 'The sandbox was stopped during this attempt, so its outcome is unknown'
  return attempt.source === 'replay'
    ? `${unknown}. Replays are not repeated.`
    : `${unknown}. It is sent again.`
}
