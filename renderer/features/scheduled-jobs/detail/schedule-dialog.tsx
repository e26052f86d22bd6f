import { useUsers } from '../../../api/accounts.ts'
import { FormError } from '../../../shared/form-error.tsx'
import { useForm } from '../../../shared/use-form.ts'
import { TextField } from '../../../ui/field.tsx'
import { FormDialog } from '../../../ui/form-dialog.tsx'
import { SelectField } from '../../../ui/select.tsx'
import { Checkbox } from '../../../ui/switch.tsx'
import { useCreateScheduledJob } from '../model/requests.ts'
import { words } from '../words.ts'

const emptyForm = {
  user: '',
  namespace: '',
  schedule: '@hourly',
  dockerImage: '',
  command: '',
  concurrency: false,
}

export function ScheduleDialog({ onClose }: { onClose: () => void }) {
  const create = useCreateScheduledJob()
  const { form, patch, field } = useForm(() => emptyForm, create.error)
  const users = useUsers().data?.items ?? []
  const user = form.user || users[0]?.username || ''

  function submit(): void {
    const { namespace, schedule, dockerImage, command, concurrency } = form
    const words = command.split(/\s+/).filter(Boolean)
    create.mutate(
      {
        user,
        schedule,
        dockerImage,
        command: words,
        concurrency,
        ...(namespace === '' ? {} : { namespace }),
      },
      { onSuccess: onClose },
    )
  }

  return (
    <FormDialog
      title="Schedule a job"
      action={words.create}
      busy={create.isPending}
      onSubmit={submit}
      onClose={onClose}
    >
      <TextField
        label={words.schedule}
        hint={words.scheduleHint}
        required
        className="font-mono text-xs!"
        {...field('schedule')}
      />
      <TextField
        label="Docker image"
        required
        placeholder="python:3.12"
        {...field('dockerImage')}
      />
      <TextField
        label="Command"
        hint="Words separated by spaces; quotes have no meaning"
        placeholder="python report.py"
        {...field('command')}
      />
      <div className="grid gap-3 sm:grid-cols-2">
        <SelectField
          label="User"
          {...field('user')}
          value={user}
          options={users.map(({ username }) => ({ value: username, label: username }))}
        />
        <TextField
          label="Owner"
          hint="User or organization; leave empty for the user"
          {...field('namespace')}
        />
      </div>
      <Checkbox checked={form.concurrency} onChange={(concurrency) => patch({ concurrency })}>
        Runs may overlap
      </Checkbox>
      <FormError
        error={create.error}
        beside={['schedule', 'dockerImage', 'command', 'user', 'namespace']}
      />
    </FormDialog>
  )
}
