import { Link, useLocation } from 'wouter'
import type { AuditRunItem } from '../../../server/contract/control-audits.ts'
import { useApps } from '../../api/apps.ts'
import { isOpenAudit, useAudits } from '../../api/audits.ts'
import { AuditView } from '../../shared/audit-view.tsx'
import { QueryView } from '../../shared/query-view.tsx'
import { words as sharedWords } from '../../shared/words.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button, buttonClass } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Menu } from '../../ui/menu.tsx'
import { Page, Panel } from '../../ui/page.tsx'
import { Empty, Unknown } from '../../ui/states.tsx'
import { Table, type Column } from '../../ui/table.tsx'
import { Moment } from '../../ui/time.tsx'

/** The audits of apps and receivers, or the verdicts of one of them. */
export function AuditsPage({ auditId }: { auditId: string | undefined }) {
  const audits = useAudits()
  return (
    <Page
      title="Audits"
      lead="An audit signs in to an app, or sends to a receiver, as an attacker or a bad network would, and lists what it did not notice."
      actions={auditId === undefined ? <Start /> : <AllAudits />}
    >
      <QueryView query={audits} what="audits">
        {({ items }) =>
          auditId === undefined ? <AuditTable items={items} /> : <One items={items} id={auditId} />
        }
      </QueryView>
    </Page>
  )
}

function AllAudits() {
  return (
    <Link href="/audits" className={buttonClass()}>
      <Icon name="audit" /> All audits
    </Link>
  )
}

/** An audit begins at its app or webhook, which has its settings. */
function Start() {
  const [, navigate] = useLocation()
  const apps = useApps().data?.items ?? []
  return (
    <>
      {apps.length > 0 && (
        <Menu
          trigger={<Button icon="play">Audit an app</Button>}
          items={apps.slice(0, mostApps).map(({ clientId, name }) => ({
            label: name,
            onSelect: () => navigate(`/apps/${encodeURIComponent(clientId)}?tab=tests`),
          }))}
        />
      )}
      <Link href="/webhooks" className={buttonClass()}>
        <Icon name="webhook" /> Audit a receiver
      </Link>
    </>
  )
}

/** Apps in the menu; the page of apps has all of them. */
const mostApps = 12

function One({ items, id }: { items: readonly AuditRunItem[]; id: string }) {
  const audit = items.find((one) => one.id === id)
  if (audit !== undefined) return <AuditView audit={audit} />
  return (
    <Unknown title="Audit not found">{`No audit has the id ${id}. The newest 20 are kept until a reset.`}</Unknown>
  )
}

function AuditTable({ items }: { items: readonly AuditRunItem[] }) {
  const [, navigate] = useLocation()
  if (items.length === 0) {
    return (
      <Empty icon="audit" title="No audits yet">
        Start one under Tests of an app, or in the menu of a webhook.
      </Empty>
    )
  }
  const columns: Column<AuditRunItem>[] = [
    {
      title: 'Program',
      inCard: 'head',
      minWidth: 10,
      renderCell: (audit) => (
        <Link
          href={`/audits/${audit.id}`}
          title={audit.subject}
          className="font-medium hover:underline"
          onClick={(event) => event.stopPropagation()}
        >
          {audit.subject}
        </Link>
      ),
    },
    {
      title: 'Kind',
      width: 7,
      sortBy: ({ kind }) => kind,
      renderCell: ({ kind }) => <Badge>{kind}</Badge>,
    },
    {
      title: 'Plan',
      width: 7,
      priority: 2,
      sortBy: ({ plan }) => plan,
      renderCell: ({ plan }) => plan,
    },
    {
      title: 'State',
      width: 10,
      renderCell: (audit) => (
        <Badge tone={isOpenAudit(audit) ? 'accent' : 'neutral'}>
          {sharedWords.auditStates[audit.state]}
        </Badge>
      ),
    },
    {
      title: 'Failed',
      width: 7,
      renderCell: (audit) => <Failed audit={audit} />,
    },
    {
      title: 'Modules',
      width: 8,
      priority: 2,
      descendsFirst: true,
      sortBy: ({ verdicts }) => verdicts.length,
      renderCell: ({ verdicts, planned }) => `${verdicts.length} of ${planned.length}`,
    },
    {
      title: 'Started',
      width: 8,
      priority: 2,
      descendsFirst: true,
      sortBy: ({ startedAt }) => startedAt,
      renderCell: ({ startedAt }) => <Moment time={startedAt} />,
    },
  ]
  return (
    <Panel flush>
      <Table
        label="Audits"
        rows={items}
        rowKey={({ id }) => id}
        columns={columns}
        onOpen={({ id }) => navigate(`/audits/${id}`)}
      />
    </Panel>
  )
}

function Failed({ audit: { verdicts } }: { audit: AuditRunItem }) {
  const failed = verdicts.filter(({ outcome }) => outcome === 'failed').length
  if (failed > 0) return <Badge tone="bad" icon="cross">{`${failed} failed`}</Badge>
  return verdicts.length === 0 ? null : (
    <Badge tone="ok" icon="check">
      none
    </Badge>
  )
}
