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
}

/** A list of any length: only what is in sight is there. */
export function VirtualList<T>({
  label,
  items,
  itemKey,
  renderItem,
  estimateSize,
  divided = false,
  isLine = false,
}: VirtualListProps<T>) {
  const { setFrame, rows, measure, before, after } = useVirtualRows({
    count: items.length,
    estimateSize,
    keyOf: (index) => {
      const item = items[index]
      return item === undefined ? String(index) : itemKey(item)
    },
  })
  // A ul may have nothing but li in it.
  const List = isLine ? 'div' : 'ul'
  const Item = isLine ? 'div' : 'li'
  return (
    <List
      ref={(element: HTMLElement | null) => setFrame(element)}
      role={isLine ? 'list' : undefined}
      aria-label={label}
      style={{ paddingTop: before, paddingBottom: after }}
    >
      {rows.map(({ index, key }) => {
        const item = items[index]
        return (
          item !== undefined && (
            <Item
              key={key}
              ref={measure}
              data-index={index}
              role={isLine ? 'presentation' : undefined}
              aria-posinset={isLine ? undefined : index + 1}
              aria-setsize={isLine ? undefined : items.length}
              className={divided ? 'border-line not-last:border-b' : 'not-last:pb-3'}
            >
              {renderItem(item)}
            </Item>
          )
        )
      })}
    </List>
  )
}

interface CardListProps<T> extends Omit<VirtualListProps<T>, 'divided'> {
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
          className="grid gap-3"
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
