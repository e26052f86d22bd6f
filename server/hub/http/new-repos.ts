import type { FastifyRequest } from 'fastify'
import type { Visibility } from '../../contract/words/hub-words.ts'
import { Refusal } from '../../core/refusal.ts'
import type { Principal } from '../access/principal.ts'
import { repoWebPath } from '../files/repo-names.ts'
import type { Repo } from '../../store/entities/hub-entities.ts'

// What the routes that create repos and buckets share.

/** Rewrites the URL of a conflicting repo to the origin of the request: clients compare it. */
export function withOwnOrigin({ root }: FastifyRequest, change: () => Repo): Repo {
  try {
    return change()
  } catch (error) {
    if (!(error instanceof Refusal) || typeof error.facts['url'] !== 'string') throw error
    const url = root + new URL(error.facts['url']).pathname
    throw new Refusal(error.code, error.message, { facts: { ...error.facts, url } })
  }
}

/** Returns the URL of a repo's page at the origin of a request. */
export function webUrl({ root }: FastifyRequest, { type, name }: Repo): string {
  return root + repoWebPath(type, name)
}

/** Older clients send `private`, newer ones `visibility`, which takes precedence. */
export function visibilityOf<Name extends Visibility>({
  visibility,
  private: isPrivate,
}: {
  visibility?: Name
  private?: boolean | null
}): { visibility?: Name | 'public' | 'private' } {
  if (visibility !== undefined) return { visibility }
  return typeof isPrivate === 'boolean' ? { visibility: isPrivate ? 'private' : 'public' } : {}
}

/** Returns the app of a token. */
export function clientOf(principal: Principal): string | undefined {
  return principal.kind === 'token' ? principal.token.clientId : undefined
}
