import type {
  CreateWebhookRequest,
  WebhookItem,
  WebhookJob,
} from '../../../server/contract/control-webhooks.ts'

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

export function emptyForm(url: string): WebhookForm {
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

export function formOf(webhook: WebhookItem): WebhookForm {
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
  return {
    ...rest,
    ...(space === undefined ? { dockerImage: image } : { spaceId: space }),
    ...(command !== commandText(before) && {
      command: command.split(/\s+/).filter(Boolean),
      arguments: [],
    }),
  }
}

/** What creating and changing have in common. */
export function requestOf(
  form: WebhookForm,
  job?: WebhookJob,
): Omit<CreateWebhookRequest, 'user' | 'name' | 'secret'> {
  const domains = (['repo', 'discussion'] as const).filter((domain) => form[domain])
  return {
    ...(form.target === 'url' ? { url: form.url } : { job: jobOf(form, job) }),
    watched: [...form.watched],
    domains,
    order: form.order,
    acceptSelfSigned: form.acceptSelfSigned,
  }
}
