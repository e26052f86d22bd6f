import { type MouseEvent, type ReactNode, useEffect, useMemo, useRef } from 'react'
import { classNames } from '../lib/class-names.ts'
import { useParameter } from '../lib/parameters.ts'
import { useWidth } from '../lib/use-width.ts'
import { useVirtualRows } from '../lib/virtual-rows.ts'
import { Icon } from './icon.tsx'
import { Select } from './select.tsx'
import { type ColumnRoom, layOutColumns } from './table-layout.ts'
import { nextSort, readSort, type Sort, sortKey, sortRows, type SortValue } from './table-sort.ts'

export interface Column<T> extends ColumnRoom {
  title: string
  renderCell: (row: T) => ReactNode
  /** Value to sort by: its head sorts the table then. */
  sortBy?: (row: T) => SortValue
  /** The first click on the head shows the largest first, as for numbers and times. */
  descendsFirst?: boolean
  /** In rem. Columns without share what is left, and have at least `minWidth` of it. */
  width?: number
  minWidth?: number
  /** Numbers stand right, so that their digits stand under each other. */
  align?: 'right'
  /** Narrow tables hide columns of priority 3 first, then 2. Default: 1, which is always shown. */
  priority?: 1 | 2 | 3
  /** Place in a card: its head (default: the first column), or the action beside it. Others are lines with a label. */
  inCard?: 'head' | 'action'
}

interface TableProps<T> {
  label: string
  rows: readonly T[]
  rowKey: (row: T) => string
  columns: readonly Column<T>[]
  onOpen?: (row: T) => void
  /** Key of the open row, which is marked and kept in view. */
  openKey?: string | undefined
  /** Sort while the URL has none, as the URL writes it; the rows must be in its order. */
  defaultSort?: string
  /** Shows rows in columns as long as they fit, in rooms where a wider table would show cards. */
  isNarrow?: boolean
}

const rem = 16

/**
 * A table of any number of rows: only those in sight are there. Its columns keep their widths and cut what is too long.
 * A narrow table hides its less important columns; a very narrow one shows each row as a card. The URL keeps by which
 * column it is sorted.
 */
export function Table<T>({
  columns: all,
  label,
  isNarrow = false,
  rows,
  defaultSort = '',
  ...rest
}: TableProps<T>) {
  const [setFrame, width = Infinity] = useWidth()
  const { columns, isCards } = layOutColumns(withHead(all), width / rem, isNarrow)
  const [text, setText] = useParameter('sort')
  const sortable = all.filter(({ sortBy }) => sortBy !== undefined)
  const sort = readSort(
    text || defaultSort,
    sortable.map(({ title }) => sortKey(title)),
  )
  const sortBy = all.find(({ title }) => sortKey(title) === sort?.key)?.sortBy
  const isDescending = sort?.isDescending ?? false
  const sorted = useMemo(
    () => (sortBy === undefined ? rows : sortRows(rows, sortBy, isDescending)),
    [rows, sortBy, isDescending],
  )
  return (
    <section ref={setFrame} aria-label={label} className="relative overflow-x-clip rounded-xl">
      {isCards && rows.length > 1 && sortable.length > 0 && (
        <CardSort columns={sortable} sort={sort} onSort={setText} />
      )}
      {/* Rows of another height are measured again. */}
      <Rows
        key={String(isCards)}
        {...rest}
        rows={sorted}
        columns={columns}
        isCards={isCards}
        sort={sort}
        onSort={setText}
      />
    </section>
  )
}

interface CardSortProps {
  columns: readonly Pick<Column<never>, 'title' | 'descendsFirst'>[]
  sort: Sort | undefined
  onSort: (text: string) => void
}

/** In place of the heads, which cards do not have. */
function CardSort({ columns, sort, onSort }: CardSortProps) {
  return (
    <div className="flex justify-end px-3 pt-2">
      <Select
        label="Sort by"
        value={sort?.key ?? ''}
        onChange={(key) => {
          const column = columns.find(({ title }) => sortKey(title) === key)
          onSort(column ? nextSort(undefined, key, column.descendsFirst ?? false) : '')
        }}
        options={[
          { value: '', label: 'Default order' },
          ...columns.map(({ title }) => ({ value: sortKey(title), label: `By ${title}` })),
        ]}
      />
    </div>
  )
}

/** The first column is the head of a card unless another one is. */
function withHead<T>(columns: readonly Column<T>[]): readonly Column<T>[] {
  if (columns.some(({ inCard }) => inCard === 'head')) return columns
  return columns.map((column, index) => (index === 0 ? { ...column, inCard: 'head' } : column))
}

interface RowsProps<T> extends Omit<TableProps<T>, 'label' | 'isNarrow' | 'defaultSort'> {
  isCards: boolean
  sort: Sort | undefined
  onSort: (text: string) => void
}

function Rows<T>({ rows, rowKey, columns, onOpen, openKey, isCards, sort, onSort }: RowsProps<T>) {
  const body = useRef<HTMLTableSectionElement>(null)
  useEffect(() => {
    const row = openKey === undefined ? null : body.current?.querySelector('[aria-current]')
    row?.scrollIntoView({ block: 'nearest' })
  }, [openKey])
  const { setFrame, measure, before, after, ...virtual } = useVirtualRows({
    count: rows.length,
    estimateSize: isCards ? 120 : 41,
    keyOf: (index) => {
      const row = rows[index]
      return row === undefined ? String(index) : rowKey(row)
    },
  })
  const role = rolesOf(isCards)
  return (
    <table
      role={role.table}
      aria-rowcount={rows.length + 1}
      className={isCards ? 'block text-sm' : 'w-full table-fixed border-collapse text-sm'}
    >
      {!isCards && (
        <colgroup>
          {columns.map(({ title, width }) => (
            <col key={title} style={width === undefined ? {} : { width: `${width}rem` }} />
          ))}
        </colgroup>
      )}
      <thead role={role.group} className={isCards ? 'sr-only' : ''}>
        <tr role={role.row} aria-rowindex={1} className="border-b border-line text-left">
          {columns.map((column) => (
            <th
              key={column.title}
              role={role.heading}
              scope="col"
              aria-sort={directionOf(column, sort)}
              className={classNames(
                'eyebrow h-8 truncate px-3',
                column.align === 'right' && 'text-right',
              )}
            >
              {column.sortBy && !isCards ? (
                <SortButton column={column} sort={sort} onSort={onSort} />
              ) : (
                column.title
              )}
            </th>
          ))}
        </tr>
      </thead>
      <tbody
        ref={(element) => {
          body.current = element
          setFrame(element)
        }}
        role={role.group}
        className={isCards ? 'block' : ''}
      >
        <Spacer height={before} isCards={isCards} />
        {virtual.rows.map(({ index, key }) => {
          const row = rows[index]
          return (
            row !== undefined && (
              <tr
                key={key}
                ref={measure}
                role={role.row}
                data-index={index}
                aria-rowindex={index + 2}
                aria-current={key === openKey ? 'true' : undefined}
                onClick={onOpen && ((event) => isOwnClick(event) && onOpen(row))}
                className={classNames(
                  'border-line/60 not-last:border-b',
                  key === openKey
                    ? 'bg-accent-soft shadow-[inset_2px_0_0_var(--accent)]'
                    : 'hover:bg-hover/50',
                  onOpen && 'cursor-pointer',
                  isCards && 'grid grid-cols-[minmax(0,1fr)_auto] gap-x-2 gap-y-1 px-3 py-2.5',
                )}
              >
                {columns.map((column) => {
                  const Cell = isCards ? CardCell : TableCell
                  return (
                    <Cell key={column.title} column={column}>
                      {column.renderCell(row)}
                    </Cell>
                  )
                })}
              </tr>
            )
          )
        })}
        <Spacer height={after} isCards={isCards} />
      </tbody>
    </table>
  )
}

function directionOf({ title, sortBy }: Column<never>, sort: Sort | undefined) {
  if (sortBy === undefined) return undefined
  if (sort?.key !== sortKey(title)) return 'none'
  return sort.isDescending ? 'descending' : 'ascending'
}

interface SortButtonProps {
  column: Pick<Column<never>, 'title' | 'descendsFirst'>
  sort: Sort | undefined
  onSort: (text: string) => void
}

function SortButton({ column: { title, descendsFirst = false }, sort, onSort }: SortButtonProps) {
  const key = sortKey(title)
  const own = sort?.key === key ? sort : undefined
  return (
    <button
      type="button"
      className="group relative -mr-3 -ml-1 inline-flex h-6 max-w-[calc(100%+1rem)] items-center gap-0.5 rounded pr-3 pl-1 uppercase hover:text-ink"
      onClick={() => onSort(nextSort(sort, key, descendsFirst))}
    >
      <span className="truncate">{title}</span>
      {/* Before the column is sorted it stands in the padding of the head. */}
      <Icon
        name={own ? 'down' : 'sort'}
        className={classNames(
          'size-3',
          own
            ? '-mr-3 shrink-0 text-ink'
            : 'absolute right-0 opacity-0 group-hover:opacity-100 group-focus-visible:opacity-100',
          own && !own.isDescending && 'rotate-180',
        )}
      />
    </button>
  )
}

/** Whether a click meant the row: not a control in it, nor a menu or dialog that belongs to one. */
function isOwnClick({ target, currentTarget }: MouseEvent<HTMLElement>): boolean {
  return (
    target instanceof Element &&
    currentTarget.contains(target) &&
    target.closest('a, button, label, input') === null
  )
}

/** Roles of cards, whose display takes those of a table away. */
function rolesOf(isCards: boolean) {
  return isCards
    ? ({ table: 'table', group: 'rowgroup', row: 'row', heading: 'columnheader' } as const)
    : { table: undefined, group: undefined, row: undefined, heading: undefined }
}

interface CellProps {
  column: Pick<Column<never>, 'title' | 'align' | 'inCard'>
  children: ReactNode
}

function TableCell({ column: { align }, children }: CellProps) {
  return (
    <td
      className={classNames(
        'h-10 overflow-hidden px-3 py-1.5 text-ellipsis whitespace-nowrap',
        align === 'right' && 'text-right',
      )}
    >
      {children}
    </td>
  )
}

function CardCell({ column: { title, inCard }, children }: CellProps) {
  const cell = 'cell'
  if (inCard === 'action') {
    return (
      <td role={cell} className="col-start-2 row-start-1">
        {children}
      </td>
    )
  }
  if (inCard === 'head') {
    return (
      <td role={cell} className="col-start-1 row-start-1 min-w-0 self-center wrap-anywhere">
        {children}
      </td>
    )
  }
  return (
    <td
      role={cell}
      className="col-span-2 grid min-w-0 grid-cols-[6.5rem_minmax(0,1fr)] gap-2 has-[>div:empty]:hidden has-[>div>span:empty]:hidden"
    >
      <span aria-hidden="true" className="truncate text-xs leading-5 text-muted">
        {title}
      </span>
      <div className="min-w-0 wrap-anywhere">{children}</div>
    </td>
  )
}

/** In place of the rows that are out of sight. */
function Spacer({ height, isCards }: { height: number; isCards: boolean }) {
  if (height <= 0) return null
  return <tr aria-hidden="true" className={isCards ? 'block' : ''} style={{ height }} />
}
