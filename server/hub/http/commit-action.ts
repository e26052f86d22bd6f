import type { FastifyRequest } from 'fastify'
import type { RepoAction } from '../access/access-rules.ts'
import { restOfPath } from './addressed-entry.ts'

/** Checks whether a commit opens a pull request. */
export function asksForPullRequest({ query }: Pick<FastifyRequest, 'query'>): boolean {
  const { create_pr: value } = query as { create_pr?: unknown }
  return value === '1' || String(value).toLowerCase() === 'true'
}

/** Returns the action of a commit to the revision at the end of the URL: `/api/models/acme/tiny/commit/main`. */
export function commitAction(request: FastifyRequest): RepoAction {
  const isOfPullRequest = /^refs(?:\/|%2f)pr(?:\/|%2f)/i.test(restOfPath(request))
  return isOfPullRequest || asksForPullRequest(request) ? 'pull-request.commit' : 'repo.write'
}
