import type { ComponentType } from 'react'
import { Link, Redirect, Route, Switch, useLocation } from 'wouter'
import { buttonClass } from '../ui/button.tsx'
import { repoTypes } from '../../server/contract/words/hub-words.ts'
import { useParameterText } from '../lib/parameters.ts'
import { later } from '../ui/later.tsx'
import { Page } from '../ui/page.tsx'
import { Part } from '../ui/part.tsx'
import { Empty } from '../ui/states.tsx'
import { movedPages } from '../../server/contract/dashboard-pages.ts'
import { HomePage } from '../features/home/page.tsx'

const page = <Props extends object>(load: () => Promise<ComponentType<Props>>) =>
  later(load, 'the page')

// Loaded right after the first page, in one file with the overlays of the shell.
const SignInsPage = page(async () => (await import('../features/sign-ins/page.tsx')).SignInsPage)
const DemoBar = later(async () => (await import('../features/demos/bar.tsx')).DemoBar)
const DemoButtons = later(async () => (await import('../features/demos/buttons.tsx')).DemoButtons)
const FirstDemo = later(async () => (await import('../features/demos/buttons.tsx')).FirstDemo)
const ActivityPage = page(
  async () => (await import('../features/home/activity-page.tsx')).ActivityPage,
)
const ClientSettingsPage = page(
  async () => (await import('../features/home/client-settings-page.tsx')).ClientSettingsPage,
)
const NewestDeliveries = later(
  async () => (await import('../features/deliveries/list/newest-deliveries.tsx')).NewestDeliveries,
)
const NewestTokens = later(
  async () => (await import('../features/tokens/list/newest-tokens.tsx')).NewestTokens,
)
const AllTokensPage = page(async () => (await import('./all-tokens-page.tsx')).AllTokensPage)
const DevicesPage = page(async () => (await import('../features/devices/page.tsx')).DevicesPage)
const AppsPage = page(async () => (await import('../features/apps/page.tsx')).AppsPage)
const ConsentsPage = page(async () => (await import('../features/consents/page.tsx')).ConsentsPage)
const PublishersPage = page(
  async () => (await import('../features/publishers/page.tsx')).PublishersPage,
)
const AgentsPage = page(async () => (await import('../features/agents/page.tsx')).AgentsPage)
const SpaceFramesPage = page(
  async () => (await import('../features/space-frames/page.tsx')).SpaceFramesPage,
)
const RequestsPage = page(async () => (await import('../features/requests/page.tsx')).RequestsPage)
const AllDeliveriesPage = page(
  async () => (await import('./all-deliveries-page.tsx')).AllDeliveriesPage,
)
const WebhooksPage = page(async () => (await import('../features/webhooks/page.tsx')).WebhooksPage)
const WebhookActivityPage = page(
  async () => (await import('./webhook-activity-page.tsx')).WebhookActivityPage,
)
const IssuesPage = page(async () => (await import('../features/home/issues-page.tsx')).IssuesPage)
const JobsPage = page(async () => (await import('../features/jobs/page.tsx')).JobsPage)
const ScheduledJobsPage = page(
  async () => (await import('../features/scheduled-jobs/page.tsx')).ScheduledJobsPage,
)
const CollectionsPage = page(
  async () => (await import('../features/collections/page.tsx')).CollectionsPage,
)
const InferencePage = page(
  async () => (await import('../features/requests/inference-page.tsx')).InferencePage,
)
const EndpointsPage = page(
  async () => (await import('../features/endpoints/page.tsx')).EndpointsPage,
)
const PeoplePage = page(async () => (await import('../features/people/page.tsx')).PeoplePage)
const UserPage = page(
  async () => (await import('../features/people/detail/user-page.tsx')).UserPage,
)
const AuditLogPage = page(async () => (await import('../features/audit-log/page.tsx')).AuditLogPage)
const ReposPage = page(async () => (await import('../features/repos/page.tsx')).ReposPage)
const FindingsPage = page(async () => (await import('../features/findings/page.tsx')).FindingsPage)
const RulePage = page(
  async () => (await import('../features/findings/detail/rule-page.tsx')).RulePage,
)
const ModulePage = page(
  async () => (await import('../features/findings/detail/module-page.tsx')).ModulePage,
)
const FaultsPage = page(async () => (await import('../features/faults/page.tsx')).FaultsPage)
const ExperimentsPage = page(
  async () => (await import('../features/faults/experiments-page.tsx')).ExperimentsPage,
)
const AuditsPage = page(async () => (await import('../features/audits/page.tsx')).AuditsPage)
const RepoPage = page(async () => (await import('../features/repos/detail/repo-page.tsx')).RepoPage)
const BucketPage = page(
  async () => (await import('../features/repos/detail/bucket-page.tsx')).BucketPage,
)
const SettingsPage = page(async () => (await import('../features/settings/page.tsx')).SettingsPage)
const SnapshotPage = page(
  async () => (await import('../features/settings/detail/snapshot-page.tsx')).SnapshotPage,
)

export function Pages() {
  const [, page = ''] = useLocation()[0].split('/')
  return (
    // A failed page must not affect the next one.
    <Part key={page}>
      <Switch>
        <Route path="/">
          {() => (
            <HomePage
              firstSignIn={
                <Part quiet>
                  <FirstDemo />
                </Part>
              }
              newestDeliveries={
                <Part quiet>
                  <NewestDeliveries />
                </Part>
              }
              newestTokens={
                <Part quiet>
                  <NewestTokens />
                </Part>
              }
            />
          )}
        </Route>
        <Route path="/activity" component={ActivityPage} />
        <Route path="/connect" component={ClientSettingsPage} />
        <Route path="/sign-ins/:id?/:step?">
          {({ id, step }) => (
            <SignInsPage
              flowId={id && decodeURIComponent(id)}
              stepId={step && decodeURIComponent(step)}
              demos={{
                buttons: <DemoButtons fold="Run a demo" />,
                first: <DemoButtons />,
                bar: <DemoBar />,
              }}
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
        <Route path="/consents" component={ConsentsPage} />
        <Route path="/publishers" component={PublishersPage} />
        <Route path="/agents" component={AgentsPage} />
        <Route path="/space-frames/:id?">
          {({ id }) => <SpaceFramesPage id={id && decodeURIComponent(id)} />}
        </Route>
        <Route path="/people" component={PeoplePage} />
        <Route path="/people/:username">
          {({ username }) => <UserPage username={decodeURIComponent(username)} />}
        </Route>
        <Route path="/organizations/:name/audit-log">
          {({ name }) => <Redirect to={`/audit-log?organization=${name}`} />}
        </Route>
        <Route path="/audit-log" component={AuditLogPage} />
        <Route path="/repos" component={ReposPage} />
        <Route path="/repos/:type/:namespace/:name">
          {({ type, namespace, name }) => {
            const known = repoTypes.find((candidate) => candidate === type)
            if (type === 'bucket') {
              const bucket = `${decodeURIComponent(namespace)}/${decodeURIComponent(name)}`
              return <BucketPage key={bucket} name={bucket} />
            }
            if (known === undefined) return <NotFound />
            const place = {
              type: known,
              namespace: decodeURIComponent(namespace),
              name: decodeURIComponent(name),
            }
            return <RepoPage key={`${type}/${namespace}/${name}`} place={place} />
          }}
        </Route>
        <Route path="/issues" component={IssuesPage} />
        <Route path="/jobs/:id?">{({ id }) => <JobsPage jobId={id} />}</Route>
        <Route path="/scheduled-jobs" component={ScheduledJobsPage} />
        <Route path="/collections/:id?">{({ id }) => <CollectionsPage collectionId={id} />}</Route>
        <Route path="/inference/:id?">{({ id }) => <InferencePage requestId={id} />}</Route>
        <Route path="/endpoints/:id?">{({ id }) => <EndpointsPage endpointId={id} />}</Route>
        <Route path="/requests/:id?">{({ id }) => <RequestsPage requestId={id} />}</Route>
        <Route path="/findings" component={FindingsPage} />
        <Route path="/findings/rules/:area/:name">
          {({ area, name }) => <RulePage id={`${area}/${name}`} />}
        </Route>
        <Route path="/findings/modules/:area/:name">
          {({ area, name }) => <ModulePage id={`${area}/${name}`} />}
        </Route>
        <Route path="/experiments" component={ExperimentsPage} />
        <Route path="/faults" component={FaultsPage} />
        <Route path="/audits/:id?">{({ id }) => <AuditsPage auditId={id} />}</Route>
        <Route path="/snapshots/:name">
          {({ name }) => <SnapshotPage name={decodeURIComponent(name)} />}
        </Route>
        <Route path="/settings" component={SettingsPage} />
        {[...movedPages].map(([from, to]) => (
          <Route key={from} path={`${from}/*?`}>
            {({ '*': rest }) => <Moved to={rest ? `${to}/${rest}` : to} />}
          </Route>
        ))}
        <Route component={NotFound} />
      </Switch>
    </Part>
  )
}

/** Leads from a former address to today's, with the same query. */
function Moved({ to }: { to: string }) {
  return <Redirect to={`${to}${useParameterText()}`} replace />
}

function NotFound() {
  return (
    <Page title="Not found">
      <Empty
        icon="search"
        title="Page not found"
        actions={
          <Link href="/" className={buttonClass('primary')}>
            Go to Home
          </Link>
        }
      />
    </Page>
  )
}
