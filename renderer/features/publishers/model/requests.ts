import type {
  CreatePublisherRequest,
  PublisherItem,
  UpdatePublisherRequest,
} from '../../../../server/contract/control-publishers.ts'
import { callApi } from '../../../api/client.ts'
import { useWholeList, useWrite } from '../../../api/query.ts'
import { words } from '../words.ts'

const changes = ['trusted-publishers'] as const

export function usePublishers() {
  return useWholeList('GET trusted-publishers')
}

export function useCreatePublisher() {
  return useWrite({
    call: (body: CreatePublisherRequest) => callApi('POST trusted-publishers', { body }),
    changes,
    done: words.added,
    failed: words.addFailed,
  })
}

export function useUpdatePublisher() {
  return useWrite({
    call: ({ id, ...body }: UpdatePublisherRequest & Pick<PublisherItem, 'id'>) =>
      callApi('PATCH trusted-publishers/:id', { params: { id }, body }),
    changes,
    done: words.saved,
    failed: words.saveFailed,
  })
}

export function useDeletePublisher() {
  return useWrite({
    call: ({ id }: Pick<PublisherItem, 'id'>) =>
      callApi('DELETE trusted-publishers/:id', { params: { id } }),
    changes,
    done: words.removed,
    failed: words.removeFailed,
  })
}
