import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useHotkeys } from '../lib/hotkeys.ts'
import { useFlag } from '../lib/parameters.ts'
import { Button } from '../ui/button.tsx'
import { ListAndPanel } from '../ui/list-and-panel.tsx'
import { Page, Panel } from '../ui/page.tsx'
import { type Column, Table } from '../ui/table.tsx'
import { QueryView } from './query-view.tsx'

interface OpenPanel {
  label: string
  /** Key of the open item; `undefined`: none is open. */
  openKey: string | undefined
  /** Receives the way to close it, which a dialog has itself. */
  render: (key: string, onClose: (() => void) | undefined) => ReactNode
  onClose: () => void
}

interface ResourcePageProps<Item> {
  title: string
  /** One sentence: what is here and what it is for. */
  lead: string
  query: UseQueryResult<{ items: readonly Item[] }>
  /** Name of the items while they load: `apps`. */
  what: string
  rowKey: (item: Item) => string
  columns: readonly Column<Item>[]
  onOpen?: (item: Item) => void
  /** The open item, beside the table where there is room. */
  panel?: OpenPanel
  /** Content in place of an empty table. */
  renderEmpty: (isFiltered: boolean) => ReactNode
  /** Button that opens a dialog to create an item, which the URL has as `?new`. */
  create?: { label: string; renderDialog: (close: () => void) => ReactNode }
  /** Filters above the table. */
  toolbar?: ReactNode
  isWanted?: (item: Item) => boolean
  /** Dialogs and questions about an item. */
  children?: ReactNode
}

/** Page of one kind of thing: its items in a table, and the dialogs to create, change and delete one. */
export function ResourcePage<Item>({
  title,
  lead,
  query,
  what,
  rowKey,
  columns,
  onOpen,
  panel,
  renderEmpty,
  create,
  toolbar,
  isWanted = () => true,
  children,
}: ResourcePageProps<Item>) {
  const [isCreating, setCreating] = useFlag('new')
  useHotkeys({ Escape: () => panel?.onClose() }, panel?.openKey !== undefined)
  const open = onOpen === undefined ? {} : { onOpen }
  return (
    <Page
      title={title}
      lead={lead}
      actions={
        create && (
          <Button look="primary" icon="plus" onClick={() => setCreating(true, { push: true })}>
            {create.label}
          </Button>
        )
      }
    >
      {toolbar && <div className="flex flex-wrap items-center gap-2 pb-3">{toolbar}</div>}
      <WithPanel panel={panel}>
        {(isNarrow) => (
          <QueryView query={query} what={what}>
            {({ items }) => {
              const rows = items.filter(isWanted)
              return (
                <Panel flush>
                  {rows.length > 0 ? (
                    <Table
                      label={title}
                      rows={rows}
                      rowKey={rowKey}
                      columns={columns}
                      openKey={panel?.openKey}
                      isNarrow={isNarrow}
                      {...open}
                    />
                  ) : (
                    renderEmpty(items.length > 0)
                  )}
                </Panel>
              )
            }}
          </QueryView>
        )}
      </WithPanel>
      {isCreating && create?.renderDialog(() => setCreating(false))}
      {children}
    </Page>
  )
}

interface WithPanelProps {
  panel: OpenPanel | undefined
  /** Receives whether a panel is beside the table. */
  children: (isNarrow: boolean) => ReactNode
}

function WithPanel({ panel, children }: WithPanelProps) {
  if (panel === undefined) return children(false)
  const { label, openKey, render, onClose } = panel
  return (
    <ListAndPanel
      label={label}
      onClose={onClose}
      renderList={children}
      renderPanel={
        openKey === undefined
          ? undefined
          : (isBeside) => render(openKey, isBeside ? onClose : undefined)
      }
    />
  )
}
