import type {
  AddCollectionEntryRequest,
  CreateCollectionRequest,
  UpdateCollectionEntryRequest,
  UpdateCollectionRequest,
} from '../../../../server/contract/control-collections.ts'
import { callApi } from '../../../api/client.ts'
import { useRead, useWholeList, useWrite } from '../../../api/query.ts'

const changes = ['collections'] as const

/** @param as user whose view it is; empty: everything */
export function useCollections(as: string) {
  return useWholeList('GET collections', as === '' ? {} : { as })
}

/** @param as user whose view it is; empty: that of the owner */
export function useCollection(id: string, as: string) {
  return useRead('GET collections/:id', { params: { id }, query: as === '' ? {} : { as } })
}

export function useCreateCollection() {
  return useWrite({
    call: (body: CreateCollectionRequest) => callApi('POST collections', { body }),
    changes,
    done: 'Collection created',
    failed: 'Could not create the collection',
  })
}

export function useUpdateCollection(id: string) {
  return useWrite({
    call: (body: UpdateCollectionRequest) =>
      callApi('PATCH collections/:id', { params: { id }, body }),
    changes,
    done: 'Collection saved',
    failed: 'Could not save the collection',
  })
}

/** @param actor the acting user, as a member of a request; empty: the owner */
export function useDeleteCollection(actor: { user?: string }) {
  return useWrite({
    call: (id: string) => callApi('DELETE collections/:id', { params: { id }, query: actor }),
    changes,
    done: 'Collection deleted',
    failed: 'Could not delete the collection',
  })
}

export function useAddItem(id: string) {
  return useWrite({
    call: (body: AddCollectionEntryRequest) =>
      callApi('POST collections/:id/items', { params: { id }, body }),
    changes,
    done: 'Item added',
    failed: 'Could not add the item',
  })
}

/** @param done text of the toast; a move shows in the list */
export function useUpdateItem(id: string, done?: string) {
  return useWrite({
    call: ({ item, ...body }: UpdateCollectionEntryRequest & { item: string }) =>
      callApi('PATCH collections/:id/items/:item', { params: { id, item }, body }),
    changes,
    ...(done === undefined ? {} : { done }),
    failed: 'Could not change the item',
  })
}

export function useRemoveItem(id: string, actor: { user?: string }) {
  return useWrite({
    call: ({ item }: { item: string }) =>
      callApi('DELETE collections/:id/items/:item', { params: { id, item }, query: actor }),
    changes,
    done: 'Item removed',
    failed: 'Could not remove the item',
  })
}
