import { useState } from 'react'
import { Link, useLocation } from 'wouter'
import type { CollectionDetail } from '../../../../server/contract/control-collections.ts'
import { QueryView } from '../../../shared/query-view.tsx'
import { Badge } from '../../../ui/badge.tsx'
import { Button, buttonClass } from '../../../ui/button.tsx'
import { CopyableId } from '../../../ui/copy.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { Page, Panel } from '../../../ui/page.tsx'
import { Question, useQuestion } from '../../../ui/question.tsx'
import { Empty } from '../../../ui/states.tsx'
import { plural } from '../../../lib/format.ts'
import { useParameter } from '../../../lib/parameters.ts'
import { ViewAs } from '../list/view-as.tsx'
import { useCollection, useDeleteCollection } from '../model/requests.ts'
import { words } from '../words.ts'
import { AddItemDialog } from './add-item-dialog.tsx'
import { CollectionDialog } from './collection-dialog.tsx'
import { ItemTable } from './item-table.tsx'
import { visibleControls } from '../../../lib/visible-controls.ts'

/** A collection with its items, as a user sees it. */
export function CollectionPage({ id }: { id: string }) {
  const [user, setUser] = useParameter('as')
  const collection = useCollection(id, user)
  const back = `/collections${user && `?as=${encodeURIComponent(user)}`}`
  return (
    <Page
      title={collection.data?.title ?? words.collection}
      lead={collection.data && <Lead collection={collection.data} />}
      actions={
        <Link href={back} className={buttonClass()}>
          <Icon name="collection" /> All collections
        </Link>
      }
    >
      <div className="flex flex-wrap items-center gap-2 pb-3">
        {collection.data?.mayChange && (
          <Actions collection={collection.data} user={user} back={back} />
        )}
        <ViewAs user={user} onUser={setUser} />
      </div>
      <QueryView query={collection} what="this collection">
        {(data) => <Items collection={data} user={user} />}
      </QueryView>
    </Page>
  )
}

function Lead({ collection }: { collection: CollectionDetail }) {
  const { description, owner, slug } = collection
  return (
    <span className="flex flex-col gap-1">
      {description && <span className="wrap-anywhere">{visibleControls(description)}</span>}
      <span className="flex flex-wrap items-center gap-1.5">
        <Badge icon="people">{owner}</Badge>
        {collection.private && <Badge icon="lock">{words.private}</Badge>}
        <CopyableId text={slug} what="Slug" head={40} tail={8} />
      </span>
    </span>
  )
}

interface ActionsProps {
  collection: CollectionDetail
  user: string
  /** Path of the list. */
  back: string
}

function Actions({ collection, user, back }: ActionsProps) {
  const [, navigate] = useLocation()
  const [open, setOpen] = useState<'edit' | 'add'>()
  const deleting = useDeleteCollection(user === '' ? {} : { user })
  const removing = useQuestion(deleting, () => navigate(back, { replace: true }))
  const close = () => setOpen(undefined)
  return (
    <>
      <Button look="primary" icon="plus" onClick={() => setOpen('add')}>
        {words.addItem}
      </Button>
      <Button icon="edit" onClick={() => setOpen('edit')}>
        Edit
      </Button>
      <Button look="danger" icon="trash" onClick={() => removing.ask(collection.id)}>
        Delete
      </Button>
      {open === 'add' && <AddItemDialog id={collection.id} user={user} onClose={close} />}
      {open === 'edit' && (
        <CollectionDialog collection={collection} user={user} onClose={close} onSaved={close} />
      )}
      <Question
        of={removing}
        title={() => `Delete the collection ${collection.title}?`}
        action="Delete collection"
      >
        {() => 'Its items are not deleted, only the list of them and the notes.'}
      </Question>
    </>
  )
}

function Items({ collection, user }: { collection: CollectionDetail; user: string }) {
  const { items, hidden, mayChange } = collection
  const viewer = user || 'the owner'
  return (
    <Panel flush>
      {items.length > 0 ? (
        <ItemTable collection={collection} user={user} />
      ) : (
        <Empty icon="collection" title="No items yet">
          {mayChange ? 'Add a repo, a paper or another collection.' : words.readOnlyFor(viewer)}
        </Empty>
      )}
      {(hidden > 0 || (!mayChange && items.length > 0)) && (
        <div className="px-3 py-2 text-xs text-muted">
          {hidden > 0 && (
            <p>{`${plural(hidden, 'item')} not shown: ${viewer} may not see them, or they are gone.`}</p>
          )}
          {!mayChange && items.length > 0 && <p>{words.readOnlyFor(viewer)}</p>}
        </div>
      )}
    </Panel>
  )
}
