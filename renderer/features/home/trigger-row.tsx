import { Link } from 'wouter'
import { useTrigger } from '../../api/events.ts'
import { useRepos } from '../../api/repos.ts'
import { useWebhookName, useWebhooks } from '../../api/webhooks.ts'
import { Button } from '../../ui/button.tsx'
import { Panel } from '../../ui/page.tsx'
import { omitUndefined } from '../../lib/omit-undefined.ts'
import { preferredRepo } from '../../lib/preferred-repo.ts'
import { repoAddress } from '../../lib/repo-address.ts'
import { describeDeliveries, linkToDeliveries } from '../../shared/trigger-outcome.ts'
import { later } from '../../ui/later.tsx'
import { Part } from '../../ui/part.tsx'
import { words } from './words.ts'

const ReceiveButton = later(
  async () => (await import('../../shared/receive-button.tsx')).ReceiveButton,
)

const quick = [
  { event: 'repo.content', kind: 'push', label: 'Push a commit', done: 'Commit pushed' },
  {
    event: 'discussion.create',
    kind: 'discussion',
    label: 'Open a discussion',
    done: 'Discussion opened',
  },
  {
    event: 'discussion.create',
    kind: 'pull-request',
    label: 'Open a pull request',
    done: 'Pull request opened',
  },
  { event: 'discussion.comment.create', kind: '', label: 'Comment', done: 'Comment added' },
  { event: 'repo.config', kind: 'private', label: 'Make it private', done: 'Repo made private' },
] as const

/** A button for each common event, and who received the last one. */
export function TriggerRow() {
  const repos = useRepos().data?.items
  const webhooks = useWebhooks().data?.items
  const trigger = useTrigger()
  const repo = preferredRepo(repos ?? [], webhooks ?? [])
  if (!repo) return null
  const address = repoAddress(repo)
  return (
    <Panel
      title={words.triggerAnEvent}
      actions={
        <span className="min-w-0 text-xs break-words text-muted">
          A real change of {address}. Press t for more.
        </span>
      }
    >
      <div className="flex flex-wrap items-center gap-1.5">
        {quick.map(({ event, kind, label }) => (
          <Button
            key={label}
            icon="trigger"
            busy={trigger.isPending}
            onClick={() =>
              trigger.mutate(omitUndefined({ event, repo: address, kind: kind || undefined }))
            }
          >
            {label}
          </Button>
        ))}
        <Outcome trigger={trigger} />
      </div>
    </Panel>
  )
}

/** Names the receivers of the event, with a link to exactly these deliveries; without a webhook it offers a sample one. */
function Outcome({ trigger: { data, variables } }: { trigger: ReturnType<typeof useTrigger> }) {
  const webhookName = useWebhookName()
  const done = quick.find(
    ({ event, kind }) => event === variables?.event && kind === (variables.kind ?? ''),
  )?.done
  const link = data && linkToDeliveries(data)
  return (
    <output className="flex min-w-60 flex-1 flex-wrap empty:min-w-0 items-center gap-x-2 text-sm text-muted">
      {data && (
        <>
          <span className="min-w-0 break-words">
            <span className="font-medium text-ink">{done}.</span>{' '}
            {describeDeliveries(data, webhookName)}
          </span>
          {link !== undefined && (
            <Link href={link.href} className="text-accent underline underline-offset-2">
              {link.label}
            </Link>
          )}
          {data.deliveries.length + data.skipped.length === 0 && (
            <Part quiet>
              <ReceiveButton size="small" />
            </Part>
          )}
        </>
      )}
    </output>
  )
}
