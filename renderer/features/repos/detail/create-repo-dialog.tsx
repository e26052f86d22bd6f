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
  /** Absent until it is typed: then a free one is proposed. */
  name: string | undefined
  private: boolean
  readme: string
}

const emptyForm: RepoForm = { type: 'model', name: undefined, private: false, readme: '' }

/** What was typed, or a free name of the first user. */
function useProposedName(type: RepoItem['type'], typed: string | undefined): string {
  const [user] = useUsers().data?.items ?? []
  const repos = useRepos().data?.items
  if (typed !== undefined) return typed
  return user === undefined || repos === undefined ? '' : freeName(user.username, type, repos)
}

/** Form of a new repo, whose page it opens. */
export function CreateRepoDialog({ onClose }: { onClose: () => void }) {
  const [, navigate] = useLocation()
  const create = useCreateRepo()
  const { form, patch, field } = useForm(() => emptyForm, create.error)
  const name = useProposedName(form.type, form.name)
  return (
    <FormDialog
      title={words.createRepo}
      action={words.create}
      busy={create.isPending}
      onSubmit={() => {
        create.mutate(
          omitUndefined({
            type: form.type,
            name,
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
        required
        pattern="[^\/]+\/[^\/]+"
        title="namespace/name"
        placeholder="acme/new"
        {...field('name')}
        value={name}
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
