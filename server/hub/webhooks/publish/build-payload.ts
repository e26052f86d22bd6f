import { omitUndefined } from '../../../core/omit-undefined.ts'
import { createHash } from 'node:crypto'
import type {
  WebhookComment,
  WebhookDiscussion,
  WebhookPayload,
  WebhookRepo,
} from '../../../contract/webhook-payload.ts'
import type { HubEvent } from '../../events/hub-event.ts'
import type { FrozenBody } from '../delivery/delivery-log.ts'

/** Limit for the body of a delivery; a larger one is refused when it is created. */
export const largestBodyBytes = 1024 * 1024

/**
 * Builds the payload of an event for one webhook, version 3.
 * @param baseUrl root of the URLs in the payload
 */
export function buildPayload(baseUrl: string, webhookId: string, event: HubEvent): WebhookPayload {
  const repo = describeRepo(baseUrl, event)
  const { discussion, comment } = event
  const described = discussion && describeDiscussion(repo, discussion)
  // The members of the union differ by scope and action, and an event has the fields that fit its own.
  return {
    event: { action: event.action, scope: event.scope },
    repo,
    ...(described && { discussion: described }),
    ...(described && comment && { comment: describeComment(described, comment) }),
    ...(event.updatedRefs && { updatedRefs: event.updatedRefs }),
    ...(event.updatedFiles && { updatedFiles: event.updatedFiles }),
    ...omitUndefined({ updatedFilesTruncated: event.updatedFilesTruncated }),
    ...(event.updatedConfig && { updatedConfig: event.updatedConfig }),
    ...(event.movedTo && {
      movedTo: { name: event.movedTo.name, owner: { id: event.movedTo.ownerId } },
    }),
    webhook: { id: webhookId, version: 3 },
  } as WebhookPayload
}

export function freezePayload(payload: unknown): FrozenBody {
  const body = JSON.stringify(payload)
  return {
    body,
    sha256: createHash('sha256').update(body).digest('hex'),
    bytes: Buffer.byteLength(body),
  }
}

function describeRepo(baseUrl: string, event: HubEvent): WebhookRepo {
  const { repo } = event
  const prefix = repo.type === 'model' ? '' : `${repo.type}s/`
  return {
    type: repo.type,
    name: repo.name,
    id: repo.id,
    private: repo.private,
    url: {
      web: `${baseUrl}/${prefix}${repo.name}`,
      api: `${baseUrl}/api/${repo.type}s/${repo.name}`,
    },
    owner: { id: repo.ownerId },
    ...(event.scope.startsWith('repo') && repo.headSha !== undefined && { headSha: repo.headSha }),
    ...omitUndefined({ subdomain: repo.subdomain }),
  }
}

function describeDiscussion(
  repo: WebhookRepo,
  discussion: NonNullable<HubEvent['discussion']>,
): WebhookDiscussion {
  const path = `/discussions/${discussion.num}`
  return {
    id: discussion.id,
    num: discussion.num,
    title: discussion.title,
    url: { web: repo.url.web + path, api: repo.url.api + path },
    status: discussion.status,
    author: { id: discussion.authorId },
    isPullRequest: discussion.isPullRequest,
    ...(discussion.base !== undefined && {
      changes: {
        base: discussion.base,
        ...omitUndefined({ mergeCommitId: discussion.mergeCommitId }),
      },
    }),
  }
}

function describeComment(
  discussion: WebhookDiscussion,
  comment: NonNullable<HubEvent['comment']>,
): WebhookComment {
  return {
    id: comment.id,
    author: { id: comment.authorId },
    ...(comment.content !== undefined && !comment.hidden && { content: comment.content }),
    hidden: comment.hidden,
    url: { web: `${discussion.url.web}#${comment.id}` },
  }
}
