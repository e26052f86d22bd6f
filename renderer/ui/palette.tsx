import { Autocomplete } from '@base-ui/react/autocomplete'
import { Dialog } from '@base-ui/react/dialog'
import { useRef, type ReactNode } from 'react'
import { fuzzyMatch } from '../lib/fuzzy.ts'
import { Icon, type IconName } from './icon.tsx'

export interface PaletteItem {
  id: string
  label: string
  icon: IconName
  /** Further words by which it is found. */
  words: string
  /** Stands right, small. */
  note?: string
  /** Found for what was typed already: its label need not look like it. */
  found?: true
  run: () => void
}

export interface PaletteGroup {
  title: string
  items: PaletteItem[]
}

interface PaletteProps {
  title: string
  placeholder: string
  groups: PaletteGroup[]
  onClose: () => void
  footer?: ReactNode
  /** Typed text, for callers that search by themselves. */
  query?: string
  onQuery?: (query: string) => void
}

/** A list that is searched by typing and run by Enter. */
export function Palette({ title, onClose, footer, ...list }: PaletteProps) {
  return (
    <Dialog.Root
      open
      onOpenChange={(open) => {
        if (!open) onClose()
      }}
    >
      <Dialog.Portal>
        <Dialog.Backdrop className="fixed inset-0 z-40 bg-veil" />
        <Dialog.Popup className="ease-pop fixed top-[12vh] left-1/2 z-40 flex max-h-[70vh] w-[calc(100vw-2rem)] max-w-140 -translate-x-1/2 flex-col overflow-hidden rounded-xl border border-line bg-surface shadow-pop outline-none">
          <Dialog.Title className="sr-only">{title}</Dialog.Title>
          <PaletteList {...list} />
          {footer}
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  )
}

interface PaletteListProps {
  placeholder: string
  groups: PaletteGroup[]
  /** Enter before anything was typed or chosen; without it the first item is chosen. */
  onEnter?: () => void
  query?: string
  onQuery?: (query: string) => void
}

export function PaletteList({ placeholder, groups, onEnter, query, onQuery }: PaletteListProps) {
  const highlighted = useRef<PaletteItem>(undefined)
  return (
    <Autocomplete.Root
      inline
      open
      items={groups}
      {...(query !== undefined && { value: query })}
      {...(onQuery && { onValueChange: onQuery })}
      autoHighlight={onEnter ? true : 'always'}
      keepHighlight={!onEnter}
      onItemHighlighted={(item: PaletteItem | undefined) => {
        highlighted.current = item
      }}
      itemToStringValue={(item: PaletteItem) => item.label}
      filter={(item: PaletteItem, typed) =>
        item.found === true || fuzzyMatch(typed, `${item.label} ${item.words}`)
      }
    >
      <div className="flex items-center gap-2.5 border-b border-line px-4 text-faint">
        <Icon name="search" />
        <Autocomplete.Input
          aria-label={placeholder}
          placeholder={placeholder}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || highlighted.current || event.currentTarget.value) return
            if (!onEnter) return
            event.preventDefault()
            onEnter()
          }}
          className="h-12 min-w-0 flex-1 bg-transparent text-base text-ink outline-none placeholder:text-faint"
        />
      </div>
      <Autocomplete.Empty>
        <div className="px-4 py-8 text-center text-sm text-muted empty:hidden">No results</div>
      </Autocomplete.Empty>
      <Autocomplete.List className="scroll-quiet min-h-0 flex-1 overflow-y-auto p-1.5 data-empty:p-0">
        {(group: PaletteGroup) => (
          <Autocomplete.Group key={group.title} items={group.items} className="pb-1">
            <Autocomplete.GroupLabel className="eyebrow px-2.5 py-1.5">
              {group.title}
            </Autocomplete.GroupLabel>
            <Autocomplete.Collection>
              {(item: PaletteItem) => (
                <Autocomplete.Item
                  key={item.id}
                  value={item}
                  onClick={() => item.run()}
                  className="flex cursor-default items-center gap-2.5 rounded-lg px-2.5 py-1.5 text-sm outline-none select-none data-highlighted:bg-accent-soft"
                >
                  <Icon name={item.icon} className="size-4 text-faint" />
                  <span className="line-clamp-2 min-w-0 wrap-anywhere">{item.label}</span>
                  {item.note && (
                    <span className="ml-auto max-w-2/5 shrink-0 truncate pl-3 font-mono text-2xs text-faint">
                      {item.note}
                    </span>
                  )}
                </Autocomplete.Item>
              )}
            </Autocomplete.Collection>
          </Autocomplete.Group>
        )}
      </Autocomplete.List>
    </Autocomplete.Root>
  )
}
