import {
  type CollectionItemType,
  collectionItemTypes,
} from '../../../../server/contract/words/hub-words.ts'
import { FormError } from '../../../shared/form-error.tsx'
import { useForm } from '../../../shared/use-form.ts'
import { TextAreaField, TextField } from '../../../ui/field.tsx'
import { FormDialog } from '../../../ui/form-dialog.tsx'
import { Segments } from '../../../ui/segments.tsx'
import { useAddItem } from '../model/requests.ts'
import { words } from '../words.ts'

const kinds = collectionItemTypes.map((value) => ({ value, label: words.kinds[value] }))
const emptyForm = { type: 'model' as CollectionItemType, target: '', note: '' }

interface AddItemDialogProps {
  /** Collection. */
  id: string
  /** The acting user; empty: the owner. */
  user: string
  onClose: () => void
}

export function AddItemDialog({ id, user, onClose }: AddItemDialogProps) {
  const add = useAddItem(id)
  const { form, patch, field } = useForm(() => emptyForm, add.error)
  return (
    <FormDialog
      title="Add item"
      action={words.addItem}
      busy={add.isPending}
      onSubmit={() => {
        const { type, target, note } = form
        const further = { ...(note === '' ? {} : { note }), ...(user === '' ? {} : { user }) }
        add.mutate({ type, target: target.trim(), ...further }, { onSuccess: onClose })
      }}
      onClose={onClose}
    >
      <Segments
        label="Kind"
        value={form.type}
        onChange={(type) => patch({ type })}
        options={kinds}
      />
      <TextField label="Name" hint={words.targetHints[form.type]} required {...field('target')} />
      <TextAreaField label={words.note} rows={3} maxLength={500} {...field('note')} />
      <FormError error={add.error} beside={['target', 'note']} />
    </FormDialog>
  )
}
