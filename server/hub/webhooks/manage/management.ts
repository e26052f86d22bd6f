import { omitUndefined } from '../../../core/omit-undefined.ts'
import { isoTime } from '../../../core/time.ts'
import type { CreateWebhookBody, UpdateWebhookBody } from '../../../contract/hub-webhooks.ts'
import { effortOfSearch } from '../../../contract/suggestion.ts'
import type { Deps } from '../../deps.ts'
import type { Issue } from '../../../core/config-error.ts'
import { Refusal } from '../../../core/refusal.ts'
import { rightInNamespace } from '../../access/rights.ts'
import {
  completeSpec,
  describeSpec,
  findSpecIssues,
  findVariableIssues,
} from '../../jobs/job-spec.ts'
import type { User } from '../../../store/entities/account-entities.ts'
import type { JobSpec, Webhook } from '../../../store/entities/webhook-entities.ts'
import { findCaProblem } from './certificates.ts'
import type { WebhookEngine } from '../engine/engine.ts'
import { profileNamed } from '../delivery/profiles.ts'
import { findSecretProblem } from '../delivery/webhook-secret.ts'
import { withoutFailures } from '../delivery/suspension.ts'
import { eventDomains } from '../../../contract/words/webhook-words.ts'
import { problemOfWatched } from '../publish/watched.ts'

type ManagementDeps = Pick<Deps, 'settings' | 'state' | 'bus' | 'clock' | 'ids'> & {
  engine: Pick<WebhookEngine, 'findTargetProblem'>
}

/** Settings of a webhook that only the sandbox has. */
export type WebhookExtras = Partial<
  Pick<Webhook, 'name' | 'held' | 'order' | 'actsAs' | 'acceptSelfSigned' | 'ca'>
>

/** Most users, organizations and repos that a webhook watches; each event is compared with those of all webhooks. */
const mostWatched = 500

/** Field that names an existing job, in the Hub's API or in the control API. */
type SourceName = 'jobSourceId' | 'jobId'

type Target = Pick<Webhook, 'url' | 'job' | 'jobSourceId'>

export function listWebhooks({ state }: Pick<Deps, 'state'>, owner: User): Webhook[] {
  return state.webhooks.group('owner', owner.id)
}

/** @throws {Refusal} `not_found` for an unknown id, or a webhook of another user */
export function findWebhook({ state }: Pick<Deps, 'state'>, owner: User, id: string): Webhook {
  const webhook = state.webhooks.get(id)
  if (webhook?.ownerId === owner.id) return webhook
  throw new Refusal('not_found', 'Webhook not found', {
    detail:
      webhook === undefined ? `there is no webhook ${id}` : `webhook ${id} belongs to another user`,
  })
}

/**
 * Creates an enabled webhook.
 * @throws {Refusal} `invalid` with every invalid field in `issues`; `conflict` when the limit of webhooks is reached
 */
export function createWebhook(
  deps: ManagementDeps,
  owner: User,
  input: CreateWebhookBody & WebhookExtras & { disabled?: boolean },
  sourceName: SourceName = 'jobSourceId',
): Webhook {
  const issues = findIssues(deps, owner, input, sourceName)
  if (input.watched.length === 0) {
    issues.push({ path: 'watched', message: 'Name at least one user, organization or repo.' })
  }
  const target = targetOf(deps, input)
  if (target === undefined && issues.every(({ path }) => path !== 'url' && path !== sourceName)) {
    issues.push({ path: 'url', message: 'Give a url to call, or a job to start.' })
  }
  refuse(issues)
  const most = deps.settings.caps.webhooks
  if (deps.state.webhooks.size >= most) {
    throw new Refusal(
      'conflict',
      `The limit of ${most} webhooks is reached: delete one, or raise config.caps.webhooks.`,
    )
  }
  const webhook = deps.state.webhooks.put({
    id: deps.ids.of('webhook', owner.id).objectId(),
    ownerId: owner.id,
    ...target,
    watched: distinct(input.watched),
    domains: domainsOf(input.domains) ?? [...eventDomains],
    ...secretOf(input),
    status: input.disabled === true ? 'disabled' : 'enabled',
    consecutiveFailures: 0,
    ...extrasOf(input),
    createdAt: deps.clock.now(),
  })
  deps.bus.emit('webhook.created', { webhookId: webhook.id, ownerId: owner.id })
  return webhook
}

/**
 * Changes the given members. Absent and empty ones stay, since clients send `watched: []` with a change of another
 * member. Existing deliveries are not matched again; their next attempt goes to the new target.
 * @throws {Refusal} `invalid` as {@link createWebhook}
 */
export function updateWebhook(
  deps: ManagementDeps,
  webhook: Webhook,
  input: UpdateWebhookBody & WebhookExtras,
  sourceName: SourceName = 'jobSourceId',
): Webhook {
  const owner = deps.state.users.get(webhook.ownerId)
  refuse(findIssues(deps, owner, input, sourceName, webhook.watched))
  const { url: _url, job: _job, jobSourceId: _jobSourceId, ...rest } = webhook
  const target = targetOf(deps, input)
  const domains = domainsOf(input.domains)
  const changes: Partial<Webhook> = {
    ...target,
    ...(input.watched !== undefined &&
      input.watched.length > 0 && { watched: distinct(input.watched) }),
    ...omitUndefined({ domains }),
    ...secretOf(input),
    ...extrasOf(input),
  }
  const updated = deps.state.webhooks.put({ ...(target ? rest : webhook), ...changes })
  const changed = Object.keys(changes)
  if (changed.length > 0) deps.bus.emit('webhook.updated', { webhookId: webhook.id, changed })
  return updated
}

/** Enables a webhook; ends a suspension, and resets the count of failures. */
export function enableWebhook(deps: ManagementDeps, webhook: Webhook): Webhook {
  const { suspendedAt: _suspendedAt, suspendedBecause: _because, ...rest } = webhook
  return putStatus(deps, { ...withoutFailures(rest), status: 'enabled' })
}

/** Disables a webhook; its waiting deliveries are cancelled. */
export function disableWebhook(deps: ManagementDeps, webhook: Webhook): Webhook {
  const { suspendedAt: _suspendedAt, suspendedBecause: _because, ...rest } = webhook
  return putStatus(deps, { ...rest, status: 'disabled' })
}

/** Deletes a webhook; its deliveries stay in the log. */
export function deleteWebhook(deps: Pick<ManagementDeps, 'state' | 'bus'>, webhook: Webhook): void {
  deps.state.webhooks.delete(webhook.id)
  deps.bus.emit('webhook.deleted', { webhookId: webhook.id })
}

/** Returns a webhook in the form of the Hub's API, which never returns the secret. */
export function hubWebhook(webhook: Webhook) {
  const { id, url, job, jobSourceId, watched, domains, secret, lastTriggerAt, status } = webhook
  return {
    id,
    ...omitUndefined({ url }),
    ...(job && { job: describeWebhookJob(job) }),
    ...omitUndefined({ jobSourceId }),
    watched,
    domains,
    disabled: status === 'suspended-after-failure' ? status : status === 'disabled',
    hasSecret: secret !== undefined,
    ...(lastTriggerAt !== undefined && { lastTriggerAt: isoTime(lastTriggerAt) }),
  }
}

/** Returns the job of a webhook without what the Hub stores but does not return here. */
function describeWebhookJob(job: JobSpec) {
  const {
    arch: _,
    volumes: _volumes,
    expose: _expose,
    resourceGroupId: _group,
    attempts: _attempts,
    ...shown
  } = job
  return describeSpec(shown)
}

function putStatus(deps: ManagementDeps, webhook: Webhook): Webhook {
  deps.state.webhooks.put(webhook)
  deps.bus.emit('webhook.updated', { webhookId: webhook.id, changed: ['status'] })
  return webhook
}

function findIssues(
  { state, settings, engine }: ManagementDeps,
  owner: User | undefined,
  input: UpdateWebhookBody & WebhookExtras,
  sourceName: SourceName,
  before: Webhook['watched'] = [],
): Issue[] {
  const { url = '', watched = [], job, jobSourceId = '', secrets, secret = '', ca = '' } = input
  const issues: Issue[] = []
  if (watched.length > mostWatched) {
    const message = `A webhook watches at most ${mostWatched}, not ${watched.length}.`
    issues.push({ path: 'watched', message })
  }
  if (url !== '' && (job !== undefined || jobSourceId !== '')) {
    issues.push({ path: 'url', message: 'Give a url or a job, not both.' })
  }
  if (url !== '' && !isHttpUrl(url)) {
    issues.push({ path: 'url', message: `${url} is not an http or https URL.` })
  } else if (url !== '') {
    const message = engine.findTargetProblem(new URL(url))
    if (message !== undefined) issues.push({ path: 'url', message })
  }
  if (job !== undefined && jobSourceId !== '') {
    issues.push({ path: 'job', message: `Give a job or a ${sourceName}, not both.` })
  }
  if (job !== undefined) issues.push(...findSpecIssues(job, 'job'))
  if (secrets !== undefined && jobSourceId === '') {
    const message = `Only valid with a ${sourceName}, whose secrets they are; use job.secrets for a new job.`
    issues.push({ path: 'secrets', message })
  }
  issues.push(...findVariableIssues('secrets', secrets))
  if (jobSourceId !== '') {
    const source = state.jobs.get(jobSourceId)
    const mayUse = rightInNamespace(state, owner?.id ?? '', source?.ownerId ?? '') !== 'none'
    if (source === undefined || !mayUse) {
      issues.push({ path: sourceName, message: `There is no job ${jobSourceId}.` })
    }
  }
  const effort = effortOfSearch()
  for (const [index, item] of watched.entries()) {
    const { type, name } = item
    const isAccount = type === 'user' || type === 'org'
    const isWellFormed = isAccount === !name.includes('/')
    // What the Hub does with an unknown name is not known; the sandbox's own API refuses it.
    const isChecked = sourceName === 'jobId' && type !== 'kernel' && !isKept(before, item)
    const message = isWellFormed
      ? isChecked && problemOfWatched(state, item, effort)
      : isAccount
        ? `${name} is not a valid ${type} name.`
        : `Write it as namespace/name.`
    if (message) issues.push({ path: `watched[${index}].name`, message })
  }
  const ofSecret = findSecretProblem(secret, profileNamed(settings.deliveryProfile))
  if (secret !== '' && ofSecret !== undefined) issues.push({ path: 'secret', message: ofSecret })
  const ofCa = findCaProblem(ca)
  if (ca !== '' && ofCa !== undefined) issues.push({ path: 'ca', message: ofCa })
  return issues
}

/** Returns whether a webhook watches an item already, which may have been deleted since. */
function isKept(before: Webhook['watched'], { type, name }: Webhook['watched'][number]): boolean {
  return before.some((kept) => kept.type === type && kept.name === name)
}

function refuse(issues: readonly Issue[]): void {
  if (issues.length === 0) return
  const message = issues.map((issue) => `${issue.path}: ${issue.message}`).join(' ')
  throw new Refusal('invalid', message, { issues })
}

function isHttpUrl(text: string): boolean {
  return URL.canParse(text) && ['http:', 'https:'].includes(new URL(text).protocol)
}

function targetOf({ state }: ManagementDeps, input: UpdateWebhookBody): Target | undefined {
  const { url = '', job, jobSourceId = '', secrets = {} } = input
  if (url !== '') return { url }
  const source = state.jobs.get(jobSourceId)?.spec
  // The Hub does not copy secrets: the request has to contain them.
  const spec: JobSpec | undefined =
    job === undefined ? source && { ...source, secrets } : completeSpec(job)
  return spec && { job: spec, ...(jobSourceId !== '' && { jobSourceId }) }
}

function secretOf({ secret = '' }: { secret?: string }): Pick<Webhook, 'secret'> {
  return secret === '' ? {} : { secret }
}

function domainsOf(domains: UpdateWebhookBody['domains']): Webhook['domains'] | undefined {
  if (domains === undefined || domains.length === 0) return undefined
  return [...new Set(domains.map((name) => (name === 'discussions' ? 'discussion' : name)))]
}

function distinct(watched: CreateWebhookBody['watched']): Webhook['watched'] {
  const byKey = new Map(
    watched.map(({ type, name }) => [`${type}:${name.toLowerCase()}`, { type, name }]),
  )
  return [...byKey.values()]
}

function extrasOf({
  name,
  held,
  order,
  actsAs,
  acceptSelfSigned,
  ca,
}: WebhookExtras): WebhookExtras {
  return {
    ...omitUndefined({ name, held, order, actsAs, acceptSelfSigned, ca }),
  }
}
