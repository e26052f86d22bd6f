import type { ReactNode } from 'react'
import { useLiveStatus } from '../api/live-context.ts'
import { Button, Kbd, IconButton } from '../ui/button.tsx'
import { Icon } from '../ui/icon.tsx'
import { classNames } from '../lib/class-names.ts'
import { ClockMenu } from './clock-menu.tsx'
import { OverridesBar } from './overrides-bar.tsx'
import { words } from './words.ts'

interface TopBarProps {
  menu: ReactNode
  onTrigger: () => void
  onPalette: () => void
  onKeys: () => void
}

export function TopBar({ menu, onTrigger, onPalette, onKeys }: TopBarProps) {
  return (
    <header className="flex min-h-13 shrink-0 flex-wrap items-center gap-x-2 border-b border-line bg-canvas px-3 sm:px-5">
      {menu}
      <button
        type="button"
        onClick={onPalette}
        aria-keyshortcuts="Control+K Meta+K"
        className="flex h-8 w-60 items-center gap-2 rounded-lg border border-line bg-surface px-2.5 text-sm text-faint hover:border-line-strong max-sm:w-8 max-sm:px-1.5"
      >
        <Icon name="search" />
        <span className="max-sm:sr-only">Search or run…</span>
        <span className="ml-auto max-sm:hidden">
          <Kbd>Ctrl K</Kbd>
        </span>
      </button>
      <OverridesBar />
      <div className="ml-auto flex h-13 items-center gap-1.5 sm:gap-2">
        <ConnectionState />
        {/* Beside the navigation, its foot has the clock. */}
        <span className="lg:hidden">
          <ClockMenu />
        </span>
        <IconButton
          icon="keyboard"
          label={words.keyboardShortcuts}
          className="max-sm:hidden"
          onClick={onKeys}
        />
        <Button look="primary" icon="trigger" onClick={onTrigger} aria-keyshortcuts="t">
          <span className="max-sm:sr-only">Trigger</span>
        </Button>
      </div>
    </header>
  )
}

const statusWords = { connecting: 'Connecting', open: 'Live', lost: 'Offline' } as const
const dots = { connecting: 'bg-warn pulse-live', open: 'bg-ok', lost: 'bg-bad' } as const

function ConnectionState() {
  const status = useLiveStatus()
  return (
    <span className="flex items-center gap-1.5 px-1 text-xs text-muted" data-live={status}>
      <span className={classNames('size-2 rounded-full', dots[status])} />
      <span className="max-sm:sr-only">{statusWords[status]}</span>
    </span>
  )
}
