import { useState } from 'react'
import type { RepoFile } from '../../../../server/contract/control-repo-contents.ts'
import { Button } from '../../../components/button.tsx'
import { Dialog, DialogBody, DialogFooter } from '../../../components/dialog.tsx'
import { Field, TextArea, TextInput } from '../../../components/field.tsx'
import { FormError } from '../../../components/form-error.tsx'
import { Checkbox } from '../../../components/switch.tsx'
import { notify } from '../../../components/toast.tsx'
import { useCommit, type RepoPlace } from './repo-content-requests.ts'

interface CommitDialogProps {
  place: RepoPlace
  revision: string
  actor: string
  /** Changed; without it one is added. */
  file?: RepoFile
  onClose: () => void
}

/** Commits a file, to the revision or as a pull request. */
export function CommitDialog({ place, revision, actor, file, onClose }: CommitDialogProps) {
  const [path, setPath] = useState(file?.path ?? '')
  const [content, setContent] = useState(file?.content ?? '')
  const [typedTitle, setTitle] = useState('')
  const [pullRequest, setPullRequest] = useState(false)
  const commit = useCommit(place)
  const title = typedTitle || `${file ? 'Update' : 'Add'} ${path}`

  function send(text: string | null): void {
    commit.mutate(
      {
        user: actor,
        revision,
        title: text === null ? typedTitle || `Delete ${path}` : title,
        files: { [path]: text },
        pullRequest,
        // Somebody may have committed since this was opened.
        ...(file && { parentCommit: file.commitId }),
      },
      {
        onSuccess: ({ pullRequest: num }) => {
          notify(num === undefined ? 'Committed' : `Pull request #${num} opened`)
          onClose()
        },
      },
    )
  }

  return (
    <Dialog
      wide
      open
      onOpenChange={onClose}
      title={file ? `Edit ${file.path}` : 'Add a file'}
      lead={`Commits to ${revision} as ${actor}.`}
    >
      <form
        className="flex min-h-0 flex-1 flex-col"
        onSubmit={(event) => {
          event.preventDefault()
          send(content)
        }}
      >
        <DialogBody>
          <div className="flex flex-col gap-3">
            {!file && (
              <Field label="Path">
                {(control) => (
                  <TextInput
                    {...control}
                    required
                    value={path}
                    onChange={(event) => setPath(event.target.value)}
                  />
                )}
              </Field>
            )}
            <Field label="Content">
              {(control) => (
                <TextArea
                  {...control}
                  rows={14}
                  spellCheck={false}
                  value={content}
                  onChange={(event) => setContent(event.target.value)}
                />
              )}
            </Field>
            <Field label="Title of the commit">
              {(control) => (
                <TextInput
                  {...control}
                  placeholder={title}
                  value={typedTitle}
                  onChange={(event) => setTitle(event.target.value)}
                />
              )}
            </Field>
            <Checkbox checked={pullRequest} onChange={setPullRequest}>
              As a pull request
            </Checkbox>
            <FormError error={commit.error} />
          </div>
        </DialogBody>
        <DialogFooter>
          {file && (
            <Button look="danger" icon="trash" className="mr-auto" onClick={() => send(null)}>
              Delete the file
            </Button>
          )}
          <Button look="quiet" onClick={onClose}>
            Cancel
          </Button>
          <Button look="primary" type="submit" busy={commit.isPending}>
            Commit
          </Button>
        </DialogFooter>
      </form>
    </Dialog>
  )
}
