import { AlertDialog } from '@base-ui/react/alert-dialog'
import { Dialog as Base } from '@base-ui/react/dialog'
import { useState, type ReactNode } from 'react'
import { classNames } from '../lib/class-names.ts'
import { Button } from './button.tsx'
import { Icon } from './icon.tsx'

const backdrop = 'fixed inset-0 z-40 bg-veil transition-opacity duration-150'
const popup =
  'ease-pop fixed top-1/2 left-1/2 z-40 flex max-h-[calc(100dvh-2rem)] w-[calc(100vw-2rem)] -translate-x-1/2 -translate-y-1/2 flex-col rounded-xl border border-line bg-surface shadow-pop outline-none'

interface DialogProps {
  open: boolean
  onOpenChange: (open: boolean) => void
  title: string
  lead?: ReactNode
  children: ReactNode
  wide?: boolean
}

export function Dialog({ open, onOpenChange, title, lead, children, wide = false }: DialogProps) {
  return (
    <Base.Root open={open} onOpenChange={onOpenChange}>
      <Base.Portal>
        <Base.Backdrop className={backdrop} />
        <Base.Popup className={classNames(popup, wide ? 'max-w-220' : 'max-w-130')}>
          <header className="px-5 pt-4 pr-12 pb-3">
            <Base.Title title={title} className="line-clamp-3 text-lg font-semibold tracking-tight">
              {title}
            </Base.Title>
            {lead && <Base.Description className="text-sm text-muted">{lead}</Base.Description>}
          </header>
          {children}
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
        'scroll-quiet min-h-0 flex-1 overflow-y-auto rounded-b-xl px-5 pb-4 focus-visible:-outline-offset-2',
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

interface ConfirmProps {
  open: boolean
  onOpenChange: (open: boolean) => void
  title: string
  children: ReactNode
  /** What the button says: the verb, never "OK". */
  action: string
  busy?: boolean
  onConfirm: () => void
}

export function Confirm(props: ConfirmProps) {
  return (
    <AlertDialog.Root open={props.open} onOpenChange={props.onOpenChange}>
      <AlertDialog.Portal>
        {/* Over another dialog, too: what asks is not part of it. */}
        <AlertDialog.Backdrop forceRender className={backdrop} />
        <AlertDialog.Popup className={classNames(popup, 'max-w-110')}>
          <div className="px-5 pt-4 pb-4">
            <AlertDialog.Title className="text-lg font-semibold tracking-tight">
              {props.title}
            </AlertDialog.Title>
            <AlertDialog.Description className="mt-1 text-sm text-muted" render={<div />}>
              {props.children}
            </AlertDialog.Description>
          </div>
          <DialogFooter>
            <AlertDialog.Close render={<Button look="quiet">Cancel</Button>} />
            <Button look="danger" busy={props.busy ?? false} onClick={props.onConfirm}>
              {props.action}
            </Button>
          </DialogFooter>
        </AlertDialog.Popup>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  )
}

interface QuestionProps<T> extends Pick<ConfirmProps, 'action' | 'busy'> {
  /** What is asked about; nothing while nobody asks. */
  about: T | undefined
  onClose: () => void
  title: (about: T) => string
  /** What is lost by it. */
  children: (about: T) => ReactNode
  onConfirm: (about: T) => void
}

/** Asks before something happens to one of many, which the question names until it is gone. */
export function Question<T>({
  about,
  onClose,
  title,
  children,
  onConfirm,
  ...rest
}: QuestionProps<T>) {
  const [last, setLast] = useState(about)
  if (about !== undefined && about !== last) setLast(about)
  const shown = about ?? last
  if (shown === undefined) return null
  return (
    <Confirm
      {...rest}
      open={about !== undefined}
      onOpenChange={onClose}
      title={title(shown)}
      onConfirm={() => onConfirm(shown)}
    >
      {children(shown)}
    </Confirm>
  )
}
