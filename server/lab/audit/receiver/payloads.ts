import { createHash } from 'node:crypto'
import { own } from '../../../core/own.ts'
import type { Deps } from '../../../hub/deps.ts'
import type { HubEvent } from '../../../hub/events/hub-event.ts'
import { fixture, payloadNames } from '../../../receiver/fixture.ts'
import { spaceSubdomain } from '../../../hub/files/repo-names.ts'
import type { Discussion, Repo } from '../../../store/entities/hub-entities.ts'
import type { Webhook } from '../../../store/entities/webhook-entities.ts'
import { buildPayload } from '../../../hub/webhooks/publish/build-payload.ts'
import type { Payload } from './audited-receiver.ts'

/** Makes payloads: the number tells them apart, and the same number gives the same payload. */
export type MakePayload = (event: string, number: number) => Payload

/** Events whose payloads can be made. */
export const auditEvents: readonly string[] = payloadNames

/**
 * Makes payloads about a repo and a discussion of the sandbox, so that the receiver can read and change them.
 * @param webhook whose watched repos come first
 * @param run tells the commits of several audits apart
 */
export function createPayloads(
  { state, settings }: Pick<Deps, 'state' | 'settings'>,
  webhook: Webhook | undefined,
  run: string,
): MakePayload {
  const { repo, discussion } = findSubject(state, webhook)
  return (name, number) => {
    const example = fixture(name as 'repo.content.update')
    const sha = (index: number) => digest(`${run} ${index}`, 40)
    const text = `Comment ${number} of an audit`
    const comment = {
      ...Object(own(example as unknown as Record<string, object>, 'comment')),
      id: digest(`${run} comment ${number}`, 24),
      content: text,
    }
    const real = repo && realParts(repo, discussion, settings.baseUrl, webhook?.id, example.event)
    const payload = {
      ...example,
      webhook: { ...example.webhook, ...(webhook && { id: webhook.id }) },
      ...real,
      ...('updatedRefs' in example && {
        updatedRefs: [{ ref: 'refs/heads/main', oldSha: sha(number - 1), newSha: sha(number) }],
      }),
      ...('comment' in example && { comment: { ...comment, ...commentUrl(real) } }),
    }
    if (!example.event.scope.startsWith('repo')) return payload
    return { ...payload, repo: { ...payload.repo, headSha: sha(number) } }
  }
}

/** Repo that a payload is about. */
export function repoOf(payload: Payload): { repo: string; repoType: string } {
  const { name, type } = Object(own(payload, 'repo'))
  return { repo: String(name), repoType: String(type) }
}

function digest(text: string, length: number): string {
  return createHash('sha256').update(text).digest('hex').slice(0, length)
}

function commentUrl(real: { discussion?: { url: { web: string } } } | undefined) {
  const web = real?.discussion?.url.web
  return web === undefined ? {} : { url: { web: `${web}#comment` } }
}

/** The newest discussion of a watched repo, else of any repo, and its repo. */
function findSubject(state: Deps['state'], webhook: Webhook | undefined) {
  const repos = [...state.repos.values()].toSorted(
    (a, b) => Number(isWatched(webhook, b)) - Number(isWatched(webhook, a)),
  )
  for (const repo of repos) {
    const discussion = state.discussions
      .group('repo', repo.id)
      .findLast((one) => !one.isPullRequest)
    if (discussion !== undefined) return { repo, discussion }
  }
  return { repo: repos[0], discussion: undefined }
}

function isWatched(webhook: Webhook | undefined, repo: Repo): boolean {
  const namespace = repo.name.split('/')[0]
  return (webhook?.watched ?? []).some(
    ({ type, name }) => (type === repo.type && name === repo.name) || name === namespace,
  )
}

/** Repo and discussion as the sandbox describes them in its own deliveries. */
function realParts(
  repo: Repo,
  discussion: Discussion | undefined,
  baseUrl: string,
  webhookId: string | undefined,
  { scope, action }: { scope: string; action: string },
) {
  const { id, type, name, visibility, ownerId } = repo
  const event = {
    id,
    scope,
    action,
    at: 0,
    cause: 'api',
    repo: {
      id,
      type,
      name,
      private: visibility !== 'public',
      ownerId,
      ...(type === 'space' && { subdomain: spaceSubdomain(name) }),
    },
    ...(discussion !== undefined && scope.startsWith('discussion') && { discussion }),
  } as HubEvent
  const { repo: described, ...rest } = buildPayload(baseUrl, webhookId ?? '', event)
  return { repo: described, ...('discussion' in rest && { discussion: rest.discussion }) }
}
