import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useFlag } from '../lib/parameters.ts'
import { Button } from '../ui/button.tsx'
import { Page, Panel } from '../ui/page.tsx'
import { type Column, Table } from '../ui/table.tsx'
import { QueryView } from './query-view.tsx'

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
  renderEmpty,
  create,
  toolbar,
  isWanted = () => true,
  children,
}: ResourcePageProps<Item>) {
  const [isCreating, setCreating] = useFlag('new')
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
      <QueryView query={query} what={what}>
        {({ items }) => {
          const rows = items.filter(isWanted)
          return (
            <Panel flush>
              {rows.length > 0 ? (
                <Table label={title} rows={rows} rowKey={rowKey} columns={columns} {...open} />
              ) : (
                renderEmpty(items.length > 0)
              )}
            </Panel>
          )
        }}
      </QueryView>
      {isCreating && create?.renderDialog(() => setCreating(false))}
      {children}
    </Page>
  )
}
