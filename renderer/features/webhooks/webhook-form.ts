import type {
  CreateWebhookRequest,
  UpdateWebhookRequest,
  WebhookItem,
  WebhookJob,
} from '../../../server/contract/control-webhooks.ts'
import { omitUndefined } from '../../lib/omit-undefined.ts'
import { eventDomains } from '../../../server/contract/words/webhooks.ts'

export type Watched = WebhookItem['watched'][number]

/** A webhook as it stands in the form. */
export interface WebhookForm {
  user: string
  name: string
  target: 'url' | 'job'
  url: string
  image: string
  command: string
  watched: readonly Watched[]
  repo: boolean
  discussion: boolean
  secret: string
  order: WebhookItem['order']
  acceptSelfSigned: boolean
}

export function emptyWebhookForm(url: string): WebhookForm {
  return {
    user: '',
    name: '',
    target: 'url',
    url,
    image: '',
    command: '',
    watched: [],
    repo: true,
    discussion: true,
    secret: '',
    order: 'parallel',
    acceptSelfSigned: false,
  }
}

export function webhookFormOf(webhook: WebhookItem): WebhookForm {
  const { job } = webhook
  return {
    user: webhook.owner.username,
    name: webhook.name ?? '',
    target: webhook.url === undefined ? 'job' : 'url',
    url: webhook.url ?? '',
    image: job?.dockerImage ?? (job?.spaceId ? `space:${job.spaceId}` : ''),
    command: commandText(job),
    watched: webhook.watched,
    repo: webhook.domains.includes('repo'),
    discussion: webhook.domains.includes('discussion'),
    secret: webhook.secret ?? '',
    order: webhook.order,
    acceptSelfSigned: webhook.acceptSelfSigned,
  }
}

function commandText({ command = [], arguments: words = [] }: WebhookJob = {}): string {
  return [...command, ...words].join(' ')
}

/** What the form does not show stays as it was, and so do words with spaces that nobody touched. */
function jobOf({ image, command }: WebhookForm, before: WebhookJob = {}): WebhookJob {
  const { dockerImage: _image, spaceId: _space, ...rest } = before
  const space = /^space:(.+)$/.exec(image)?.[1]
  const runs = space === undefined ? { dockerImage: image } : { spaceId: space }
  if (command === commandText(before)) return { ...rest, ...runs }
  return { ...rest, ...runs, command: command.split(/\s+/).filter(Boolean), arguments: [] }
}

/** What creating and changing have in common. */
function requestOf(form: WebhookForm, job?: WebhookJob) {
  const domains = eventDomains.filter((domain) => form[domain])
  const { watched, order, acceptSelfSigned } = form
  const target = form.target === 'url' ? { url: form.url } : { job: jobOf(form, job) }
  return { ...target, watched: [...watched], domains, order, acceptSelfSigned }
}

export function creationOf(form: WebhookForm): CreateWebhookRequest {
  const { user, name, secret } = form
  const given = omitUndefined({ name: name || undefined, secret: secret || undefined })
  return { ...requestOf(form), ...given, user }
}

/** A name and a secret that were emptied are taken away. */
export function changeOf(form: WebhookForm, { job }: WebhookItem): UpdateWebhookRequest {
  return { ...requestOf(form, job), name: form.name || null, secret: form.secret || null }
}
