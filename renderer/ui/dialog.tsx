import { Dialog as Base } from '@base-ui/react/dialog'
import { type ReactNode, useRef } from 'react'
import { classNames } from '../lib/class-names.ts'
import { Framed } from './frame.tsx'
import { Icon } from './icon.tsx'
import { visibleControls } from '../lib/visible-controls.ts'

export const backdropClass = 'fixed inset-0 z-40 bg-veil transition-opacity duration-150'
export const popupClass =
  'ease-pop fixed top-1/2 left-1/2 z-40 flex max-h-[calc(100dvh-2rem)] w-[calc(100vw-2rem)] -translate-x-1/2 -translate-y-1/2 flex-col rounded-xl border border-line bg-surface shadow-pop outline-none short:overflow-y-auto'

interface DialogProps {
  open: boolean
  onOpenChange: (open: boolean) => void
  title: string
  lead?: ReactNode
  children: ReactNode
  wide?: boolean
}

export function Dialog({ open, onOpenChange, title, lead, children, wide = false }: DialogProps) {
  const popup = useRef<HTMLDivElement>(null)
  return (
    <Base.Root open={open} onOpenChange={onOpenChange}>
      <Base.Portal>
        <Base.Backdrop className={backdropClass} />
        <Base.Popup
          ref={popup}
          // What a form cannot do without is typed first; on a touch screen a keyboard would cover the form.
          initialFocus={(way) => (way === 'touch' ? true : requiredField(popup.current))}
          className={classNames(popupClass, wide ? 'max-w-220' : 'max-w-130')}
        >
          <header className="px-5 pt-4 pr-12 pb-3">
            <Base.Title
              title={visibleControls(title)}
              className="line-clamp-3 text-lg font-semibold tracking-tight"
            >
              {visibleControls(title)}
            </Base.Title>
            {lead && (
              <Base.Description className="text-sm text-pretty text-muted">{lead}</Base.Description>
            )}
          </header>
          <Framed>{children}</Framed>
          {/* Last, so that the first field of a form has the focus and not this. */}
          <Base.Close
            aria-label="Close"
            className="absolute top-4 right-4 rounded-md p-1 text-faint hover:bg-hover hover:text-ink"
          >
            <Icon name="cross" />
          </Base.Close>
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  )
}

/** Returns the first required field; `true` = the first element that takes the focus. */
function requiredField(popup: HTMLElement | null): HTMLElement | true {
  return popup?.querySelector<HTMLElement>('input:required, textarea:required') ?? true
}

interface DialogBodyProps {
  children: ReactNode
  /** Nothing in it takes the focus: the part itself does, so that keys can scroll it. */
  textOnly?: boolean
}

/** The part that scrolls. */
export function DialogBody({ children, textOnly = false }: DialogBodyProps) {
  return (
    <div
      data-scroller
      {...(textOnly && { tabIndex: 0 })}
      className={classNames(
        'scroll-quiet min-h-0 flex-1 overflow-y-auto rounded-b-xl px-5 pb-4 focus-visible:-outline-offset-2 short:flex-none short:overflow-visible',
        textOnly && 'pt-2',
      )}
    >
      {children}
    </div>
  )
}

export function DialogFooter({ children }: { children: ReactNode }) {
  return (
    <footer className="flex flex-wrap items-center justify-end gap-2 rounded-b-xl border-t border-line bg-canvas px-5 py-3">
      {children}
    </footer>
  )
}
