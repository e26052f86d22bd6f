import type { ReactNode } from 'react'
import { classNames } from '../lib/class-names.ts'
import { useVirtualRows } from '../lib/virtual-rows.ts'

declare module 'react' {
  interface CSSProperties {
    [name: `--${string}`]: string
  }
}

export interface Column<T> {
  title: string
  renderCell: (row: T) => ReactNode
  /** In rem. Columns without share what is left, and have at least `minWidth` of it. */
  width?: number
  minWidth?: number
  /** Numbers stand right, so that their digits stand under each other. */
  align?: 'right'
  /** Left out below 640 pixels. */
  wideOnly?: boolean
}

interface TableProps<T> {
  label: string
  rows: readonly T[]
  rowKey: (row: T) => string
  columns: readonly Column<T>[]
  onOpen?: (row: T) => void
}

const rowHeight = 41

/** Positioned, so that what is for screen readers alone does not widen the page. */
const frameClass = 'scroll-quiet relative overflow-x-auto rounded-xl'
const leastWidth = 7

function widthOf<T>(columns: readonly Column<T>[]): string {
  const sum = columns.reduce(
    (rest, { width, minWidth = leastWidth }) => rest + (width ?? minWidth),
    0,
  )
  return `${sum}rem`
}

/**
 * A table of any number of rows: only those in sight are there. Its columns keep their widths and cut
 * what is too long; where the screen is too narrow for them all, it scrolls sideways in its frame.
 */
export function Table<T>({ label, rows, rowKey, columns, onOpen }: TableProps<T>) {
  const { setFrame, measure, before, after, ...virtual } = useVirtualRows({
    count: rows.length,
    estimateSize: rowHeight,
    keyOf: (index) => {
      const row = rows[index]
      return row === undefined ? String(index) : rowKey(row)
    },
  })
  const hiding = (column: Column<T>) => (column.wideOnly === true ? 'max-sm:hidden' : '')
  const aligning = (column: Column<T>) => (column.align === 'right' ? 'text-right' : '')
  return (
    // A frame that scrolls must be reachable by keyboard.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <section aria-label={label} tabIndex={0} className={frameClass}>
      <table
        aria-rowcount={rows.length + 1}
        className="w-full min-w-(--narrow) table-fixed border-collapse text-sm sm:min-w-(--wide)"
        style={{
          '--narrow': widthOf(columns.filter(({ wideOnly }) => wideOnly !== true)),
          '--wide': widthOf(columns),
        }}
      >
        <colgroup>
          {columns.map((column) => (
            <col
              key={column.title}
              className={hiding(column)}
              style={column.width === undefined ? {} : { width: `${column.width}rem` }}
            />
          ))}
        </colgroup>
        <thead>
          <tr aria-rowindex={1} className="border-b border-line text-left">
            {columns.map((column) => (
              <th
                key={column.title}
                scope="col"
                className={classNames(
                  'eyebrow h-8 truncate px-3',
                  hiding(column),
                  aligning(column),
                )}
              >
                {column.title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody ref={setFrame}>
          <Spacer height={before} />
          {virtual.rows.map(({ index, key }) => {
            const row = rows[index]
            return (
              row !== undefined && (
                <tr
                  key={key}
                  ref={measure}
                  data-index={index}
                  aria-rowindex={index + 2}
                  onClick={onOpen && (() => onOpen(row))}
                  className={classNames(
                    'border-line/60 not-last:border-b hover:bg-hover/50',
                    onOpen && 'cursor-pointer',
                  )}
                >
                  {columns.map((column) => (
                    <td
                      key={column.title}
                      className={classNames(
                        'h-10 overflow-hidden px-3 py-1.5 text-ellipsis whitespace-nowrap',
                        hiding(column),
                        aligning(column),
                      )}
                    >
                      {column.renderCell(row)}
                    </td>
                  ))}
                </tr>
              )
            )
          })}
          <Spacer height={after} />
        </tbody>
      </table>
    </section>
  )
}

/** In place of the rows that are out of sight. */
function Spacer({ height }: { height: number }) {
  return height > 0 ? <tr aria-hidden="true" style={{ height }} /> : null
}
