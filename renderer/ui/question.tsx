import { AlertDialog } from '@base-ui/react/alert-dialog'
import { useRef, useState, type ReactNode } from 'react'
import { classNames } from '../lib/class-names.ts'
import { Button } from './button.tsx'
import { backdropClass, DialogFooter, popupClass } from './dialog.tsx'

/** Something that is done to the server, as a mutation is. */
interface Write<Input> {
  mutateAsync: (input: Input) => Promise<unknown>
  isPending: boolean
}

/** A question that is asked before a write, with what it would be done to. */
export interface AskedFirst<Input> {
  ask: (about: Input) => void
  about: { input: Input } | undefined
  busy: boolean
  cancel: () => void
  confirm: (input: Input) => void
}

/**
 * Keeps a write behind a question, which {@link Question} shows: asked about one input at a time, and
 * over when the write is, whether it succeeded or not.
 * @param onDone what else follows when it succeeded
 */
export function useQuestion<Input>(write: Write<Input>, onDone?: () => void): AskedFirst<Input> {
  const [about, setAbout] = useState<{ input: Input }>()
  const cancel = () => setAbout(undefined)
  return {
    ask: (input) => setAbout({ input }),
    about,
    busy: write.isPending,
    cancel,
    confirm: (input) => {
      // Not by the options of `mutate`: they are dropped when what asks is gone before the answer was
      // worked up, as the dialog of a repo is with the repo. The write reports its own failure.
      void write
        .mutateAsync(input)
        .then(onDone, () => undefined)
        .finally(cancel)
    },
  }
}

interface QuestionProps<Input> {
  of: AskedFirst<Input>
  title: (input: Input) => string
  /** Label of the button: a verb, never "OK". */
  action: string | ((input: Input) => string)
  /** Default: it cannot be undone. */
  look?: (input: Input) => 'danger' | 'primary'
  /** Consequences of the action. */
  children: (input: Input) => ReactNode
  wide?: boolean
}

/** Asks for confirmation before an action that cannot be undone, and names its target while it runs. */
export function Question<Input>({
  of: question,
  title,
  action,
  look = () => 'danger',
  children,
  wide = false,
}: QuestionProps<Input>) {
  const { about, busy, cancel, confirm } = question
  const [last, setLast] = useState(about)
  const no = useRef<HTMLButtonElement>(null)
  if (about !== undefined && about !== last) setLast(about)
  const shown = about ?? last
  if (shown === undefined) return null
  return (
    <AlertDialog.Root open={about !== undefined} onOpenChange={cancel}>
      <AlertDialog.Portal>
        {/* Over another dialog, too: what asks is not part of it. */}
        <AlertDialog.Backdrop forceRender className={backdropClass} />
        <AlertDialog.Popup
          initialFocus={no}
          className={classNames(popupClass, wide ? 'max-w-150' : 'max-w-110')}
        >
          <div className="scroll-quiet min-h-0 overflow-y-auto px-5 pt-4 pb-4 short:flex-none">
            <AlertDialog.Title className="text-lg font-semibold tracking-tight">
              {title(shown.input)}
            </AlertDialog.Title>
            <AlertDialog.Description className="mt-1 text-sm text-muted" render={<div />}>
              {children(shown.input)}
            </AlertDialog.Description>
          </div>
          <DialogFooter>
            <AlertDialog.Close ref={no} render={<Button look="quiet">Cancel</Button>} />
            <Button look={look(shown.input)} busy={busy} onClick={() => confirm(shown.input)}>
              {typeof action === 'string' ? action : action(shown.input)}
            </Button>
          </DialogFooter>
        </AlertDialog.Popup>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  )
}
