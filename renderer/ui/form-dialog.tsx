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
  /** Further actions, at the left of the footer. */
  further?: ReactNode
  children: ReactNode
}

/** Form inside a dialog, with "Cancel" and its submit button in the footer. */
export function DialogForm(props: DialogFormProps) {
  const { action, icon, busy, disabled = false, onSubmit, onClose, further, children } = props
  return (
    <form
      className="flex min-h-0 flex-1 flex-col"
      onSubmit={(event) => {
        event.preventDefault()
        onSubmit()
      }}
    >
      <DialogBody>
        <div className="flex flex-col gap-3.5 pt-1">{children}</div>
      </DialogBody>
      <DialogFooter>
        {further}
        <Button look="quiet" onClick={onClose}>
          Cancel
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
