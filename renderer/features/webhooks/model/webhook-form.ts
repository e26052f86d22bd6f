import type {
  CreateWebhookRequest,
  UpdateWebhookRequest,
  WebhookItem,
  WebhookJob,
} from '../../../../server/contract/control-webhooks.ts'
import { changedParts } from '../../../lib/changed-parts.ts'
import { omitUndefined } from '../../../lib/omit-undefined.ts'
import { eventDomains } from '../../../../server/contract/words/webhook-words.ts'

export type Watched = WebhookItem['watched'][number]

/** Form fields of a webhook. */
export interface WebhookForm {
  user: string
  name: string
  target: 'url' | 'job'
  url: string
  image: string
  command: string
  watched: readonly Watched[]
  /** Typed but not added yet. */
  adding: Watched
  repo: boolean
  discussion: boolean
  secret: string
  order: WebhookItem['order']
  /** User as whom the receiver changes the Hub; empty = not declared. */
  actsAs: string
  acceptSelfSigned: boolean
}

/** Form fields of a webhook before defaults are filled in. */
export interface TypedWebhook extends Omit<WebhookForm, 'watched'> {
  /** `undefined` = not chosen yet. */
  watched: readonly Watched[] | undefined
}

const nothingTyped: Watched = { type: 'org', name: '' }

export function emptyWebhookForm(url: string): TypedWebhook {
  return {
    user: '',
    name: '',
    target: 'url',
    url,
    image: '',
    command: '',
    watched: undefined,
    adding: nothingTyped,
    repo: true,
    discussion: true,
    secret: '',
    order: 'parallel',
    actsAs: '',
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
    adding: nothingTyped,
    repo: webhook.domains.includes('repo'),
    discussion: webhook.domains.includes('discussion'),
    secret: webhook.secret ?? '',
    order: webhook.order,
    actsAs: webhook.actsAs ?? '',
    acceptSelfSigned: webhook.acceptSelfSigned,
  }
}

function commandText({ command = [], arguments: words = [] }: WebhookJob = {}): string {
  return [...command, ...words].join(' ')
}

/** Job of the form. Parts without a field, and an unchanged command with quoted words, are kept. */
function jobOf({ image, command }: WebhookForm, before: WebhookJob = {}): WebhookJob {
  const { dockerImage: _image, spaceId: _space, ...rest } = before
  const space = /^space:(.+)$/.exec(image)?.[1]
  const runs = space === undefined ? { dockerImage: image } : { spaceId: space }
  if (command === commandText(before)) return { ...rest, ...runs }
  return { ...rest, ...runs, command: command.split(/\s+/).filter(Boolean), arguments: [] }
}

/** Watched items, including a typed one that is not added yet. */
export function withTyped({ watched, adding }: WebhookForm): readonly Watched[] {
  const { type } = adding
  const name = adding.name.trim()
  const isKnown = watched.some((item) => item.type === type && item.name === name)
  return name === '' || isKnown ? watched : [...watched, { type, name }]
}

/** Members shared by the create and update requests. */
function requestOf(form: WebhookForm, job?: WebhookJob) {
  const domains = eventDomains.filter((domain) => form[domain])
  const { order, acceptSelfSigned } = form
  const target = form.target === 'url' ? { url: form.url } : { job: jobOf(form, job) }
  return { ...target, watched: [...withTyped(form)], domains, order, acceptSelfSigned }
}

export function creationOf(form: WebhookForm): CreateWebhookRequest {
  const { user, name, secret, actsAs } = form
  const given = omitUndefined({
    name: name || undefined,
    secret: secret || undefined,
    actsAs: actsAs || undefined,
  })
  return { ...requestOf(form), ...given, owner: user }
}

/** Returns the changes to the webhook that the form was opened for. */
export function changeOf(form: WebhookForm, opened: WebhookItem): UpdateWebhookRequest {
  return changedParts(updateOf(webhookFormOf(opened), opened), updateOf(form, opened))
}

/** Removes a name, a secret and an acting user that were emptied. */
function updateOf(form: WebhookForm, { job }: WebhookItem): UpdateWebhookRequest {
  const { name, secret, actsAs } = form
  return {
    ...requestOf(form, job),
    name: name || null,
    secret: secret || null,
    actsAs: actsAs || null,
  }
}
