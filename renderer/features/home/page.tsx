import type { ReactNode } from 'react'
import { Link } from 'wouter'
import type { Overview } from '../../../server/contract/control-health.ts'
import { useOpenFindings } from '../../api/advice.ts'
import { useOverview } from '../../api/overview.ts'
import { Badge } from '../../ui/badge.tsx'
import { CopyableId } from '../../ui/copy.tsx'
import { later } from '../../ui/later.tsx'
import { Page } from '../../ui/page.tsx'
import { Part } from '../../ui/part.tsx'
import { QueryView } from '../../shared/query-view.tsx'
import { plural } from '../../lib/format.ts'
import { TriggerRow } from './trigger-row.tsx'
import { words } from './words.ts'

const FirstMinute = later(async () => (await import('./first-minute/first-minute.tsx')).FirstMinute)
const StatusPanels = later(
  async () => (await import('./status/panels.tsx')).StatusPanels,
  'the status',
)

interface HomePageProps {
  /** Starts a first sign-in. */
  firstSignIn: ReactNode
  newestDeliveries: ReactNode
  newestTokens: ReactNode
}

/** Shows on one screen how the last sign-in and the webhooks are, and the newest deliveries and tokens. */
export function HomePage({ firstSignIn, ...newest }: HomePageProps) {
  const overview = useOverview()
  return (
    <Page
      title="Home"
      full="wide"
      lead={overview.data && <Contents counts={overview.data.counts} />}
      actions={
        overview.data && (
          <div className="flex flex-col gap-1 sm:items-end">
            <Address url={overview.data.baseUrl} />
            <Findings />
          </div>
        )
      }
    >
      <QueryView query={overview} what="the overview">
        {(data) => (
          <div className="flex flex-col gap-4 xl:min-h-0 xl:flex-1 xl:gap-3">
            <Part quiet>
              <FirstMinute data={data} signIn={firstSignIn} />
            </Part>
            <TriggerRow />
            <Part>
              <StatusPanels data={data} {...newest} />
            </Part>
          </div>
        )}
      </QueryView>
    </Page>
  )
}

/** Address of the sandbox, which is also the issuer. */
function Address({ url }: { url: string }) {
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1 rounded-lg border border-line bg-surface px-3 py-1 text-sm">
      <CopyableId text={url} what="Address" shown={url} />
      <Link href="/connect" className="text-xs text-muted underline underline-offset-2">
        {words.clientSettings}
      </Link>
    </div>
  )
}

/** Mistakes that the checks have found, in one line; nothing without one. */
function Findings() {
  const count = useOpenFindings()
  if (count === 0) return null
  return (
    <p className="text-sm">
      <Link href="/findings" className="inline-flex rounded-md hover:underline">
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
