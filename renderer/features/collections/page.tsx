import { ResourcePage } from '../../shared/resource-page.tsx'
import { useLocation } from 'wouter'
import { TextInput } from '../../ui/field.tsx'
import { Empty, NoMatch } from '../../ui/states.tsx'
import { useParameter } from '../../lib/parameters.ts'
import { CollectionDialog } from './detail/collection-dialog.tsx'
import { CollectionPage } from './detail/collection-page.tsx'
import { collectionColumns } from './list/collection-columns.tsx'
import { ViewAs } from './list/view-as.tsx'
import { useCollections } from './model/requests.ts'
import { words } from './words.ts'

/** The collections, or one of them. */
export function CollectionsPage({ collectionId }: { collectionId: string | undefined }) {
  return collectionId === undefined ? <CollectionList /> : <CollectionPage id={collectionId} />
}

function CollectionList() {
  const [user, setUser] = useParameter('as')
  const [text, setText] = useParameter('q')
  const collections = useCollections(user)
  const [, navigate] = useLocation()
  const open = ({ id }: { id: string }, options = {}) =>
    navigate(`/collections/${id}${user && `?as=${encodeURIComponent(user)}`}`, options)
  const wanted = text.toLowerCase()
  return (
    <ResourcePage
      title={words.title}
      lead="Lists of repos, papers and other collections, with notes. Choose a user to see what they see and to act as them."
      query={collections}
      what="collections"
      rowKey={({ id }) => id}
      columns={collectionColumns(open)}
      onOpen={(collection) => open(collection)}
      isWanted={({ title, owner, description = '' }) =>
        `${title}\n${owner}\n${description}`.toLowerCase().includes(wanted)
      }
      renderEmpty={(isFiltered) =>
        isFiltered ? (
          <NoMatch what="collections" onClear={() => setText('')} />
        ) : (
          <NoCollections user={user} />
        )
      }
      create={{
        label: words.create,
        renderDialog: (close) => (
          <CollectionDialog
            user={user}
            onClose={close}
            onSaved={(saved) => open(saved, { replace: true })}
          />
        ),
      }}
      toolbar={
        <>
          <TextInput
            type="search"
            aria-label="Filter collections"
            placeholder="Title, owner or description"
            className="w-64! max-w-full"
            value={text}
            onChange={(event) => setText(event.target.value)}
          />
          <ViewAs user={user} onUser={setUser} />
        </>
      }
    />
  )
}

function NoCollections({ user }: { user: string }) {
  return user === '' ? (
    <Empty icon="collection" title="No collections yet">
      Create one here, or let a Hub client do it: create_collection of huggingface_hub.
    </Empty>
  ) : (
    <Empty icon="collection" title={`${user} sees no collections`}>
      The others are private.
    </Empty>
  )
}
