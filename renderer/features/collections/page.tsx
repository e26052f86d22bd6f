import { useLocation } from 'wouter'
import { Button } from '../../ui/button.tsx'
import { TextInput } from '../../ui/field.tsx'
import { Page, Panel } from '../../ui/page.tsx'
import { Empty } from '../../ui/states.tsx'
import { QueryView } from '../../shared/query-view.tsx'
import { useFlag, useParameter } from '../../lib/parameters.ts'
import { CollectionDialog } from './detail/collection-dialog.tsx'
import { CollectionPage } from './detail/collection-page.tsx'
import { CollectionTable } from './list/collection-table.tsx'
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
  const [creating, setCreating] = useFlag('new')
  const open = (id: string, options = {}) =>
    navigate(`/collections/${id}${user && `?as=${encodeURIComponent(user)}`}`, options)
  return (
    <Page
      title={words.title}
      lead="Lists of repos, papers and other collections, with notes. Choose a user to see what they see and to act as them."
      actions={
        <Button look="primary" icon="plus" onClick={() => setCreating(true, { push: true })}>
          {words.create}
        </Button>
      }
    >
      <div className="flex flex-wrap items-center gap-2 pb-3">
        <TextInput
          type="search"
          aria-label="Filter collections"
          placeholder="Title, owner or description"
          className="w-64! max-w-full"
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
        <ViewAs user={user} onUser={setUser} />
      </div>
      <QueryView query={collections} what="collections">
        {({ items }) => {
          const wanted = text.toLowerCase()
          const rows = items.filter(({ title, owner, description = '' }) =>
            `${title}\n${owner}\n${description}`.toLowerCase().includes(wanted),
          )
          return (
            <Panel flush>
              {rows.length > 0 ? (
                <CollectionTable collections={rows} onOpen={({ id }) => open(id)} />
              ) : (
                <NoCollections filtered={items.length > 0} user={user} />
              )}
            </Panel>
          )
        }}
      </QueryView>
      {creating && (
        <CollectionDialog
          user={user}
          onClose={() => setCreating(false)}
          onSaved={({ id }) => open(id, { replace: true })}
        />
      )}
    </Page>
  )
}

function NoCollections({ filtered, user }: { filtered: boolean; user: string }) {
  if (filtered) return <Empty icon="collection" title="No matching collections" />
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
