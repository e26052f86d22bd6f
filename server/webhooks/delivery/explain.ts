import type { Attempt } from '../../state/entities/webhooks.ts'
import type { DeliveryErrorClass, SkipReason } from '../../contract/words/webhooks.ts'

const skipReasons: Record<SkipReason, string> = {
  'not-watched': 'The webhook watches neither this repository nor its owner.',
  'domain-filtered': 'The webhook watches this repository, but not this domain of its events.',
  'private-not-visible': 'The repository is private and the owner of the webhook cannot read it.',
  disabled: 'The webhook is disabled.',
  suspended: 'The webhook is suspended after repeated failure; enabling it lifts that.',
  'offline-target-blocked':
    'The URL of the webhook is an address that this sandbox does not call: start it with --allow-network to reach public ones.',
  'quota-exceeded': 'The webhook was triggered as often as its quota allows within 24 hours.',
}

/** A delivery that waits since its owner wants it so. */
export const explainHeld = 'The webhook is held: release it to send what waits.'
/** A delivery that waits and whose webhook is not held. */
export const explainLackOfRoom =
  'It waits for room: so many deliveries are to be sent that this one is let go later.'

const errorClasses: Record<DeliveryErrorClass, string> = {
  dns_error: 'The name of the receiver could not be resolved: is it spelled right, and known here?',
  connection_refused:
    'Nothing listens at this address and port: start the receiver, or correct the URL.',
  connection_reset:
    'The receiver closed the connection before it had answered: its log should tell why.',
  network_unreachable: 'There is no route to this address from here.',
  connect_timeout:
    'No connection came about in time: a firewall drops packets, or the address is not in use.',
  timeout:
    'The answer was not complete before the deadline. Answer 2xx at once and do the work afterwards.',
  tls_error:
    'The certificate or the TLS handshake was refused. For a self-signed certificate, let the webhook accept it.',
  http_status: 'Only a 2xx status counts as received.',
  redirect: 'Redirects are not followed: put the final address into the webhook.',
  protocol_error:
    'What came back is not HTTP: does the port speak TLS, or belong to something else?',
  blocked_target:
    'This sandbox calls loopback and private addresses only, never its own port; --allow-network opens public ones.',
  sender_fault:
    'The sandbox was the cause, not the receiver: a fault rule, or a webhook that cannot be sent to as it stands. It does not count.',
  aborted_by_shutdown:
    'The sandbox was stopped meanwhile; the delivery goes on at the next start, a replay does not.',
  job_failed: 'The job ended with an exit code other than 0: see its logs.',
}

/** Of a job that failed otherwise: it could not be started, took too long, was ended or cancelled. */
const jobWithoutExitCode =
  'The job did not come to an end of its own, so there is no exit code: the message says why, and its logs may say more.'

/** Why a webhook got no delivery of an event, as a sentence for its user. */
export function explainSkip(reason: SkipReason): string {
  return skipReasons[reason]
}

/** What went wrong with an attempt and what helps, as a sentence for the user. */
export function explainAttempt(
  attempt: Pick<Attempt, 'error' | 'note' | 'outcome' | 'source' | 'status'>,
): string | undefined {
  const { error, status } = attempt
  if (error?.class === 'job_failed' && status === undefined) return jobWithoutExitCode
  if (error !== undefined) return errorClasses[error.class]
  if (attempt.note !== undefined) return `${attempt.note} The status decides all the same.`
  if (attempt.outcome !== 'unknown') return undefined
  const unknown = 'The sandbox was stopped during this attempt: whether it arrived is not known'
  return attempt.source === 'replay'
    ? `${unknown}. A replay is not repeated.`
    : `${unknown}, so it is repeated.`
}
