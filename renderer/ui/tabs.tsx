import { Tabs as Base } from '@base-ui/react/tabs'
import { type ReactNode, useEffect, useRef } from 'react'
import { formatCount } from '../lib/format.ts'

export interface Tab<T extends string> {
  value: T
  label: string
  /** Shown small beside the label. */
  count?: number
  renderContent: () => ReactNode
  /** Keeps the content while another tab is open. */
  keep?: boolean
}

interface TabsProps<T extends string> {
  label: string
  value: T
  onChange: (value: T) => void
  tabs: readonly Tab<T>[]
}

export function Tabs<T extends string>({ label, value, onChange, tabs }: TabsProps<T>) {
  const list = useRef<HTMLDivElement>(null)
  // A narrow panel has not room for all tabs.
  useEffect(() => {
    const active = list.current?.querySelector<HTMLElement>('[data-active]')
    if (!list.current || !active) return
    const hidden = active.offsetLeft + active.offsetWidth - list.current.clientWidth
    if (hidden > list.current.scrollLeft) list.current.scrollLeft = hidden
  }, [value])
  return (
    <Base.Root
      value={value}
      onValueChange={(next: T) => onChange(next)}
      className="flex min-h-0 flex-1 flex-col"
    >
      <Base.List
        ref={list}
        aria-label={label}
        className="scroll-quiet relative flex shrink-0 gap-1 overflow-x-auto border-b border-line px-2"
      >
        {tabs.map((tab) => (
          <Base.Tab
            key={tab.value}
            value={tab.value}
            className="flex h-9 items-center gap-1.5 border-b-2 border-transparent px-2 text-sm whitespace-nowrap text-muted hover:text-ink focus-visible:-outline-offset-2 data-active:border-accent data-active:font-medium data-active:text-ink"
          >
            {tab.label}
            {tab.count !== undefined && (
              <span className="text-2xs text-faint">{formatCount(tab.count)}</span>
            )}
          </Base.Tab>
        ))}
      </Base.List>
      {tabs.map((tab) => (
        <Base.Panel
          key={tab.value}
          value={tab.value}
          keepMounted={tab.keep ?? false}
          className="scroll-quiet min-h-0 flex-1 overflow-y-auto focus-visible:-outline-offset-2"
        >
          {tab.renderContent()}
        </Base.Panel>
      ))}
    </Base.Root>
  )
}
