import type { RequestDetail } from '../../../../server/contract/control-requests.ts'
import { FormError } from '../../../shared/form-error.tsx'
import { useForm } from '../../../shared/use-form.ts'
import { Button } from '../../../ui/button.tsx'
import { TextAreaField, TextField } from '../../../ui/field.tsx'
import { FormDialog } from '../../../ui/form-dialog.tsx'
import { SelectField } from '../../../ui/select.tsx'
import { changesOf, headerProblem, resendForm, useResend } from '../model/resend.ts'
import { words } from '../words.ts'

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'].map((value) => ({
  value,
  label: value,
}))

interface ResendDialogProps {
  request: RequestDetail
  onSent: (id: string, status: number) => void
  onClose: () => void
}

/** Form of a request that is sent again with changes. */
export function ResendDialog({ request, onSent, onClose }: ResendDialogProps) {
  const resend = useResend()
  const { opened, form, patch, issue, field } = useForm(() => resendForm(request), resend.error)
  const problem = headerProblem(form.headers)
  return (
    <FormDialog
      wide
      title={words.editAndResend}
      lead={words.resendLead}
      action={words.resend}
      icon="request"
      busy={resend.isPending}
      disabled={problem !== undefined}
      onClose={onClose}
      onSubmit={() =>
        resend.mutate(
          { id: request.id, changes: changesOf(opened, form) },
          { onSuccess: ({ id, status }) => onSent(id, status) },
        )
      }
      further={
        <Button look="quiet" onClick={() => patch(opened)}>
          Revert
        </Button>
      }
    >
      <div className="flex flex-wrap items-start gap-3">
        <SelectField label={words.method} className="w-28" options={methods} {...field('method')} />
        <div className="min-w-48 flex-1">
          <TextField label="Path and query" {...field('path')} />
        </div>
      </div>
      <TextAreaField
        label="Headers"
        rows={7}
        value={form.headers}
        onChange={(headers) => patch({ headers })}
        error={problem ?? issue('headers')}
      />
      <TextAreaField label="Body" rows={8} {...field('body')} />
      <FormError error={resend.error} beside={['method', 'path', 'headers', 'body']} />
    </FormDialog>
  )
}
