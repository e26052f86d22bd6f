import type { LinkItem } from '../../server/contract/control-sandbox.ts'
import type { WebhookItem } from '../../server/contract/control-webhooks.ts'
import { callApi } from '../api/client.ts'
import { readWholeList } from '../api/query.ts'
import { preferredRepo } from '../lib/preferred-repo.ts'
import { repoAddress } from '../lib/repo-address.ts'
import { describeDeliveries } from './trigger-outcome.ts'

const receiverName = 'Sample receiver'

/**
 * Receives a webhook without a program: a sample receiver, a webhook that sends to it, and a commit. What is left of an
 * earlier time is used again.
 * @returns id of the delivery
 * @throws without a public repo or a user, or when nothing was delivered; the message says why
 */
export async function receiveWebhook(): Promise<string> {
  const { items: repos } = await readWholeList('GET repos')
  const { items: webhooks } = await readWholeList('GET webhooks')
  const isOpen = repos.filter(({ private: isPrivate, type }) => !isPrivate && type !== 'bucket')
  const link = await sampleReceiver()
  const own = webhooks.find(({ url }) => url === link.url)
  const repo = preferredRepo(isOpen, own === undefined ? [] : [own])
  if (repo === undefined)
    throw new Error('The sandbox has no public repo to push to. Create one first.')
  const webhook = own ?? (await createWebhook(link, repo.name))
  if (webhook.status !== 'enabled') await enable(webhook)
  const result = await callApi('POST events', {
    body: { event: 'repo.content', kind: 'push', repo: repoAddress(repo) },
  })
  const delivery = result.deliveries.find(({ webhookId }) => webhookId === webhook.id)
  if (delivery !== undefined) return delivery.id
  const skipped = result.skipped.filter(({ webhookId }) => webhookId === webhook.id)
  throw new Error(describeDeliveries({ deliveries: [], skipped }, () => receiverName))
}

async function sampleReceiver(): Promise<LinkItem> {
  const { items } = await callApi('GET links')
  const running = items.find(({ target, problem }) => target === undefined && problem === undefined)
  return running ?? callApi('POST links', { body: {} })
}

async function createWebhook({ url }: LinkItem, repo: string): Promise<WebhookItem> {
  const [namespace = ''] = repo.split('/')
  const { items: users } = await readWholeList('GET users')
  const owner = users.find(({ username }) => username === namespace) ?? users[0]
  if (owner === undefined)
    throw new Error('The sandbox has no user to own a webhook. Create one first.')
  const isUser = owner.username === namespace
  return callApi('POST webhooks', {
    body: {
      owner: owner.username,
      name: receiverName,
      url,
      // The checks rightly warn about a webhook without one.
      secret: crypto.randomUUID(),
      watched: [{ type: isUser ? 'user' : 'org', name: namespace }],
    },
  })
}

async function enable({ id }: WebhookItem): Promise<void> {
  await callApi('PATCH webhooks/:id', { params: { id }, body: { status: 'enabled' } })
}
