import { useState } from 'react'
import { Button } from '../../../ui/button.tsx'
import { Dialog, DialogBody, DialogFooter } from '../../../ui/dialog.tsx'
import { Field, TextArea, TextInput } from '../../../ui/field.tsx'
import { FormError } from '../../../shared/form-error.tsx'
import { Checkbox } from '../../../ui/switch.tsx'
import { titleLength } from '../../../../server/contract/fixtures/limits.ts'
import { useOpenDiscussion, type RepoPlace } from '../model/content-requests.ts'

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
    <Dialog open onOpenChange={onClose} title="Open a discussion" lead={`As ${actor}.`}>
      <form
        className="flex min-h-0 flex-1 flex-col"
        onSubmit={(event) => {
          event.preventDefault()
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
      >
        <DialogBody>
          <div className="flex flex-col gap-3">
            <Field label="Title" hint={`${titleLength.min} to ${titleLength.max} characters`}>
              {(control) => (
                <TextInput
                  {...control}
                  required
                  value={title}
                  onChange={(event) => setTitle(event.target.value)}
                />
              )}
            </Field>
            <Field label="Opening comment">
              {(control) => (
                <TextArea
                  {...control}
                  rows={5}
                  value={description}
                  onChange={(event) => setDescription(event.target.value)}
                />
              )}
            </Field>
            <Checkbox checked={pullRequest} onChange={setPullRequest}>
              A draft pull request, without commits yet
            </Checkbox>
            <FormError error={open.error} />
          </div>
        </DialogBody>
        <DialogFooter>
          <Button look="quiet" onClick={onClose}>
            Cancel
          </Button>
          <Button look="primary" type="submit" busy={open.isPending}>
            Open it
          </Button>
        </DialogFooter>
      </form>
    </Dialog>
  )
}
