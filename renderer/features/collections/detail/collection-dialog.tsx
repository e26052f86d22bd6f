import type { CollectionDetail } from '../../../../server/contract/control-collections.ts'
import { collectionThemes } from '../../../../server/contract/words/hub.ts'
import { changedParts } from '../../../lib/changed-parts.ts'
import { FormError } from '../../../shared/form-error.tsx'
import { useForm } from '../../../shared/use-form.ts'
import { Field, TextAreaField, TextField } from '../../../ui/field.tsx'
import { FormDialog } from '../../../ui/form-dialog.tsx'
import { Select } from '../../../ui/select.tsx'
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
  const { opened, form, patch, issue } = useForm(() => formOf(collection, user), error)
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
      title={collection ? words.editTitle : words.createTitle}
      action={collection ? words.save : words.create}
      busy={isPending}
      onSubmit={submit}
      onClose={onClose}
    >
      {!collection && (
        <TextField
          label={words.owner}
          hint={words.ownerHint}
          error={issue('owner')}
          required
          placeholder="acme"
          value={form.owner}
          onChange={(owner) => patch({ owner })}
        />
      )}
      <TextField
        label={words.name}
        error={issue('title')}
        required
        maxLength={60}
        value={form.title}
        onChange={(title) => patch({ title })}
      />
      <TextAreaField
        label={words.description}
        error={issue('description')}
        rows={3}
        maxLength={150}
        value={form.description}
        onChange={(description) => patch({ description })}
      />
      {collection && (
        <Field label={words.theme}>
          {(control) => (
            <Select
              {...control}
              value={form.theme}
              onChange={(theme) => patch({ theme })}
              options={themes}
            />
          )}
        </Field>
      )}
      <Checkbox checked={form.private} onChange={(isPrivate) => patch({ private: isPrivate })}>
        {words.isPrivate}
      </Checkbox>
      <FormError error={error} beside={['owner', 'title', 'description']} />
    </FormDialog>
  )
}
