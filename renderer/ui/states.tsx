import type { ReactNode } from 'react'
import { formatCount } from '../lib/format.ts'
import { Button } from './button.tsx'
import { classNames } from '../lib/class-names.ts'
import { CopyButton } from './copy.tsx'
import { useIsFramed } from './frame.tsx'
import { Icon, type IconName } from './icon.tsx'

/** Placeholder of an empty list, with a hint how to fill it; framed as its list is. */
export function Empty({
  icon,
  title,
  children,
  command,
  actions,
}: {
  icon: IconName
  title: string
  children?: ReactNode
  /** Fills the list from a terminal. */
  command?: string
  actions?: ReactNode
}) {
  const isFramed = useIsFramed()
  return (
    <div
      className={classNames(
        'flex flex-col items-center px-6 py-14 text-center',
        !isFramed && 'rounded-xl border border-line bg-surface',
      )}
    >
      <span className="mb-3 grid size-11 place-items-center rounded-xl bg-sunken text-faint">
        <Icon name={icon} className="size-5" />
      </span>
      <p className="text-base font-medium">{title}</p>
      {children && (
        <div className="mt-1 max-w-[56ch] text-sm text-pretty text-muted">{children}</div>
      )}
      {command && (
        <div className="mt-2 flex max-w-full flex-wrap items-center justify-center gap-2">
          <code className="rounded bg-sunken px-2 py-1 font-mono text-xs wrap-anywhere">
            {command}
          </code>
          <CopyButton text={command} what="command" look="quiet" />
        </div>
      )}
      {actions && <div className="mt-5 flex flex-wrap justify-center gap-2">{actions}</div>}
    </div>
  )
}

/** Placeholder of a list whose filter matches nothing, with the way back. */
export function NoMatch({ what, onClear }: { what: string; onClear: () => void }) {
  return (
    <Empty
      icon="search"
      title={`No matching ${what}`}
      actions={<Button onClick={onClear}>Clear filter</Button>}
    />
  )
}

/** Placeholder for a URL that names something unknown. */
export function Unknown({
  title,
  children,
  actions,
}: {
  title: string
  children: ReactNode
  actions?: ReactNode
}) {
  return (
    <Empty icon="search" title={title} actions={actions}>
      {children} It may have been deleted or cleared by a reset.
    </Empty>
  )
}

/** Note below a list that is cut off. */
export function MoreThanShown({ shown }: { shown: number }) {
  return (
    <p className="px-3 py-2 text-xs text-muted">
      Showing the latest {formatCount(shown)}; there are more.
    </p>
  )
}

export function Failure({ error, retry }: { error: Error; retry?: () => void }) {
  return (
    <div
      role="alert"
      className="m-4 flex flex-wrap items-start gap-3 rounded-lg border border-line bg-bad-soft p-3"
    >
      <Icon name="warning" className="mt-0.5 size-4 text-bad" />
      <div className="min-w-0 flex-1">
        <p className="font-medium">Could not load this</p>
        <p className="text-xs break-words text-muted">{error.message}</p>
      </div>
      {retry && (
        <Button size="small" icon="retry" onClick={retry}>
          Try again
        </Button>
      )}
    </div>
  )
}

/** Loading text; appears late to avoid flicker. */
export function Loading({ what }: { what: string }) {
  return (
    <output className="flex items-center gap-2 px-4 py-10 text-sm text-muted">
      <span className="pulse-live size-2 rounded-full bg-accent" />
      Loading {what}…
    </output>
  )
}
