import { Link, Redirect, Route, Switch, useLocation } from 'wouter'
import { buttonClass } from '../ui/button.tsx'
import { repoTypes } from '../../server/contract/words/hub.ts'
import { later } from '../ui/later.tsx'
import { Page } from '../ui/page.tsx'
import { Part } from '../ui/part.tsx'
import { Empty } from '../ui/states.tsx'
import { OverviewPage } from '../features/overview/page.tsx'

// They come right after what is seen first, in one file with the overlays of the shell.
const SignInsPage = later(
  async () => (await import('../features/sign-ins/page.tsx')).SignInsPage,
  'the page',
)
const DemoBar = later(async () => (await import('../features/demos/bar.tsx')).DemoBar)
const DemoButtons = later(async () => (await import('../features/demos/buttons.tsx')).DemoButtons)
const FirstTry = later(async () => (await import('../features/demos/buttons.tsx')).FirstTry)
const AllTokensPage = later(
  async () => (await import('./all-tokens-page.tsx')).AllTokensPage,
  'the page',
)
const DevicesPage = later(
  async () => (await import('../features/devices/page.tsx')).DevicesPage,
  'the page',
)
const AppsPage = later(async () => (await import('../features/apps/page.tsx')).AppsPage, 'the page')
const ConnectedPage = later(
  async () => (await import('../features/connected-apps/page.tsx')).ConnectedPage,
  'the page',
)
const RequestsPage = later(
  async () => (await import('../features/requests/page.tsx')).RequestsPage,
  'the page',
)
const AllDeliveriesPage = later(
  async () => (await import('./all-deliveries-page.tsx')).AllDeliveriesPage,
  'the page',
)
const WebhooksPage = later(
  async () => (await import('../features/webhooks/page.tsx')).WebhooksPage,
  'the page',
)
const WebhookActivityPage = later(
  async () => (await import('./webhook-activity-page.tsx')).WebhookActivityPage,
  'the page',
)
const JobsPage = later(async () => (await import('../features/jobs/page.tsx')).JobsPage, 'the page')
const PeoplePage = later(
  async () => (await import('../features/people/page.tsx')).PeoplePage,
  'the page',
)
const AuditLogPage = later(
  async () => (await import('../features/audit-log/page.tsx')).AuditLogPage,
  'the page',
)
const ReposPage = later(
  async () => (await import('../features/repos/page.tsx')).ReposPage,
  'the page',
)
const FaultsPage = later(
  async () => (await import('../features/faults/page.tsx')).FaultsPage,
  'the page',
)
const RepoPage = later(
  async () => (await import('../features/repos/detail/repo-page.tsx')).RepoPage,
  'the page',
)
const SettingsPage = later(
  async () => (await import('../features/settings/page.tsx')).SettingsPage,
  'the page',
)
const SnapshotPage = later(
  async () => (await import('../features/settings/detail/snapshot-page.tsx')).SnapshotPage,
  'the page',
)

export function Pages() {
  const [, page = ''] = useLocation()[0].split('/')
  return (
    // A page that failed is none of the next one's business.
    <Part key={page}>
      <Switch>
        <Route path="/">
          {() => (
            <OverviewPage
              firstSteps={
                <Part quiet>
                  <FirstTry />
                </Part>
              }
            />
          )}
        </Route>
        <Route path="/sign-ins/:id?/:step?">
          {({ id, step }) => (
            <SignInsPage
              flowId={id && decodeURIComponent(id)}
              stepId={step && decodeURIComponent(step)}
              demos={{ buttons: <DemoButtons fold />, first: <DemoButtons />, bar: <DemoBar /> }}
            />
          )}
        </Route>
        <Route path="/tokens/:id?">{({ id }) => <AllTokensPage tokenId={id} />}</Route>
        <Route path="/devices" component={DevicesPage} />
        <Route path="/deliveries/:id?">{({ id }) => <AllDeliveriesPage deliveryId={id} />}</Route>
        <Route path="/webhooks" component={WebhooksPage} />
        <Route path="/webhooks/:id/activity/:delivery?">
          {({ id, delivery }) => <WebhookActivityPage id={id} deliveryId={delivery} />}
        </Route>
        <Route path="/webhooks/:id">
          {({ id }) => <Redirect to={`/webhooks/${id}/activity`} />}
        </Route>
        <Route path="/apps/:clientId?">
          {({ clientId }) => <AppsPage clientId={clientId && decodeURIComponent(clientId)} />}
        </Route>
        <Route path="/connected" component={ConnectedPage} />
        <Route path="/people" component={PeoplePage} />
        <Route path="/organizations/:name/audit-log">
          {({ name }) => <Redirect to={`/audit-log?organization=${name}`} />}
        </Route>
        <Route path="/audit-log" component={AuditLogPage} />
        <Route path="/repos" component={ReposPage} />
        <Route path="/repos/:type/:namespace/:name">
          {({ type, namespace, name }) => {
            const known = repoTypes.find((candidate) => candidate === type)
            if (known === undefined) return <NotFound />
            const place = {
              type: known,
              namespace: decodeURIComponent(namespace),
              name: decodeURIComponent(name),
            }
            return <RepoPage key={`${type}/${namespace}/${name}`} place={place} />
          }}
        </Route>
        <Route path="/jobs/:id?">{({ id }) => <JobsPage jobId={id} />}</Route>
        <Route path="/requests/:id?">{({ id }) => <RequestsPage requestId={id} />}</Route>
        <Route path="/faults" component={FaultsPage} />
        <Route path="/snapshots/:name">
          {({ name }) => <SnapshotPage name={decodeURIComponent(name)} />}
        </Route>
        <Route path="/settings" component={SettingsPage} />
        <Route component={NotFound} />
      </Switch>
    </Part>
  )
}

function NotFound() {
  return (
    <Page title="Not found">
      <Empty
        icon="search"
        title="There is no such page"
        actions={
          <Link href="/" className={buttonClass('primary')}>
            To the overview
          </Link>
        }
      />
    </Page>
  )
}
