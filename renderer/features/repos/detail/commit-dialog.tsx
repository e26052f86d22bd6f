import { useState } from 'react'
import type { RepoFile } from '../../../../server/contract/control-repo-contents.ts'
import { ApiError } from '../../../api/client.ts'
import { Button } from '../../../ui/button.tsx'
import { Code } from '../../../ui/code.tsx'
import { FormDialog } from '../../../ui/form-dialog.tsx'
import { TextAreaField, TextField } from '../../../ui/field.tsx'
import { FormError } from '../../../shared/form-error.tsx'
import { Checkbox } from '../../../ui/switch.tsx'
import { notify } from '../../../ui/toast.tsx'
import { useCommit, type RepoPlace } from '../model/content-requests.ts'
import { words } from '../words.ts'

interface CommitDialogProps {
  place: RepoPlace
  revision: string
  actor: string
  /** File to edit, as it was when the dialog opened; absent to add one. */
  file?: RepoFile
  /** Current version of the file; `undefined` if it was deleted. */
  latest?: RepoFile | undefined
  /** Called when the revision has moved on and the file must be reloaded. */
  onOutdated?: () => void
  onClose: () => void
}

/** Commits a file, to the revision or as a pull request. */
export function CommitDialog(props: CommitDialogProps) {
  const { place, revision, actor, file, latest, onOutdated, onClose } = props
  /** Version that the commit replaces. */
  const [base, setBase] = useState(file)
  const [path, setPath] = useState(file?.path ?? '')
  const [content, setContent] = useState(file?.content ?? '')
  const [typedTitle, setTitle] = useState('')
  const [pullRequest, setPullRequest] = useState(false)
  const commit = useCommit(place)
  // Commits that did not touch this file are no conflict.
  const isChanged = base?.content !== latest?.content
  const title = typedTitle || `${file ? 'Update' : 'Add'} ${path || 'file'}`

  function send(text: string | null): void {
    commit.mutate(
      {
        user: actor,
        revision,
        title: text === null ? typedTitle || `Delete ${path}` : title,
        files: { [path]: text },
        pullRequest,
        // The file may have changed since the dialog opened.
        ...(base && { parentCommit: (isChanged || !latest ? base : latest).commitId }),
      },
      {
        onSuccess: ({ pullRequest: num }) => {
          notify(num === undefined ? 'Committed' : `Pull request #${num} opened`)
          onClose()
        },
        onError: () => onOutdated?.(),
      },
    )
  }

  return (
    <FormDialog
      wide
      title={file ? `Edit ${file.path}` : words.addFile}
      lead={`Commits to ${revision} as ${actor}.`}
      action={words.commit}
      busy={commit.isPending}
      onSubmit={() => send(content)}
      onClose={onClose}
      further={
        file && (
          <Button look="danger" icon="trash" onClick={() => send(null)}>
            Delete file
          </Button>
        )
      }
    >
      {!file && <TextField label={words.path} required value={path} onChange={setPath} />}
      <TextAreaField
        label="Content"
        rows={14}
        spellCheck={false}
        value={content}
        onChange={setContent}
      />
      <TextField label="Commit title" placeholder={title} value={typedTitle} onChange={setTitle} />
      <Checkbox checked={pullRequest} onChange={setPullRequest}>
        As a pull request
      </Checkbox>
      {isChanged && (
        <Changed
          path={path}
          latest={latest}
          onReplace={() => {
            setBase(latest)
            commit.reset()
          }}
        />
      )}
      <WhyRefused error={commit.error} revision={revision} isChanged={isChanged} />
    </FormDialog>
  )
}

const noticeClass = 'rounded-lg bg-warn-soft px-3 py-2 text-xs text-warn'

interface WhyRefusedProps {
  error: Error | null
  revision: string
  isChanged: boolean
}

function WhyRefused({ error, revision, isChanged }: WhyRefusedProps) {
  const isOutdated = error instanceof ApiError && error.status === 412
  if (!isOutdated) return <FormError error={error} />
  // Otherwise shown by Changed.
  return (
    !isChanged && (
      <p role="alert" className={noticeClass}>
        {`${revision} has moved on, but this file has not changed. Commit again.`}
      </p>
    )
  )
}

interface ChangedProps {
  path: string
  latest: RepoFile | undefined
  onReplace: () => void
}

/** Shows the changed file and offers to overwrite it. */
function Changed({ path, latest, onReplace }: ChangedProps) {
  return (
    <div role="alert" className="flex flex-col gap-2">
      <p className={noticeClass}>
        {latest
          ? 'This file has changed since you opened it. Your text is kept.'
          : 'This file was deleted since you opened it. Your text is kept.'}
      </p>
      {latest?.content !== undefined && (
        <details className="text-xs">
          <summary>Current content</summary>
          <Code text={latest.content} json={path.endsWith('.json')} label={`${path} now`} />
        </details>
      )}
      <Button size="small" className="self-start" onClick={onReplace}>
        Overwrite
      </Button>
    </div>
  )
}
