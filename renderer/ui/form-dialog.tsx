import type { ReactNode } from 'react'
import { Button } from './button.tsx'
import { Dialog, DialogBody, DialogFooter } from './dialog.tsx'
import type { IconName } from './icon.tsx'

interface DialogFormProps {
  /** Label of the submit button: a verb. */
  action: string
  icon?: IconName
  busy: boolean
  disabled?: boolean
  onSubmit: () => void
  onClose: () => void
  /** Stops the submitted action while it runs; its button replaces the others. */
  onStop?: (() => void) | undefined
  /** The result of the submitted action is shown, so there is nothing left to cancel. */
  isDone?: boolean
  /** Further actions, at the left of the footer. */
  further?: ReactNode
  children: ReactNode
}

/** Form inside a dialog, with "Cancel" and its submit button in the footer. */
export function DialogForm(props: DialogFormProps) {
  const { action, icon, busy, disabled = false, onSubmit, onClose, onStop, further } = props
  return (
    <form
      className="flex min-h-0 flex-1 flex-col"
      onSubmit={(event) => {
        event.preventDefault()
        if (!onStop) onSubmit()
      }}
    >
      <DialogBody>
        <div className="flex flex-col gap-3.5 pt-1">{props.children}</div>
      </DialogBody>
      <DialogFooter>
        {further && <div className="mr-auto flex flex-wrap gap-2">{further}</div>}
        {onStop ? (
          <Button onClick={onStop}>Stop</Button>
        ) : (
          <>
            <Button look="quiet" onClick={onClose}>
              {props.isDone ? 'Done' : 'Cancel'}
            </Button>
            <Button
              look="primary"
              type="submit"
              busy={busy}
              disabled={disabled}
              {...(icon && { icon })}
            >
              {action}
            </Button>
          </>
        )}
      </DialogFooter>
    </form>
  )
}

interface FormDialogProps extends DialogFormProps {
  title: string
  lead?: ReactNode
  wide?: boolean
}

/** Dialog that is one form; open as long as it is mounted. */
export function FormDialog({ title, lead, wide = false, ...form }: FormDialogProps) {
  return (
    <Dialog open onOpenChange={form.onClose} title={title} lead={lead} wide={wide}>
      <DialogForm {...form} />
    </Dialog>
  )
}
