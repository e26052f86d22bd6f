import { useState } from 'react'
import { Link } from 'wouter'
import type {
  CollectionDetail,
  CollectionEntry,
} from '../../../../server/contract/control-collections.ts'
import { IconButton } from '../../../ui/button.tsx'
import { Icon, type IconName } from '../../../ui/icon.tsx'
import { Table, type Column } from '../../../ui/table.tsx'
import { useRemoveItem, useUpdateItem } from '../model/requests.ts'
import { words } from '../words.ts'
import { NoteDialog } from './note-dialog.tsx'

interface ItemTableProps {
  collection: CollectionDetail
  /** The acting user; empty: the owner. */
  user: string
}

/** Items in their order; who may change the collection edits notes, moves and removes items. */
export function ItemTable({ collection, user }: ItemTableProps) {
  const { id, items, mayChange } = collection
  const actor = user === '' ? {} : { user }
  const update = useUpdateItem(id)
  const remove = useRemoveItem(id, actor)
  const [editing, setEditing] = useState<CollectionEntry>()
  /** Moves an item past its neighbour in view: between them may be hidden ones. */
  const move = (item: CollectionEntry, step: 1 | -1) => {
    const neighbour = items[items.indexOf(item) + step]
    if (neighbour === undefined) return
    update.mutate({ item: item.id, position: neighbour.position, ...actor })
  }
  const columns: Column<CollectionEntry>[] = [
    { title: 'Item', minWidth: 10, renderCell: (item) => <Target item={item} user={user} /> },
    {
      title: words.note,
      minWidth: 9,
      renderCell: ({ note }) => (
        <span className="block truncate text-xs text-muted" title={note}>
          {note}
        </span>
      ),
    },
    {
      title: 'Actions',
      inCard: 'action',
      width: 9,
      align: 'right',
      renderCell: (item) => (
        <span className="inline-flex">
          <IconButton
            size="small"
            icon="edit"
            label={`Edit the note of ${nameOf(item)}`}
            onClick={() => setEditing(item)}
          />
          <IconButton
            size="small"
            icon="down"
            className="[&_svg]:rotate-180"
            label={`Move ${nameOf(item)} up`}
            disabled={item === items[0]}
            busy={update.isPending}
            onClick={() => move(item, -1)}
          />
          <IconButton
            size="small"
            icon="down"
            label={`Move ${nameOf(item)} down`}
            disabled={item === items.at(-1)}
            busy={update.isPending}
            onClick={() => move(item, 1)}
          />
          <IconButton
            size="small"
            icon="trash"
            label={`Remove ${nameOf(item)}`}
            busy={remove.isPending}
            onClick={() => remove.mutate({ item: item.id })}
          />
        </span>
      ),
    },
  ]
  return (
    <>
      <Table
        label={words.items}
        rows={items}
        rowKey={(item) => item.id}
        columns={mayChange ? columns : columns.slice(0, -1)}
      />
      {editing && (
        <NoteDialog id={id} item={editing} user={user} onClose={() => setEditing(undefined)} />
      )}
    </>
  )
}

const icons: Readonly<Record<CollectionEntry['type'], IconName>> = {
  model: 'model',
  dataset: 'dataset',
  space: 'space',
  bucket: 'bucket',
  paper: 'audit',
  collection: 'collection',
}

function Target({ item, user }: { item: CollectionEntry; user: string }) {
  const { type } = item
  const name = nameOf(item)
  const label = (
    <>
      <Icon name={icons[type]} className="size-4 text-faint" />
      <span className="truncate">{name}</span>
      {item.private && (
        <span title={words.private}>
          <Icon name="lock" className="size-3.5 text-muted" />
          <span className="sr-only">{words.private}</span>
        </span>
      )}
    </>
  )
  const className = 'flex max-w-full items-center gap-2'
  if (type === 'paper') {
    return (
      <span className={className} title={name}>
        {label}
      </span>
    )
  }
  return (
    <Link href={pathOf(item, user)} title={name} className={`${className} hover:underline`}>
      {label}
    </Link>
  )
}

function pathOf({ type, target }: CollectionEntry, user: string): string {
  const as = user && `?as=${encodeURIComponent(user)}`
  // A slug ends with the id.
  return type === 'collection'
    ? `/collections/${target.slice(-24)}${as}`
    : `/repos/${type}/${target}`
}

function nameOf({ title, target }: CollectionEntry): string {
  return title ?? target
}
