import { useState } from 'react'
import { FormDialog } from '../../../ui/form-dialog.tsx'
import { TextAreaField, TextField } from '../../../ui/field.tsx'
import { FormError } from '../../../shared/form-error.tsx'
import { Checkbox } from '../../../ui/switch.tsx'
import { titleLength } from '../../../../server/contract/fixtures/limits.ts'
import { useOpenDiscussion, type RepoPlace } from '../model/content-requests.ts'
import { words } from '../words.ts'

interface OpenDiscussionDialogProps {
  place: RepoPlace
  actor: string
  onOpened: (num: number) => void
  onClose: () => void
}

export function OpenDiscussionDialog({
  place,
  actor,
  onOpened,
  onClose,
}: OpenDiscussionDialogProps) {
  const [title, setTitle] = useState('')
  const [description, setDescription] = useState('')
  const [pullRequest, setPullRequest] = useState(false)
  const open = useOpenDiscussion(place)
  return (
    <FormDialog
      title={words.openDiscussion}
      lead={`As ${actor}.`}
      action="Open"
      busy={open.isPending}
      onSubmit={() => {
        open.mutate(
          { user: actor, title, description, pullRequest },
          {
            onSuccess: ({ num }) => {
              onClose()
              onOpened(num)
            },
          },
        )
      }}
      onClose={onClose}
    >
      <TextField
        label="Title"
        hint={`${titleLength.min} to ${titleLength.max} characters`}
        required
        value={title}
        onChange={setTitle}
      />
      <TextAreaField label="First comment" rows={5} value={description} onChange={setDescription} />
      <Checkbox checked={pullRequest} onChange={setPullRequest}>
        Draft pull request, without commits yet
      </Checkbox>
      <FormError error={open.error} />
    </FormDialog>
  )
}
