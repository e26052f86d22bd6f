import type { CollectionEntry } from '../../../../server/contract/control-collections.ts'
import { FormError } from '../../../shared/form-error.tsx'
import { useForm } from '../../../shared/use-form.ts'
import { TextAreaField } from '../../../ui/field.tsx'
import { FormDialog } from '../../../ui/form-dialog.tsx'
import { useUpdateItem } from '../model/requests.ts'
import { words } from '../words.ts'

interface NoteDialogProps {
  /** Collection. */
  id: string
  item: CollectionEntry
  /** The acting user; empty: the owner. */
  user: string
  onClose: () => void
}

export function NoteDialog({ id, item, user, onClose }: NoteDialogProps) {
  const update = useUpdateItem(id, 'Note saved')
  const { form, field } = useForm(() => ({ note: item.note ?? '' }), update.error)
  return (
    <FormDialog
      title={`Note of ${item.title ?? item.target}`}
      action={words.save}
      busy={update.isPending}
      onSubmit={() =>
        update.mutate(
          { item: item.id, note: form.note, ...(user === '' ? {} : { user }) },
          { onSuccess: onClose },
        )
      }
      onClose={onClose}
    >
      <TextAreaField label={words.note} rows={4} maxLength={500} {...field('note')} />
      <FormError error={update.error} beside={['note']} />
    </FormDialog>
  )
}
