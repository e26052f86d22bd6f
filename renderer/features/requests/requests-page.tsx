import { useLocation, useSearchParams } from 'wouter'
import type {
  FlowList,
  RequestItem,
  RequestList,
} from '../../../server/contract/control-requests.ts'
import { useRead } from '../../api/query.ts'
import { buttonClass } from '../../components/button.tsx'
import { TextInput } from '../../components/field.tsx'
import { Icon } from '../../components/icon.tsx'
import { Page, Panel } from '../../components/page.tsx'
import { QueryView } from '../../components/query-view.tsx'
import { Segments } from '../../components/segments.tsx'
import { Empty } from '../../components/states.tsx'
import { Switch } from '../../components/switch.tsx'
import { FlowCard } from './flow-card.tsx'
import { RequestDialog } from './request-dialog.tsx'
import { RequestRows } from './request-rows.tsx'

type View = 'requests' | 'sign-ins'

const shownRequests = 300

export function RequestsPage({ requestId }: { requestId: string | undefined }) {
  const [, navigate] = useLocation()
  const [parameters, setParameters] = useSearchParams()
  const view: View = parameters.get('view') === 'sign-ins' ? 'sign-ins' : 'requests'
  const search = parameters.size > 0 ? `?${parameters}` : ''
  const open = ({ id }: RequestItem) => navigate(`/requests/${id}${search}`)
  const set = (name: string, value: string | undefined) =>
    setParameters(
      (current) => {
        const next = new URLSearchParams(current)
        if (value) next.set(name, value)
        else next.delete(name)
        return next
      },
      { replace: true },
    )
  return (
    <Page
      title="Requests"
      lead="What clients asked of the sandbox and what it answered; a refusal says why."
      actions={
        <a
          href={`${import.meta.env.BASE_URL}api/requests.har`}
          download="hub-sandbox.har"
          className={buttonClass()}
        >
          <Icon name="external" /> Export HAR
        </a>
      }
    >
      <div className="flex flex-wrap items-center gap-2 pb-3">
        <Segments<View>
          label="Show"
          value={view}
          onChange={(next) => set('view', next === 'requests' ? undefined : next)}
          options={[
            { value: 'requests', label: 'Every request' },
            { value: 'sign-ins', label: 'By sign-in' },
          ]}
        />
        {view === 'requests' && (
          <>
            <TextInput
              type="search"
              aria-label="Filter requests by path"
              placeholder="Path contains…"
              className="w-56! max-w-full"
              value={parameters.get('path') ?? ''}
              onChange={(event) => set('path', event.target.value)}
            />
            <Switch
              checked={parameters.has('refused')}
              onChange={(checked) => set('refused', checked ? '1' : undefined)}
            >
              Only refused
            </Switch>
          </>
        )}
      </div>
      {view === 'requests' ? (
        <Requests
          path={parameters.get('path') ?? ''}
          refused={parameters.has('refused')}
          onOpen={open}
        />
      ) : (
        <Flows onOpen={open} />
      )}
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
  const requests = useRead<RequestList>('requests', '', {
    query: { path, limit: shownRequests, ...(refused && { refused: '1' }) },
  })
  return (
    <QueryView query={requests} what="requests">
      {({ items, nextCursor }) => (
        <Panel flush>
          {items.length > 0 ? (
            <RequestRows requests={items} onOpen={onOpen} />
          ) : (
            <Empty
              icon="request"
              title={path || refused ? 'No request matches' : 'No requests yet'}
            >
              Point a client at the sandbox: the overview has the environment for it.
            </Empty>
          )}
          {nextCursor && (
            <p className="px-3 py-2 text-xs text-faint">
              The latest {shownRequests} are shown; narrow the filter, or export them all.
            </p>
          )}
        </Panel>
      )}
    </QueryView>
  )
}

function Flows({ onOpen }: { onOpen: (request: RequestItem) => void }) {
  const flows = useRead<FlowList>('flows', '', { query: { limit: 100 } })
  return (
    <QueryView query={flows} what="sign-ins">
      {({ items }) =>
        items.length > 0 ? (
          <ul className="flex flex-col gap-3">
            {items.map((flow) => (
              <FlowCard key={flow.id} flow={flow} onOpen={onOpen} />
            ))}
          </ul>
        ) : (
          <Panel flush>
            <Empty icon="request" title="Nobody has signed in yet">
              The requests of one sign-in are shown together, with what is missing where it stopped.
            </Empty>
          </Panel>
        )
      }
    </QueryView>
  )
}
