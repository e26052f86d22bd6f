import { useLocation } from 'wouter'
import { QueryView } from '../../shared/query-view.tsx'
import { Button } from '../../ui/button.tsx'
import { ListAndPanel } from '../../ui/list-and-panel.tsx'
import { Page, Panel } from '../../ui/page.tsx'
import { Empty, Unknown } from '../../ui/states.tsx'
import { useHotkeys } from '../../lib/hotkeys.ts'
import { useFlag } from '../../lib/parameters.ts'
import { CreateEndpointDialog } from './detail/create-endpoint-dialog.tsx'
import { EndpointPanel } from './detail/endpoint-panel.tsx'
import { EndpointTable } from './list/endpoint-table.tsx'
import { useEndpoints } from './model/requests.ts'
import { words } from './words.ts'

const path = '/endpoints'

export function EndpointsPage({ endpointId }: { endpointId: string | undefined }) {
  const endpoints = useEndpoints()
  const [, navigate] = useLocation()
  const [creating, setCreating] = useFlag('new')
  const show = (id: string) => navigate(`${path}/${id}`, { replace: endpointId !== undefined })
  const close = () => navigate(path, { replace: true })
  useHotkeys({ Escape: close }, endpointId !== undefined)
  return (
    <Page
      title={words.title}
      lead="Endpoints start, idle and stop on the sandbox clock. Their responses come from the inference rules of the fixtures."
      actions={
        <Button look="primary" icon="plus" onClick={() => setCreating(true, { push: true })}>
          {words.create}
        </Button>
      }
    >
      <QueryView query={endpoints} what="inference endpoints">
        {({ items }) => {
          const opened = items.find(({ id }) => id === endpointId)
          return (
            <ListAndPanel
              label={words.endpoint}
              onClose={close}
              renderList={(isBeside) => (
                <Panel flush>
                  {items.length > 0 ? (
                    <EndpointTable
                      endpoints={items}
                      openId={endpointId}
                      onOpen={({ id }) => show(id)}
                      isNarrow={isBeside}
                    />
                  ) : (
                    <Empty icon="endpoint" title="No inference endpoints yet">
                      {words.emptyHint}
                    </Empty>
                  )}
                </Panel>
              )}
              renderPanel={
                endpointId === undefined
                  ? undefined
                  : (isBeside) =>
                      opened === undefined ? (
                        <Unknown title="Inference endpoint not found">{`No inference endpoint has the id ${endpointId}.`}</Unknown>
                      ) : (
                        <EndpointPanel
                          endpoint={opened}
                          onDeleted={close}
                          onClose={isBeside ? close : undefined}
                        />
                      )
              }
            />
          )
        }}
      </QueryView>
      {creating && <CreateEndpointDialog onClose={() => setCreating(false)} onCreated={show} />}
    </Page>
  )
}
