import { useState } from 'react'
import type { QueryList } from '../../../server/contract/query/query-keys.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { Dialog, DialogBody } from '../../ui/dialog.tsx'
import { TextField } from '../../ui/field.tsx'
import { notify } from '../../ui/toast.tsx'
import { words } from '../words.ts'
import { cleanName, longestName, useSavedViews } from './saved-views.ts'

interface ViewsMenuProps {
  list: QueryList
  query: string
  onQuery: (query: string) => void
}

/** Saved queries of a list: open, save, delete. */
export function ViewsMenu(props: ViewsMenuProps) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <IconButton icon="bookmark" label={words.savedViews} onClick={() => setOpen(true)} />
      {isOpen && <ViewsDialog {...props} onClose={() => setOpen(false)} />}
    </>
  )
}

function ViewsDialog({ list, query, onQuery, onClose }: ViewsMenuProps & { onClose: () => void }) {
  const { views, save, remove } = useSavedViews()
  const [typed, setTyped] = useState('')
  const name = cleanName(typed)
  const own = views.filter((view) => view.list === list)
  const replaced = own.some((view) => view.name === name)
  const canSave = name !== '' && query.trim() !== ''
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={words.savedViews}
      lead="Queries of this list, kept in this browser. The palette finds them, too."
    >
      <DialogBody>
        <form
          className="flex items-start gap-2 pt-1"
          onSubmit={(event) => {
            event.preventDefault()
            if (!canSave) return
            save({ list, name, query })
            notify(`View ${name} saved`)
            setTyped('')
          }}
        >
          <div className="min-w-0 flex-1">
            <TextField
              label="Name"
              value={typed}
              maxLength={longestName}
              onChange={setTyped}
              disabled={query.trim() === ''}
              hint={
                query.trim() === ''
                  ? 'Type a query into the list first.'
                  : replaced
                    ? `Replaces the query of ${name}.`
                    : query
              }
            />
          </div>
          <Button look="primary" type="submit" disabled={!canSave} className="mt-5.5">
            Save query
          </Button>
        </form>
        <ul aria-label={words.savedViews} className="flex flex-col pt-3">
          {own.map((view) => (
            <li key={view.name} className="flex items-center gap-2 border-t border-line/60 py-1.5">
              <button
                type="button"
                title={`${view.name}\n${view.query}`}
                className="min-w-0 flex-1 rounded-md px-1 text-left hover:bg-hover"
                onClick={() => {
                  onQuery(view.query)
                  onClose()
                }}
              >
                <span className="block truncate text-sm">{view.name}</span>
                <span className="block truncate font-mono text-xs text-muted">{view.query}</span>
              </button>
              <IconButton
                size="small"
                icon="trash"
                label={`Delete view ${view.name}`}
                onClick={() => remove(view)}
              />
            </li>
          ))}
        </ul>
      </DialogBody>
    </Dialog>
  )
}
