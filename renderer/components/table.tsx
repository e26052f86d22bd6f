import type { ReactNode } from 'react'
import { classNames } from '../lib/class-names.ts'

export interface Column<T> {
  title: string
  renderCell: (row: T) => ReactNode
  /** Numbers stand right, so that their digits stand under each other. */
  align?: 'right'
  /** Left out below 640 pixels. */
  wideOnly?: boolean
  className?: string
}

interface TableProps<T> {
  label: string
  rows: readonly T[]
  rowKey: (row: T) => string
  columns: readonly Column<T>[]
  onOpen?: (row: T) => void
}

/** A plain table for lists of at most a few hundred rows; wide ones scroll sideways in their frame. */
export function Table<T>({ label, rows, rowKey, columns, onOpen }: TableProps<T>) {
  const cellClass = (column: Column<T>) =>
    classNames(
      column.align === 'right' && 'text-right',
      column.wideOnly === true && 'max-sm:hidden',
      column.className,
    )
  return (
    // A frame that scrolls must be reachable by keyboard.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <section aria-label={label} tabIndex={0} className="scroll-quiet overflow-x-auto rounded-xl">
      <table className="w-full border-collapse text-sm">
        <thead>
          <tr className="border-b border-line text-left">
            {columns.map((column) => (
              <th
                key={column.title}
                scope="col"
                className={classNames('eyebrow h-8 px-3 whitespace-nowrap', cellClass(column))}
              >
                {column.title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr
              key={rowKey(row)}
              onClick={onOpen && (() => onOpen(row))}
              className={classNames(
                'border-b border-line/60 last:border-0 hover:bg-hover/50',
                onOpen && 'cursor-pointer',
              )}
            >
              {columns.map((column) => (
                <td
                  key={column.title}
                  className={classNames('h-10 px-3 py-1.5', cellClass(column))}
                >
                  {column.renderCell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
