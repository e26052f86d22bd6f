import type { ReactNode } from 'react'
import { Link } from 'wouter'
import type { Overview } from '../../../server/contract/control-health.ts'
import { useOpenFindings } from '../../api/advice.ts'
import { useTrigger } from '../../api/events.ts'
import { useOverview } from '../../api/overview.ts'
import { useRepos } from '../../api/repos.ts'
import { useWebhookName, useWebhooks } from '../../api/webhooks.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { CopyableId } from '../../ui/copy.tsx'
import { Facts } from '../../ui/facts.tsx'
import { later } from '../../ui/later.tsx'
import { Page, Panel } from '../../ui/page.tsx'
import { Part } from '../../ui/part.tsx'
import { QueryView } from '../../shared/query-view.tsx'
import { notify } from '../../ui/toast.tsx'
import { formatDateTime, plural } from '../../lib/format.ts'
import { omitUndefined } from '../../lib/omit-undefined.ts'
import { preferredRepo } from '../../lib/preferred-repo.ts'
import { repoAddress } from '../../lib/repo-address.ts'
import { describeDeliveries } from '../../shared/trigger-outcome.ts'
import { ClientSettings } from './client-settings.tsx'
import { FirstSteps } from './first-steps.tsx'
import { words } from './words.ts'

const StatusPanels = later(
  async () => (await import('./status/panels.tsx')).StatusPanels,
  'the status',
)
const Timeline = later(async () => (await import('./list/timeline.tsx')).Timeline, 'the activity')

/** @param firstSteps how to see a first sign-in */
export function OverviewPage({ firstSteps }: { firstSteps?: ReactNode }) {
  const overview = useOverview()
  return (
    <Page title="Overview" lead="A local stand-in for the Hub's sign-in and webhooks.">
      <QueryView query={overview} what="the overview">
        {(data) => (
          <div className="flex flex-col gap-4">
            <Part>
              <StatusPanels data={data} />
            </Part>
            <Findings />
            <Contents counts={data.counts} />
            <div className="grid items-start gap-4 lg:grid-cols-[1.6fr_1fr]">
              <div className="flex min-w-0 flex-col gap-4">
                <FirstSteps data={data} signIn={firstSteps} />
                <Part>
                  <Timeline density={data.requestDensity} />
                </Part>
              </div>
              <div className="flex min-w-0 flex-col gap-4">
                <ClientSettings environment={data.environment} commandLine={data.commandLine} />
                <QuickTriggers />
                <Server data={data} />
              </div>
            </div>
          </div>
        )}
      </QueryView>
    </Page>
  )
}

/** Mistakes that the checks have found, in one line; nothing without one. */
function Findings() {
  const count = useOpenFindings()
  if (count === 0) return null
  return (
    <p className="text-sm">
      <Link href="/checks" className="inline-flex rounded-md hover:underline">
        <Badge tone="bad" icon="warning">
          {count === 1 ? 'The checks found a mistake' : `The checks found ${count} mistakes`}
        </Badge>
      </Link>
    </p>
  )
}

/** Numbers of things, as links to their pages. */
function Contents({ counts }: { counts: Overview['counts'] }) {
  const items = [
    [plural(counts.activeTokens, 'active token'), '/tokens?state=active'],
    [plural(counts.apps, 'app'), '/apps'],
    [plural(counts.requests, 'request'), '/requests'],
    [plural(counts.deliveries, 'delivery', words.deliveries), '/deliveries'],
    [plural(counts.webhooks, 'webhook'), '/webhooks'],
    [plural(counts.users, 'user'), '/people'],
    [plural(counts.repos, 'repo'), '/repos'],
  ] as const
  return (
    <ul aria-label="Contents" className="flex flex-wrap gap-x-1 text-sm text-muted">
      {items.map(([text, href]) => (
        <li key={href} className="flex gap-x-1 not-last:after:content-['·']">
          <Link href={href} className="rounded hover:text-ink hover:underline">
            {text}
          </Link>
        </li>
      ))}
    </ul>
  )
}

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

function QuickTriggers() {
  const repos = useRepos().data?.items
  const webhooks = useWebhooks().data?.items
  const trigger = useTrigger()
  const webhookName = useWebhookName()
  const repo = preferredRepo(repos ?? [], webhooks ?? [])
  if (!repo) return null
  const address = repoAddress(repo)
  return (
    <Panel title="Trigger an event" lead={<>Makes real changes to {address}. Press t for more.</>}>
      <div className="flex flex-wrap gap-1.5">
        {quick.map(({ event, kind, label, done }) => (
          <Button
            key={label}
            busy={trigger.isPending}
            onClick={() =>
              trigger.mutate(omitUndefined({ event, repo: address, kind: kind || undefined }), {
                onSuccess: (result) => notify(done, describeDeliveries(result, webhookName)),
              })
            }
          >
            {label}
          </Button>
        ))}
      </div>
    </Panel>
  )
}

function Server({ data }: { data: Overview }) {
  return (
    <Panel title="Server">
      <Facts
        items={[
          ['Issuer', <CopyableId key="i" text={data.baseUrl} what="Issuer" shown={data.baseUrl} />],
          ...(data.backChannelUrl === undefined
            ? []
            : [
                [
                  'Back channel',
                  <CopyableId
                    key="b"
                    text={data.backChannelUrl}
                    what="Back channel"
                    shown={data.backChannelUrl}
                  />,
                ] as const,
              ]),
          ['Version', data.version],
          ['Started', formatDateTime(data.startedAt)],
          [
            'Fixtures',
            <span key="f" className="font-mono text-xs break-all">
              {data.fixturesSource}
            </span>,
          ],
          [
            'Deliveries',
            <>
              profile <Badge key="p">{data.deliveryProfile}</Badge>
            </>,
          ],
          ['Rate limits', data.rateLimits ? 'enforced' : 'headers only, not enforced'],
          ['Large files', data.largeFiles === 'xet' ? 'by Xet, as on the Hub' : 'by Git LFS alone'],
          ['Strict', data.strict ? 'on: follow the specs strictly' : 'off (same as the Hub)'],
          [
            'Network',
            data.networkAllowed
              ? 'public addresses allowed'
              : 'offline: this machine and private addresses only',
          ],
        ]}
      />
    </Panel>
  )
}
