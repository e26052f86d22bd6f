import type { RepoItem } from '../../../../server/contract/control-repos.ts'
import { FormDialog } from '../../../ui/form-dialog.tsx'
import { TextAreaField, TextField } from '../../../ui/field.tsx'
import { FormError } from '../../../shared/form-error.tsx'
import { useForm } from '../../../shared/use-form.ts'
import { Segments } from '../../../ui/segments.tsx'
import { Checkbox } from '../../../ui/switch.tsx'
import { omitUndefined } from '../../../lib/omit-undefined.ts'
import { useCreateRepo } from '../model/requests.ts'

interface RepoForm {
  type: RepoItem['type']
  name: string
  private: boolean
  readme: string
}

const emptyForm: RepoForm = { type: 'model', name: '', private: false, readme: '' }

export function CreateRepoDialog({ onClose }: { onClose: () => void }) {
  const create = useCreateRepo()
  const { form, patch, issue } = useForm(() => emptyForm, create.error)
  return (
    <FormDialog
      title="Create a repo"
      action="Create it"
      busy={create.isPending}
      onSubmit={() => {
        create.mutate(
          omitUndefined({
            type: form.type,
            name: form.name,
            private: form.private,
            files: form.readme ? { 'README.md': form.readme } : undefined,
          }),
          { onSuccess: onClose },
        )
      }}
      onClose={onClose}
    >
      <Segments
        label="Type"
        value={form.type}
        onChange={(type) => patch({ type })}
        options={[
          { value: 'model', label: 'Model' },
          { value: 'dataset', label: 'Dataset' },
          { value: 'space', label: 'Space' },
        ]}
      />
      <TextField
        label="Name"
        error={issue('name')}
        required
        pattern="[^\/]+\/[^\/]+"
        title="namespace/name"
        placeholder="acme/new"
        value={form.name}
        onChange={(name) => patch({ name })}
      />
      <TextAreaField
        label="README.md"
        hint="Empty: no file"
        error={issue('files')}
        rows={5}
        value={form.readme}
        onChange={(readme) => patch({ readme })}
      />
      <Checkbox checked={form.private} onChange={(isPrivate) => patch({ private: isPrivate })}>
        Private
      </Checkbox>
      <FormError error={create.error} beside={['name', 'files']} />
    </FormDialog>
  )
}
