import { Link, useLocation } from 'wouter'
import type { AppItem } from '../../../../server/contract/control-apps.ts'
import { useRead, useWholeList } from '../../../api/query.ts'
import { FindingMark } from '../../../shared/finding-mark.tsx'
import { QueryView } from '../../../shared/query-view.tsx'
import { Badge } from '../../../ui/badge.tsx'
import { buttonClass } from '../../../ui/button.tsx'
import { CopyableId } from '../../../ui/copy.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { Page } from '../../../ui/page.tsx'
import { Tabs } from '../../../ui/tabs.tsx'
import { useParameter } from '../../../lib/parameters.ts'
import { flowsOf } from '../model/app-flows.ts'
import { words } from '../words.ts'
import { ConnectTab } from './connect-tab.tsx'
import { SettingsTab } from './settings-tab.tsx'
import { SignInsTab } from './sign-ins-tab.tsx'
import { TestsTab } from './tests-tab.tsx'

const tabs = ['connect', 'sign-ins', 'tests', 'settings'] as const

/** An app with the snippets that connect it, its sign-ins and its settings. */
export function AppPage({ clientId }: { clientId: string }) {
  const app = useRead('GET apps/:clientId', { params: { clientId } })
  return (
    <Page
      title={app.data?.name ?? words.app}
      lead={app.data && <Lead app={app.data} />}
      actions={
        <Link href="/apps" className={buttonClass()}>
          <Icon name="app" /> All apps
        </Link>
      }
    >
      <QueryView query={app} what="this app">
        {(data) => <AppTabs key={data.clientId} app={data} />}
      </QueryView>
    </Page>
  )
}

function Lead({ app }: { app: AppItem }) {
  return (
    <span className="flex flex-wrap items-center gap-1.5">
      <CopyableId text={app.clientId} what="Client ID" head={18} tail={6} />
      {app.public ? (
        <Badge>{words.publicPkce}</Badge>
      ) : (
        <Badge icon="lock">{words.withASecret}</Badge>
      )}
      <FindingMark of={{ clientId: app.clientId }} />
      {app.organization && <Badge tone="warn">{words.onlyOrganization(app.organization)}</Badge>}
    </span>
  )
}

function AppTabs({ app }: { app: AppItem }) {
  const [, navigate] = useLocation()
  const [tab, setTab] = useParameter('tab', tabs)
  const flows = useWholeList('GET flows')
  const own = flows.data && flowsOf(flows.data.items, app)
  return (
    <Tabs
      label="Parts of the app"
      value={tab}
      onChange={setTab}
      tabs={[
        {
          value: 'connect',
          label: 'Connect',
          renderContent: () => <ConnectTab app={app} flows={own} />,
        },
        {
          value: 'sign-ins',
          label: words.signIns,
          ...(own && { count: own.length }),
          renderContent: () => (
            <QueryView query={flows} what="sign-ins">
              {() => <SignInsTab flows={own ?? []} onConnect={() => setTab('connect')} />}
            </QueryView>
          ),
        },
        {
          value: 'tests',
          label: 'Tests',
          renderContent: () => <TestsTab app={app} />,
        },
        {
          value: 'settings',
          label: 'Settings',
          // What is typed stays while another tab is open.
          keep: true,
          renderContent: () => <SettingsTab app={app} onDeleted={() => navigate('/apps')} />,
        },
      ]}
    />
  )
}
