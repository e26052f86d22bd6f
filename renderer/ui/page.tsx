import { useEffect, type ReactNode } from 'react'
import { classNames } from '../lib/class-names.ts'
import { Framed } from './frame.tsx'
import { setPageTitle } from '../lib/page-title.ts'
import { visibleControls } from '../lib/visible-controls.ts'

interface PageProps {
  title: string
  /** One sentence: what is here and what it is for. */
  lead?: ReactNode
  actions?: ReactNode
  children: ReactNode
  /** The page fills the window and scrolls inside; `wide`: only where the window is wide. */
  full?: boolean | 'wide'
}

function sizeOf(full: boolean | 'wide'): string {
  if (full === 'wide') return 'mx-auto max-w-400 pb-16 xl:h-full xl:min-h-0 xl:pb-4'
  return full ? 'h-full min-h-0 pb-0' : 'mx-auto max-w-330 pb-16'
}

/** Characters of a title that would take several lines beside the buttons. */
const longTitle = 40

export function Page({ title, lead, actions, children, full = false }: PageProps) {
  useEffect(() => {
    setPageTitle(title)
  }, [title])
  return (
    <div className={classNames('flex w-full flex-col px-4 pt-5 sm:px-6', sizeOf(full))}>
      <header className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3 pb-4">
        {/* A long sentence wraps before the buttons go below it; a long name has the whole width. */}
        <div className={classNames('min-w-0', title.length < longTitle && 'sm:flex-[1_1_16rem]')}>
          <h1 className="text-xl font-semibold tracking-tight">{visibleControls(title)}</h1>
          {lead && <p className="mt-0.5 max-w-[96ch] text-sm text-pretty text-muted">{lead}</p>}
        </div>
        {actions && <div className="flex flex-wrap items-center gap-2">{actions}</div>}
      </header>
      {children}
    </div>
  )
}

export function Panel({
  title,
  lead,
  actions,
  children,
  flush = false,
}: {
  title?: string
  lead?: ReactNode
  actions?: ReactNode
  children: ReactNode
  /** Without inner padding: a table goes to the edge. */
  flush?: boolean
}) {
  return (
    <section className="min-w-0 rounded-xl border border-line bg-surface">
      {title && (
        <header className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 px-4 pt-3 pb-2">
          <div className="min-w-0">
            <h2 className="text-base font-semibold">{visibleControls(title)}</h2>
            {lead && <p className="max-w-[96ch] text-xs text-pretty text-muted">{lead}</p>}
          </div>
          {actions && <div className="flex flex-wrap gap-2">{actions}</div>}
        </header>
      )}
      <div className={flush ? '' : classNames('px-4 pb-4', !title && 'pt-4')}>
        <Framed>{children}</Framed>
      </div>
    </section>
  )
}
