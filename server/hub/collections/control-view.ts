import type { CollectionDetail, CollectionItem } from '../../contract/control-collections.ts'
import { omitUndefined } from '../../core/omit-undefined.ts'
import { isoTime } from '../../core/time.ts'
import type { Deps } from '../deps.ts'
import { decide } from '../access/access.ts'
import { anonymous, type Principal } from '../access/principal.ts'
import { describeCollection as describeOnHub } from './collection-view.ts'
import { collectionSlug, ownerName } from './collections.ts'
import type { ReadCard } from '../files/repo-card.ts'
import { upvotesOf } from './upvotes.ts'
import { actorOf } from '../access/act-as.ts'
import type { HubCollection } from '../../store/entities/hub-entities.ts'
import type { ViewDeps } from '../access/refs.ts'

export function describeCollection(deps: ViewDeps, collection: HubCollection): CollectionItem {
  const { id, ownerId, title, description, private: isPrivate, items } = collection
  return {
    id,
    slug: collectionSlug(deps, collection),
    title,
    ...omitUndefined({ description }),
    owner: ownerName(deps.state, ownerId),
    private: isPrivate,
    theme: collection.theme as CollectionItem['theme'],
    upvotes: upvotesOf(deps, collection),
    size: items.length,
    createdAt: isoTime(collection.createdAt),
    updatedAt: isoTime(collection.updatedAt),
  }
}

/** @param input.username user whose view it is; default: the owner, or an admin of it */
export function describeCollectionInDetail(
  deps: ViewDeps & Pick<Deps, 'objects'>,
  collection: HubCollection,
  { username, readCard }: { username: string | undefined; readCard: ReadCard },
): CollectionDetail {
  const user = deps.state.users.get(actorOf(deps, username, collection.ownerId) ?? '')
  const principal: Principal = user === undefined ? anonymous : { kind: 'session', user }
  const { items } = describeOnHub(deps, { principal, readCard }, collection)
  return {
    ...describeCollection(deps, collection),
    items: items.map(({ _id: id, ...item }) => ({
      id,
      type: item.type,
      target: item.type === 'collection' ? item.slug : item.id,
      position: item.position,
      ...(item.type !== 'paper' && 'title' in item && { title: item.title }),
      ...('private' in item && { private: item.private }),
      ...omitUndefined({ note: item.note?.text }),
    })),
    hidden: collection.items.length - items.length,
    mayChange: decide(deps, principal, { action: 'collection.write', collection }).allowed,
  }
}
