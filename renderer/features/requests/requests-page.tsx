import { Link, Redirect, useLocation } from 'wouter'
import type { RequestItem } from '../../../server/contract/control-requests.ts'
import { apiAddress } from '../../api/client.ts'
import { useLiveHistory } from '../../api/live-history.ts'
import { useWholeList } from '../../api/query.ts'
import { buttonClass } from '../../components/button.tsx'
import { TextInput } from '../../components/field.tsx'
import { Icon } from '../../components/icon.tsx'
import { Page, Panel } from '../../components/page.tsx'
import { QueryView } from '../../components/query-view.tsx'
import { Empty, MoreThanShown } from '../../components/states.tsx'
import { Switch } from '../../components/switch.tsx'
import { Ago } from '../../components/time.tsx'
import { useFlag, useParameter, useParameterText } from '../../lib/parameters.ts'
import { RequestDialog } from './request-dialog.tsx'
import { RequestRows } from './request-rows.tsx'

/** Sign-ins once were a view of this page, which links and bookmarks still name. */
const views = ['', 'sign-ins'] as const

export function RequestsPage({ requestId }: { requestId: string | undefined }) {
  const [, navigate] = useLocation()
  const [view] = useParameter('view', views)
  const [path, setPath] = useParameter('path')
  const [refused, setRefused] = useFlag('refused')
  const search = useParameterText()
  const open = ({ id }: RequestItem) => navigate(`/requests/${id}${search}`)
  if (view === 'sign-ins') return <Redirect to="/sign-ins" replace />
  return (
    <Page
      title="Requests"
      lead="What clients asked of the sandbox and what it answered; a refusal says why."
      actions={
        <>
          <Link href="/sign-ins" className={buttonClass()}>
            <Icon name="flow" /> By sign-in
          </Link>
          <a
            href={apiAddress('GET requests.har')}
            download="hub-sandbox.har"
            className={buttonClass()}
          >
            <Icon name="external" /> Export HAR
          </a>
        </>
      }
    >
      <div className="flex flex-wrap items-center gap-2 pb-3">
        <TextInput
          type="search"
          aria-label="Filter requests by path"
          placeholder="Path contains…"
          className="w-56! max-w-full"
          value={path}
          onChange={(event) => setPath(event.target.value)}
        />
        <Switch checked={refused} onChange={setRefused}>
          Only refused
        </Switch>
      </div>
      <Requests path={path} refused={refused} onOpen={open} />
      {requestId && <RequestDialog id={requestId} onClose={() => navigate(`/requests${search}`)} />}
    </Page>
  )
}

function Requests({
  path,
  refused,
  onOpen,
}: {
  path: string
  refused: boolean
  onOpen: (request: RequestItem) => void
}) {
  const requests = useWholeList('GET requests', {
    path,
    refused: refused ? '1' : undefined,
  })
  const reset = useLiveHistory().find((entry) => entry.type === 'sandbox.reset')
  return (
    <QueryView query={requests} what="requests">
      {({ items, cut }) => (
        <Panel flush>
          {items.length > 0 ? (
            <RequestRows requests={items} onOpen={onOpen} />
          ) : (
            <Empty
              icon="request"
              title={path || refused ? 'No request matches' : 'No requests yet'}
            >
              {reset && (
                <p>
                  {reset.data.snapshot === undefined
                    ? 'The log was erased by the reset'
                    : `The log was erased when ${reset.data.snapshot} was restored`}{' '}
                  <Ago time={reset.time} />.
                </p>
              )}
              Point a client at the sandbox: the overview has the environment for it.
            </Empty>
          )}
          {cut && <MoreThanShown shown={items.length} />}
        </Panel>
      )}
    </QueryView>
  )
}
