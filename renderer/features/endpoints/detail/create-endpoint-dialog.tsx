import { endpointTypes } from '../../../../server/contract/words/endpoint-words.ts'
import { FormError } from '../../../shared/form-error.tsx'
import { useForm } from '../../../shared/use-form.ts'
import { TextField } from '../../../ui/field.tsx'
import { FormDialog } from '../../../ui/form-dialog.tsx'
import { SelectField } from '../../../ui/select.tsx'
import { useCreateEndpoint } from '../model/requests.ts'
import { words } from '../words.ts'

type AccessType = (typeof endpointTypes)[number]

const emptyForm = {
  namespace: '',
  name: '',
  repository: '',
  type: 'authenticated' as AccessType,
  minReplica: '0',
  maxReplica: '1',
  timeout: '',
}

// `protected` is the former name of `authenticated`.
const types = endpointTypes
  .filter((type) => type !== 'protected')
  .map((value) => ({ value, label: value }))

interface CreateEndpointDialogProps {
  onClose: () => void
  onCreated: (id: string) => void
}

export function CreateEndpointDialog({ onClose, onCreated }: CreateEndpointDialogProps) {
  const create = useCreateEndpoint()
  const { form, patch, field } = useForm(() => emptyForm, create.error)

  function submit(): void {
    const { namespace, name, repository, type, minReplica, maxReplica, timeout } = form
    const scaleToZeroTimeout = timeout === '' ? null : Number(timeout)
    const scaling = {
      minReplica: Number(minReplica),
      maxReplica: Number(maxReplica),
      scaleToZeroTimeout,
    }
    create.mutate(
      { namespace, name, repository, type, scaling },
      { onSuccess: ({ id }) => onCreated(id) },
    )
  }

  return (
    <FormDialog
      title="Create inference endpoint"
      action={words.create}
      busy={create.isPending}
      onSubmit={submit}
      onClose={onClose}
    >
      <div className="grid gap-3 sm:grid-cols-2">
        <TextField
          label="Owner"
          hint="User or organization"
          required
          placeholder="acme"
          {...field('namespace')}
        />
        <TextField
          label="Name"
          hint="Lower-case letters, digits and hyphens; at most 32"
          required
          placeholder="chat"
          {...field('name')}
        />
      </div>
      <TextField label="Model repo" required placeholder="acme/tiny" {...field('repository')} />
      <SelectField
        label="Access"
        value={form.type}
        onChange={(type) => patch({ type })}
        options={types}
      />
      <div className="grid gap-3 sm:grid-cols-2">
        <TextField
          label="Minimum replicas"
          type="number"
          min={0}
          max={1000}
          required
          {...field('minReplica', 'scaling.minReplica')}
        />
        <TextField
          label="Maximum replicas"
          type="number"
          min={1}
          max={1000}
          required
          {...field('maxReplica', 'scaling.maxReplica')}
        />
      </div>
      <TextField
        label="Scale to zero after (minutes)"
        hint="Leave empty: never. Needs 0 minimum replicas."
        type="number"
        min={1}
        max={1_000_000}
        {...field('timeout', 'scaling.scaleToZeroTimeout')}
      />
      <FormError
        error={create.error}
        beside={['namespace', 'name', 'repository', 'scaling.minReplica', 'scaling.maxReplica']}
      />
    </FormDialog>
  )
}
