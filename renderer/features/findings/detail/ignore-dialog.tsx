import type { AdviceFinding } from '../../../../server/contract/control-advice.ts'
import { FormError } from '../../../shared/form-error.tsx'
import { useForm } from '../../../shared/use-form.ts'
import { TextField } from '../../../ui/field.tsx'
import { FormDialog } from '../../../ui/form-dialog.tsx'
import { useIgnore } from '../model/requests.ts'
import { words } from '../words.ts'

interface IgnoreDialogProps {
  finding: AdviceFinding
  subject: string
  onClose: () => void
}

/** Asks for the reason why a finding is accepted. */
export function IgnoreDialog({ finding, subject, onClose }: IgnoreDialogProps) {
  const { rule, app, webhook } = finding
  const ignore = useIgnore()
  const { form, field } = useForm(() => ({ reason: '' }), ignore.error)
  function submit(): void {
    ignore.mutate(
      {
        rule,
        reason: form.reason,
        ...(app && { app: app.clientId }),
        ...(webhook && { webhook: webhook.id }),
      },
      { onSuccess: onClose },
    )
  }
  return (
    <FormDialog
      title={`Ignore ${rule}?`}
      lead={`For ${subject}, until the next reset.`}
      action={words.ignore}
      busy={ignore.isPending}
      disabled={form.reason.trim() === ''}
      onSubmit={submit}
      onClose={onClose}
    >
      <TextField
        label="Reason"
        hint="For good: config.advice.ignore of the fixtures file."
        required
        maxLength={1000}
        {...field('reason')}
      />
      <FormError error={ignore.error} beside={['reason']} />
    </FormDialog>
  )
}
