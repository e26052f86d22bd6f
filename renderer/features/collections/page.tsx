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
      lead={words.lead}
      actions={
        <Button look="primary" icon="plus" onClick={() => setCreating(true, { push: true })}>
          {words.create}
        </Button>
      }
    >
      <div className="flex flex-wrap items-center gap-2 pb-3">
        <TextInput
          type="search"
          aria-label={words.filter}
          placeholder={words.filterPlaceholder}
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
  if (filtered) return <Empty icon="collection" title={words.noMatch} />
  return user === '' ? (
    <Empty icon="collection" title={words.empty}>
      {words.emptyHint}
    </Empty>
  ) : (
    <Empty icon="collection" title={words.noneSeen(user)}>
      {words.noneSeenHint}
    </Empty>
  )
}
