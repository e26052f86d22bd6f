import { useLocation } from 'wouter'
import type { RepoItem } from '../../../../server/contract/control-repos.ts'
import { useUsers } from '../../../api/accounts.ts'
import { useRepos } from '../../../api/repos.ts'
import { FormDialog } from '../../../ui/form-dialog.tsx'
import { TextAreaField, TextField } from '../../../ui/field.tsx'
import { FormError } from '../../../shared/form-error.tsx'
import { useForm } from '../../../shared/use-form.ts'
import { Segments } from '../../../ui/segments.tsx'
import { Checkbox } from '../../../ui/switch.tsx'
import { omitUndefined } from '../../../lib/omit-undefined.ts'
import { freeName } from '../model/free-name.ts'
import { useCreateRepo } from '../model/requests.ts'
import { words } from '../words.ts'

interface RepoForm {
  type: RepoItem['type']
  /** Empty: the proposed one. */
  name: string
  private: boolean
  readme: string
}

const emptyForm: RepoForm = { type: 'model', name: '', private: false, readme: '' }

/** A free name of the first user; empty while it is not known. */
function useFreeName(type: RepoItem['type']): string {
  const [user] = useUsers().data?.items ?? []
  const repos = useRepos().data?.items
  return user === undefined || repos === undefined ? '' : freeName(user.username, type, repos)
}

/** Form of a new repo, whose page it opens. */
export function CreateRepoDialog({ onClose }: { onClose: () => void }) {
  const [, navigate] = useLocation()
  const create = useCreateRepo()
  const { form, patch, field } = useForm(() => emptyForm, create.error)
  const proposed = useFreeName(form.type)
  return (
    <FormDialog
      title={words.createRepo}
      action={words.create}
      busy={create.isPending}
      onSubmit={() => {
        create.mutate(
          omitUndefined({
            type: form.type,
            name: form.name || proposed,
            private: form.private,
            files: form.readme ? { 'README.md': form.readme } : undefined,
          }),
          { onSuccess: ({ type, name }) => navigate(`/repos/${type}/${name}`) },
        )
      }}
      onClose={onClose}
    >
      <Segments
        label={words.type}
        value={form.type}
        onChange={(type) => patch({ type })}
        options={[
          { value: 'model', label: 'Model' },
          { value: 'dataset', label: 'Dataset' },
          { value: 'space', label: words.space },
          { value: 'bucket', label: 'Bucket' },
        ]}
      />
      <TextField
        label={words.name}
        required={proposed === ''}
        pattern="[^\/]+\/[^\/]+"
        title="namespace/name"
        placeholder={proposed}
        {...field('name')}
      />
      <TextAreaField
        label="README.md"
        hint="Leave empty for no file"
        rows={5}
        {...field('readme', 'files')}
      />
      <Checkbox checked={form.private} onChange={(isPrivate) => patch({ private: isPrivate })}>
        {words.private}
      </Checkbox>
      <FormError error={create.error} beside={['name', 'files']} />
    </FormDialog>
  )
}
