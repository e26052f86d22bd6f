import type { CollectionItem } from '../../../../server/contract/control-collections.ts'
import { Badge } from '../../../ui/badge.tsx'
import type { Column } from '../../../ui/table.tsx'
import { Moment } from '../../../ui/time.tsx'
import { words } from '../words.ts'
import { visibleControls } from '../../../lib/visible-controls.ts'

/** @param onOpen opens the page of a collection */
export function collectionColumns(
  onOpen: (collection: CollectionItem) => void,
): Column<CollectionItem>[] {
  return [
    {
      title: words.collection,
      minWidth: 10,
      sortBy: ({ title }) => title,
      renderCell: (collection) => (
        <button
          type="button"
          title={visibleControls(collection.title)}
          className="flex w-full min-w-0 flex-col text-left"
          onClick={(event) => {
            event.stopPropagation()
            onOpen(collection)
          }}
        >
          <span className="w-full truncate font-medium hover:underline">
            {visibleControls(collection.title)}
          </span>
          {collection.description && (
            <span className="w-full truncate text-2xs text-muted">
              {visibleControls(collection.description)}
            </span>
          )}
        </button>
      ),
    },
    {
      title: words.owner,
      minWidth: 7,
      sortBy: ({ owner }) => owner,
      renderCell: ({ owner }) => (
        <span className="block truncate" title={owner}>
          {owner}
        </span>
      ),
    },
    {
      title: 'Access',
      width: 6.5,
      sortBy: (collection) => Number(!collection.private),
      renderCell: (collection) => collection.private && <Badge icon="lock">{words.private}</Badge>,
    },
    {
      title: words.items,
      width: 5,
      align: 'right',
      descendsFirst: true,
      sortBy: ({ size }) => size,
      renderCell: ({ size }) => size,
    },
    {
      title: 'Upvotes',
      width: 5.5,
      align: 'right',
      priority: 3,
      descendsFirst: true,
      sortBy: ({ upvotes }) => upvotes,
      renderCell: ({ upvotes }) => upvotes,
    },
    {
      title: 'Changed',
      width: 7.5,
      priority: 2,
      descendsFirst: true,
      sortBy: ({ updatedAt }) => updatedAt,
      renderCell: ({ updatedAt }) => (
        <span className="text-xs text-muted">
          <Moment time={updatedAt} />
        </span>
      ),
    },
  ]
}
