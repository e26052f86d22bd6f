import type {
  CreateLinkRequest,
  LinkItem,
  LinkList,
} from '../../server/contract/control-sandbox.ts'
import { callApi, part } from './client.ts'
import { useRead, useWrite } from './query.ts'

export function useLinks() {
  return useRead<LinkList>('links')
}

export function useCreateLink() {
  return useWrite<CreateLinkRequest, LinkItem>({
    call: (body) => callApi('links', { method: 'POST', body }),
    // One that is made again takes its webhooks with it.
    changes: ['links', 'webhooks'],
  })
}

export function useWakeLink() {
  return useWrite<LinkItem, LinkItem>({
    call: ({ id }) => callApi(`links/${part(id)}/wake`, { method: 'POST', body: {} }),
    changes: ['links'],
    done: 'The link answers again',
    failed: 'The link could not be started again',
  })
}

export function useEndLink() {
  return useWrite<LinkItem>({
    call: ({ id }) => callApi(`links/${part(id)}`, { method: 'DELETE' }),
    changes: ['links'],
    done: 'Link ended',
    failed: 'The link could not be ended',
  })
}
