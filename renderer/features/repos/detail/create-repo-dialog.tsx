import { useState } from 'react'
import type { RepoItem } from '../../../../server/contract/control-repos.ts'
import { ApiError } from '../../../api/client.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog, DialogBody, DialogFooter } from '../../../ui/dialog.tsx'
import { Field, TextArea, TextInput } from '../../../ui/field.tsx'
import { FormError } from '../../../shared/form-error.tsx'
import { Segments } from '../../../ui/segments.tsx'
import { Checkbox } from '../../../ui/switch.tsx'
import { omitUndefined } from '../../../lib/omit-undefined.ts'
import { useCreateRepo } from '../model/requests.ts'

export function CreateRepoDialog({ onClose }: { onClose: () => void }) {
  const [type, setType] = useState<RepoItem['type']>('model')
  const [name, setName] = useState('')
  const [isPrivate, setPrivate] = useState(false)
  const [readme, setReadme] = useState('')
  const create = useCreateRepo()
  const issue = (path: string) =>
    create.error instanceof ApiError ? create.error.issue(path) : undefined
  return (
    <Dialog open onOpenChange={onClose} title="Create a repo">
      <form
        className="flex min-h-0 flex-1 flex-col"
        onSubmit={(event) => {
          event.preventDefault()
          create.mutate(
            omitUndefined({
              type,
              name,
              private: isPrivate,
              files: readme ? { 'README.md': readme } : undefined,
            }),
            { onSuccess: onClose },
          )
        }}
      >
        <DialogBody>
          <div className="flex flex-col gap-3">
            <Segments
              label="Type"
              value={type}
              onChange={setType}
              options={[
                { value: 'model', label: 'Model' },
                { value: 'dataset', label: 'Dataset' },
                { value: 'space', label: 'Space' },
              ]}
            />
            <Field label="Name" error={issue('name')}>
              {(control) => (
                <TextInput
                  {...control}
                  required
                  pattern="[^\/]+\/[^\/]+"
                  title="namespace/name"
                  placeholder="acme/new"
                  value={name}
                  onChange={(event) => setName(event.target.value)}
                />
              )}
            </Field>
            <Field label="README.md" hint="Empty: no file" error={issue('files')}>
              {(control) => (
                <TextArea
                  {...control}
                  rows={5}
                  value={readme}
                  onChange={(event) => setReadme(event.target.value)}
                />
              )}
            </Field>
            <Checkbox checked={isPrivate} onChange={setPrivate}>
              Private
            </Checkbox>
            <FormError error={create.error} beside={['name', 'files']} />
          </div>
        </DialogBody>
        <DialogFooter>
          <Button look="quiet" onClick={onClose}>
            Cancel
          </Button>
          <Button look="primary" type="submit" busy={create.isPending}>
            Create it
          </Button>
        </DialogFooter>
      </form>
    </Dialog>
  )
}
