import type { ReactNode } from 'react'
import { useVirtualRows } from '../lib/virtual-rows.ts'

interface VirtualListProps<T> {
  label: string
  items: readonly T[]
  itemKey: (item: T) => string
  renderItem: (item: T) => ReactNode
  /** Pixels, about. */
  estimateSize: number
  /** How the items are told apart: by a line, or by room. */
  divided?: boolean
  /** Whether an item is a line of several, which are the items that assistive technology counts. */
  isLine?: boolean
  /** Text of an item. Items out of sight show only this, so that the browser finds it. Default: they are not there. */
  textOf?: (item: T) => string
  /** Item to scroll to. */
  openKey?: string | undefined
}

/** A list of any length: only what is in sight is drawn. */
export function VirtualList<T>({
  label,
  items,
  itemKey,
  renderItem,
  estimateSize,
  divided = false,
  isLine = false,
  textOf,
  openKey,
}: VirtualListProps<T>) {
  const { setFrame, rows, measure, sizeOf, before, after } = useVirtualRows({
    count: items.length,
    estimateSize,
    openKey,
    keyOf: (index) => {
      const item = items[index]
      return item === undefined ? String(index) : itemKey(item)
    },
  })
  // A ul may have nothing but li in it.
  const List = isLine ? 'div' : 'ul'
  const Item = isLine ? 'div' : 'li'
  const inSight = new Set(rows.map(({ index }) => index))
  const indexes = textOf === undefined ? inSight : items.keys()
  return (
    <List
      ref={(element: HTMLElement | null) => setFrame(element)}
      role={isLine ? 'list' : undefined}
      aria-label={label}
      style={textOf === undefined ? { paddingTop: before, paddingBottom: after } : {}}
    >
      {Array.from(indexes, (index) => {
        const item = items[index]
        if (item === undefined) return null
        const place = {
          'data-index': index,
          role: isLine ? 'presentation' : undefined,
          'aria-posinset': isLine ? undefined : index + 1,
          'aria-setsize': isLine ? undefined : items.length,
        }
        return inSight.has(index) ? (
          <Item
            key={itemKey(item)}
            {...place}
            ref={measure}
            className={divided ? 'border-line not-last:border-b' : 'not-last:pb-3'}
          >
            {renderItem(item)}
          </Item>
        ) : (
          // The browser skips the layout of a text that is out of sight, and yet finds it.
          <Item
            key={`text of ${itemKey(item)}`}
            {...place}
            className="overflow-hidden text-sm text-muted [content-visibility:auto]"
            style={{ height: sizeOf(index) }}
          >
            {textOf?.(item)}
          </Item>
        )
      })}
    </List>
  )
}

interface CardListProps<T> extends Omit<VirtualListProps<T>, 'divided' | 'textOf' | 'openKey'> {
  /** Side by side; the screen decides. */
  columns: number
}

/** Cards in one or several columns, of any number. */
export function CardList<T>({ items, itemKey, renderItem, columns, ...rest }: CardListProps<T>) {
  if (columns === 1) {
    return <VirtualList {...rest} items={items} itemKey={itemKey} renderItem={renderItem} />
  }
  const lines = Array.from({ length: Math.ceil(items.length / columns) }, (_, line) =>
    items.slice(line * columns, (line + 1) * columns),
  )
  return (
    <VirtualList
      {...rest}
      items={lines}
      isLine
      itemKey={(line) => line.map(itemKey).join(' ')}
      renderItem={(line) => (
        <div
          role="presentation"
          className="grid items-start gap-3"
          style={{ gridTemplateColumns: `repeat(${columns}, minmax(0, 1fr))` }}
        >
          {line.map((item) => (
            <div
              key={itemKey(item)}
              // An li would not be valid inside of the line.
              // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role
              role="listitem"
              aria-posinset={items.indexOf(item) + 1}
              aria-setsize={items.length}
              className="grid min-w-0"
            >
              {renderItem(item)}
            </div>
          ))}
        </div>
      )}
    />
  )
}
