import type { ReactNode } from 'react'
import { Link } from 'wouter'
import type { Overview } from '../../../server/contract/control-health.ts'
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
import { formatCount, formatDateTime } from '../../lib/format.ts'
import { omitUndefined } from '../../lib/omit-undefined.ts'
import { preferredRepo } from '../../lib/preferred-repo.ts'
import { repoAddress } from '../../lib/repo-address.ts'
import { describeDeliveries } from '../../shared/trigger-outcome.ts'
import { ClientSettings } from './client-settings.tsx'
import { FirstSteps } from './first-steps.tsx'

const Devices = later(async () => (await import('./devices.tsx')).Devices)
const Timeline = later(async () => (await import('./list/timeline.tsx')).Timeline, 'the timeline')

/** @param firstSteps how to see a sign-in where nobody has signed in yet */
export function OverviewPage({ firstSteps }: { firstSteps?: ReactNode }) {
  const overview = useOverview()
  return (
    <Page title="Overview" lead="A model hub’s sign-in and webhooks, on this machine alone.">
      <QueryView query={overview} what="the overview">
        {(data) => (
          <div className="flex flex-col gap-4">
            <Counts counts={data.counts} />
            <Part quiet>
              <Devices />
            </Part>
            <div className="grid items-start gap-4 lg:grid-cols-[1.25fr_1fr]">
              <Part>
                <Timeline firstSteps={<FirstSteps signIn={firstSteps} />} />
              </Part>
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

function Counts({ counts }: { counts: Overview['counts'] }) {
  const items = [
    ['Active tokens', counts.activeTokens, '/tokens?state=active'],
    ['Apps', counts.apps, '/apps'],
    ['Requests', counts.requests, '/requests'],
    ['Deliveries', counts.deliveries, '/deliveries'],
    ['Outstanding', counts.outstandingDeliveries, '/deliveries?state=waiting'],
    ['Webhooks', counts.webhooks, '/webhooks'],
    ['Users', counts.users, '/people'],
    ['Repos', counts.repos, '/repos'],
  ] as const
  return (
    <ul className="grid grid-cols-2 overflow-hidden rounded-xl border border-line bg-line sm:grid-cols-4 lg:grid-cols-8">
      {items.map(([label, count, href]) => (
        <li key={label} className="bg-surface [&:not(:last-child)]:shadow-[1px_1px_0_var(--line)]">
          <Link
            href={href}
            className="block px-4 py-3 hover:bg-hover focus-visible:-outline-offset-2"
          >
            <span className="block text-xl font-semibold tracking-tight">{formatCount(count)}</span>
            <span className="block truncate text-xs text-muted">{label}</span>
          </Link>
        </li>
      ))}
    </ul>
  )
}

const quick = [
  { event: 'repo.content', kind: 'push', label: 'Push a commit' },
  { event: 'discussion.create', kind: 'discussion', label: 'Open a discussion' },
  { event: 'discussion.create', kind: 'pull-request', label: 'Open a pull request' },
  { event: 'discussion.comment.create', kind: '', label: 'Comment' },
  { event: 'repo.config', kind: 'private', label: 'Make it private' },
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
    <Panel title="Cause something" lead={<>Real changes in {address}; press t for all events.</>}>
      <div className="flex flex-wrap gap-1.5">
        {quick.map(({ event, kind, label }) => (
          <Button
            key={label}
            busy={trigger.isPending}
            onClick={() =>
              trigger.mutate(omitUndefined({ event, repo: address, kind: kind || undefined }), {
                onSuccess: (result) =>
                  notify(`${label}: done`, describeDeliveries(result, webhookName)),
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
          ['Rate limits', data.rateLimits ? 'enforced' : 'headers only, nothing is refused'],
          ['Strict', data.strict ? 'on: none of the hub’s leniencies' : 'off, as the hub is'],
          [
            'Network',
            data.networkAllowed ? 'public addresses may be called' : 'offline: this machine only',
          ],
        ]}
      />
    </Panel>
  )
}
