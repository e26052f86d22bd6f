import type {
  CreatePublisherRequest,
  PublisherItem,
  UpdatePublisherRequest,
} from '../../../../server/contract/control-publishers.ts'
import { callApi } from '../../../api/client.ts'
import { useWholeList, useWrite } from '../../../api/query.ts'

const changes = ['trusted-publishers'] as const

export function usePublishers() {
  return useWholeList('GET trusted-publishers')
}

export function useCreatePublisher() {
  return useWrite({
    call: (body: CreatePublisherRequest) => callApi('POST trusted-publishers', { body }),
    changes,
    done: 'Publisher added',
    failed: 'Could not add the publisher',
  })
}

export function useUpdatePublisher() {
  return useWrite({
    call: ({ id, ...body }: UpdatePublisherRequest & Pick<PublisherItem, 'id'>) =>
      callApi('PATCH trusted-publishers/:id', { params: { id }, body }),
    changes,
    done: 'Publisher saved',
    failed: 'Could not save the publisher',
  })
}

export function useDeletePublisher() {
  return useWrite({
    call: ({ id }: Pick<PublisherItem, 'id'>) =>
      callApi('DELETE trusted-publishers/:id', { params: { id } }),
    changes,
    done: 'Publisher removed',
    failed: 'Could not remove the publisher',
  })
}
