import type { CreateLinkRequest, LinkItem } from '../../server/contract/control-sandbox.ts'
import { callApi } from './client.ts'
import { useRead, useWrite } from './query.ts'

export function useLinks() {
  return useRead('GET links')
}

export function useCreateLink() {
  return useWrite({
    call: (body: CreateLinkRequest) => callApi('POST links', { body }),
    // A recreated link keeps its webhooks.
    changes: ['links', 'webhooks'],
  })
}

export function useWakeLink() {
  return useWrite({
    call: ({ id }: LinkItem) => callApi('POST links/:id/wake', { params: { id } }),
    changes: ['links'],
    done: 'Link resumed',
    failed: 'Could not resume the link',
  })
}

export function useEndLink() {
  return useWrite({
    call: ({ id }: LinkItem) => callApi('DELETE links/:id', { params: { id } }),
    changes: ['links'],
    done: 'Link deleted',
    failed: 'Could not delete the link',
  })
}
