import { Link } from 'wouter'
import type { ReplayedMany } from '../../../../server/contract/control-deliveries.ts'
import type { DeliveryIssue } from '../../../../server/contract/control-summary.ts'
import { nameOfWebhook } from '../../../../server/contract/webhook-name.ts'
import { suspendedStatus } from '../../../../server/contract/words/webhook-words.ts'
import { useReplayIssue } from '../../../api/issues.ts'
import { useUpdateWebhook, useWebhookName } from '../../../api/webhooks.ts'
import { Badge } from '../../../ui/badge.tsx'
import { Button } from '../../../ui/button.tsx'
import { Moment } from '../../../ui/time.tsx'
import { notify, notifyFailure } from '../../../ui/toast.tsx'
import { formatCount, plural, shorten } from '../../../lib/format.ts'
import { issuePath } from '../model/delivery-failures.ts'
import { words } from '../words.ts'

function tellReplayed({
  succeeded,
  failed,
  refused,
}: Pick<ReplayedMany, 'succeeded' | 'failed' | 'refused'>): void {
  const outcome = `${formatCount(succeeded)} succeeded, ${formatCount(failed)} failed`
  const rest = refused > 0 ? `, ${formatCount(refused)} not sent` : ''
  const all = plural(succeeded + failed + refused, 'delivery', 'deliveries')
  notify(`${all} replayed`, `${outcome}${rest}`)
}

const tellNotReplayed = (error: unknown) => notifyFailure('Could not replay the deliveries', error)

/** Deliveries to one webhook that failed alike: the cause, since when, and buttons that replay them. */
export function IssueCard({ issue }: { issue: DeliveryIssue }) {
  const { webhookId, target, message, said, since, lastDeliveryId, awaitedSince } = issue
  const isAwaited = awaitedSince !== undefined
  const webhookName = useWebhookName()
  const name = shorten(webhookName(webhookId, nameOfWebhook(issue)), 40, 12)
  const replay = useReplayIssue()
  // The card is gone as soon as the live feed tells of the last delivery, which may be before the response.
  const replayAll = () => void replay.mutateAsync(issue).then(tellReplayed, tellNotReplayed)
  const update = useUpdateWebhook()
  return (
    <div className="flex flex-col gap-1.5 rounded-lg border border-line px-3 py-2 text-sm">
      <div className="flex items-center justify-between gap-2">
        <Link
          href={`/webhooks/${webhookId}/activity`}
          title={issue.name ?? target}
          className="min-w-0 truncate font-medium hover:underline"
        >
          {name}
        </Link>
        <StateBadge issue={issue} />
      </div>
      <p className="break-words">{message}</p>
      {said && (
        <p className="line-clamp-3 rounded bg-sunken px-2 py-1 font-mono text-xs break-all">
          <span className="sr-only">Response: </span>
          {said}
        </p>
      )}
      <p className="text-xs text-muted">
        <Link href={issuePath(issue)} className="underline underline-offset-2">
          {countsOf(issue)}
        </Link>{' '}
        · {attemptsOf(issue)} · {words.since} <Moment time={since} /> ·{' '}
        <Link
          href={`/webhooks/${webhookId}/activity/${lastDeliveryId}`}
          className="underline underline-offset-2"
        >
          Last delivery
          <span className="sr-only"> {name}</span>
        </Link>
      </p>
      <div className="flex flex-wrap gap-1.5">
        <Button size="small" icon="retry" busy={replay.isPending} onClick={replayAll}>
          Replay all
          <span className="sr-only"> {name}</span>
        </Button>
        {(isAwaited || issue.canBeAwaited) && (
          <Button
            size="small"
            icon={isAwaited ? 'cross' : 'clock'}
            busy={update.isPending}
            onClick={() => update.mutate({ id: webhookId, change: { replayWhenBack: !isAwaited } })}
          >
            {isAwaited ? 'Stop waiting' : 'Replay when back'}
            <span className="sr-only"> {name}</span>
          </Button>
        )}
      </div>
      {isAwaited && (
        <output className="text-xs text-muted">
          Waiting for the receiver since <Moment time={awaitedSince} />. You may close this page.
        </output>
      )}
    </div>
  )
}

function StateBadge({ issue: { webhookStatus, failing } }: { issue: DeliveryIssue }) {
  if (webhookStatus === suspendedStatus) {
    return (
      <Badge tone="bad" icon="warning">
        suspended
      </Badge>
    )
  }
  if (webhookStatus === 'disabled') return <Badge icon="minus">disabled</Badge>
  return failing > 0 ? (
    <Badge tone="warn" icon="retry">
      failing
    </Badge>
  ) : (
    <Badge tone="bad" icon="cross">
      failed
    </Badge>
  )
}

function countsOf({ failing, failed }: DeliveryIssue): string {
  const counts = [
    ...(failing > 0 ? [`${formatCount(failing)} failing`] : []),
    ...(failed > 0 ? [words.countFailed(formatCount(failed))] : []),
  ]
  return counts.join(', ')
}

function attemptsOf({ mostAttempts }: DeliveryIssue): string {
  return mostAttempts === 1 ? '1 attempt each' : `up to ${plural(mostAttempts, 'attempt')} each`
}
