import type { CollectionDetail } from '../../../../server/contract/control-collections.ts'
import { collectionThemes } from '../../../../server/contract/words/hub-words.ts'
import { changedParts } from '../../../lib/changed-parts.ts'
import { FormError } from '../../../shared/form-error.tsx'
import { useForm } from '../../../shared/use-form.ts'
import { TextAreaField, TextField } from '../../../ui/field.tsx'
import { FormDialog } from '../../../ui/form-dialog.tsx'
import { SelectField } from '../../../ui/select.tsx'
import { Checkbox } from '../../../ui/switch.tsx'
import { useCreateCollection, useUpdateCollection } from '../model/requests.ts'
import { words } from '../words.ts'

interface CollectionDialogProps {
  /** Collection to edit; absent to create one. */
  collection?: CollectionDetail
  /** The acting user; empty: the owner. */
  user: string
  onClose: () => void
  onSaved: (collection: CollectionDetail) => void
}

const themes = collectionThemes.map((value) => ({ value, label: value }))

function formOf(collection: CollectionDetail | undefined, user: string) {
  return {
    owner: collection?.owner ?? user,
    title: collection?.title ?? '',
    description: collection?.description ?? '',
    private: collection?.private ?? false,
    theme: collection?.theme ?? 'orange',
  }
}

export function CollectionDialog({ collection, user, onClose, onSaved }: CollectionDialogProps) {
  const create = useCreateCollection()
  const update = useUpdateCollection(collection?.id ?? '')
  const { error, isPending } = collection ? update : create
  const { opened, form, patch, field } = useForm(() => formOf(collection, user), error)
  const actor = user === '' ? {} : { user }

  function submit(): void {
    const { owner, theme, ...fields } = form
    const done = { onSuccess: onSaved }
    if (collection === undefined) {
      create.mutate({ ...fields, owner, ...actor }, done)
      return
    }
    const changed = changedParts({ ...opened }, { ...fields, owner, theme })
    if (Object.keys(changed).length === 0) onClose()
    else update.mutate({ ...changed, ...actor }, done)
  }

  return (
    <FormDialog
      title={collection ? 'Edit collection' : 'Create collection'}
      action={collection ? words.save : words.create}
      busy={isPending}
      onSubmit={submit}
      onClose={onClose}
    >
      {!collection && (
        <TextField
          label={words.owner}
          hint="User or organization"
          required
          placeholder="acme"
          {...field('owner')}
        />
      )}
      <TextField label="Title" required maxLength={60} {...field('title')} />
      <TextAreaField label="Description" rows={3} maxLength={150} {...field('description')} />
      {collection && (
        <SelectField
          label="Color"
          value={form.theme}
          onChange={(theme) => patch({ theme })}
          options={themes}
        />
      )}
      <Checkbox checked={form.private} onChange={(isPrivate) => patch({ private: isPrivate })}>
        Private: only its owner and members of the organization see it
      </Checkbox>
      <FormError error={error} beside={['owner', 'title', 'description']} />
    </FormDialog>
  )
}
