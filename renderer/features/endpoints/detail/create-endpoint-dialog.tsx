import { endpointTypes } from '../../../../server/contract/words/endpoints.ts'
import { FormError } from '../../../shared/form-error.tsx'
import { useForm } from '../../../shared/use-form.ts'
import { Field, TextField } from '../../../ui/field.tsx'
import { FormDialog } from '../../../ui/form-dialog.tsx'
import { Select } from '../../../ui/select.tsx'
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
  const { form, patch, issue } = useForm(() => emptyForm, create.error)

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
      title={words.createTitle}
      action={words.create}
      busy={create.isPending}
      onSubmit={submit}
      onClose={onClose}
    >
      <div className="grid gap-3 sm:grid-cols-2">
        <TextField
          label={words.namespace}
          hint={words.namespaceHint}
          error={issue('namespace')}
          required
          placeholder="acme"
          value={form.namespace}
          onChange={(namespace) => patch({ namespace })}
        />
        <TextField
          label={words.name}
          hint={words.nameHint}
          error={issue('name')}
          required
          placeholder="chat"
          value={form.name}
          onChange={(name) => patch({ name })}
        />
      </div>
      <TextField
        label={words.repository}
        error={issue('repository')}
        required
        placeholder="acme/tiny"
        value={form.repository}
        onChange={(repository) => patch({ repository })}
      />
      <Field label={words.accessType}>
        {(control) => (
          <Select
            {...control}
            value={form.type}
            onChange={(type) => patch({ type })}
            options={types}
          />
        )}
      </Field>
      <div className="grid gap-3 sm:grid-cols-2">
        <TextField
          label={words.minReplica}
          error={issue('scaling.minReplica')}
          type="number"
          min={0}
          max={1000}
          required
          value={form.minReplica}
          onChange={(minReplica) => patch({ minReplica })}
        />
        <TextField
          label={words.maxReplica}
          error={issue('scaling.maxReplica')}
          type="number"
          min={1}
          max={1000}
          required
          value={form.maxReplica}
          onChange={(maxReplica) => patch({ maxReplica })}
        />
      </div>
      <TextField
        label={words.timeout}
        hint={words.timeoutHint}
        error={issue('scaling.scaleToZeroTimeout')}
        type="number"
        min={1}
        max={1_000_000}
        value={form.timeout}
        onChange={(timeout) => patch({ timeout })}
      />
      <FormError
        error={create.error}
        beside={['namespace', 'name', 'repository', 'scaling.minReplica', 'scaling.maxReplica']}
      />
    </FormDialog>
  )
}
