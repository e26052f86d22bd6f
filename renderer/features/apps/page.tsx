import { ResourcePage } from '../../shared/resource-page.tsx'
import { useLocation } from 'wouter'
import type { AppItem } from '../../../server/contract/control-apps.ts'
import { formatCount } from '../../lib/format.ts'
import { useApps } from '../../api/apps.ts'
import { Badge } from '../../ui/badge.tsx'
import { Chips } from '../../ui/chips.tsx'
import { CopyableId } from '../../ui/copy.tsx'
import { FindingMark } from '../../shared/finding-mark.tsx'
import { Empty } from '../../ui/states.tsx'
import type { Column } from '../../ui/table.tsx'
import { AppPage } from './detail/app-page.tsx'
import { RegisterDialog } from './detail/register-dialog.tsx'
import { words } from './words.ts'
import { visibleControls } from '../../lib/visible-controls.ts'

const origins: Record<AppItem['origin'], string> = {
  settings: 'settings',
  registration: 'dynamic registration',
  'metadata-document': 'metadata document',
  space: words.space,
}

/** The apps, or one of them. */
export function AppsPage({ clientId }: { clientId: string | undefined }) {
  return clientId === undefined ? <AppList /> : <AppPage clientId={clientId} />
}

function AppList() {
  const apps = useApps()
  const [, navigate] = useLocation()
  const open = (app: AppItem, options = {}) =>
    navigate(`/apps/${encodeURIComponent(app.clientId)}`, options)
  const columns: Column<AppItem>[] = [
    {
      title: words.app,
      minWidth: 8,
      sortBy: ({ name }) => name,
      renderCell: (app) => (
        <span className="flex items-center gap-2">
          <button
            type="button"
            title={visibleControls(app.name)}
            className="min-w-0 truncate text-left font-medium hover:underline"
            onClick={(event) => {
              event.stopPropagation()
              open(app)
            }}
          >
            {visibleControls(app.name)}
          </button>
          <FindingMark of={{ clientId: app.clientId }} />
        </span>
      ),
    },
    {
      title: words.clientId,
      priority: 2,
      width: 9.5,
      sortBy: ({ clientId }) => clientId,
      renderCell: (app) => <CopyableId text={app.clientId} what="Client ID" />,
    },
    {
      title: 'Kind',
      width: 12,
      renderCell: (app) => (
        <span className="flex flex-wrap gap-1">
          <Badge icon={app.public ? undefined : 'lock'}>{app.public ? 'public' : 'secret'}</Badge>
          {app.privileges.map((privilege) => (
            <Badge key={privilege} tone="accent">
              {privilege}
            </Badge>
          ))}
          {app.organization && (
            <Badge tone="warn">{words.onlyOrganization(app.organization)}</Badge>
          )}
        </span>
      ),
    },
    {
      title: words.scopes,
      minWidth: 13,
      priority: 3,
      descendsFirst: true,
      sortBy: ({ scopes }) => scopes.length,
      renderCell: (app) => <Chips words={app.scopes} what="scopes" />,
    },
    {
      title: 'Source',
      width: 9,
      priority: 3,
      sortBy: ({ origin }) => origins[origin],
      renderCell: (app) => <span className="text-xs text-muted">{origins[app.origin]}</span>,
    },
    {
      title: 'Tokens',
      width: 5,
      align: 'right',
      descendsFirst: true,
      sortBy: ({ activeTokens }) => activeTokens,
      renderCell: (app) => formatCount(app.activeTokens),
    },
  ]
  return (
    <ResourcePage
      title={words.apps}
      lead="OAuth clients registered here."
      query={apps}
      what="apps"
      rowKey={(app) => app.clientId}
      columns={columns}
      onOpen={(app) => open(app)}
      renderEmpty={() => (
        <Empty icon="app" title="No apps yet">
          Register one, or let a client register itself (RFC 7591).
        </Empty>
      )}
      create={{
        label: words.registerApp,
        renderDialog: (close) => (
          <RegisterDialog onClose={close} onRegistered={(app) => open(app, { replace: true })} />
        ),
      }}
    />
  )
}
