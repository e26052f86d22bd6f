import { aliceToken } from '../fixtures.ts'
import type { Act } from './client.ts'

const token = aliceToken
const repo = 'datasets/acme/corpus'

/** Manages a webhook as an app does. */
const webhookLife: Act = async (client) => {
  const url = client.pick([client.receivers.urls.fast, client.receivers.urls.slow])
  const json = { url, watched: [{ type: 'org', name: 'acme' }], domains: ['repo', 'discussion'] }
  const path = '/api/settings/webhooks'
  const { webhook } = await client.call<{ webhook: { id: string } }>('POST', path, { token, json })
  await client.call('POST', `${path}/${webhook.id}/disable`, { token })
  await client.call('POST', `${path}/${webhook.id}/enable`, { token })
  await client.control('POST', 'events', { event: 'repo.content', repo, mode: 'send' })
  await client.control('GET', `webhooks/${webhook.id}/statistics`)
  await client.call('DELETE', `${path}/${webhook.id}`, { token })
}

const trigger: Act = async (client) => {
  const events = ['repo.content', 'discussion.create', 'discussion.comment.create'] as const
  await client.control('POST', 'events', { event: client.pick(events), repo, mode: 'send' })
}

const repeatedTrigger: Act = async (client) => {
  const repeat = { times: 5 }
  await client.control('POST', 'events', { event: 'repo.content', repo, mode: 'send', repeat })
}

const replay: Act = async (client) => {
  const { items } = await client.control<{ items: { id: string }[] }>(
    'GET',
    'deliveries?state=succeeded&limit=5',
  )
  const { id } = client.pick([items[0] ?? { id: 'none yet' }, ...items])
  await client.control('GET', `deliveries/${id}`)
  await client.control('GET', `deliveries/${id}/story`)
  await client.control('POST', `deliveries/${id}/replay`, {})
  const ids = items.map(({ id }) => id)
  await client.control('POST', 'deliveries/replay', { ids, order: 'shuffled', duplicates: 1 })
}

/** Those that failed too often are suspended: somebody turns them on again. */
const recover: Act = async (client) => {
  const { items } = await client.control<{ items: { id: string; status: string }[] }>(
    'GET',
    'webhooks',
  )
  for (const { id, status } of items) {
    if (status !== 'enabled') await client.control('PATCH', `webhooks/${id}`, { status: 'enabled' })
  }
}

export const webhookActs: Record<string, Act> = {
  webhookLife,
  trigger,
  repeatedTrigger,
  replay,
  recover,
}
