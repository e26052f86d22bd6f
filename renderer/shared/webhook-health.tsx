import { Link } from 'wouter'
import type { WebhookHealth } from '../../server/contract/control-webhooks.ts'
import { plural } from '../lib/format.ts'
import { Moment } from '../ui/time.tsx'

/** Current failure of a webhook: count, start and last error. */
export function FailingNow({ health, webhookId }: { health: WebhookHealth; webhookId: string }) {
  if (health.state !== 'failing') return null
  const { failedAttempts, failingSince, lastError } = health
  return (
    <span>
      {plural(failedAttempts, 'attempt')} failed in a row
      {failingSince && (
        <>
          , since <Moment time={failingSince} />
        </>
      )}
      {lastError && (
        <>
          .{' '}
          <Link
            href={`/webhooks/${webhookId}/activity/${lastError.deliveryId}`}
            className="underline underline-offset-2"
          >
            Last error
          </Link>
          : {lastError.message}
        </>
      )}
    </span>
  )
}
