import type { FetchedDocument } from './fetched-document.ts'
import type { DeliveryWire } from './wire.ts'
import { fetchDocument } from './fetch-document.ts'
import { postDelivery } from './post-delivery.ts'
import { blockedWithoutResolver, findTargetProblem, type TargetPolicy } from './target-policy.ts'

/** All network functions that the domain gets; they share one address policy. */
export interface Outgoing extends DeliveryWire {
  /** @throws {Error} whose message completes "it could not be fetched: …" */
  fetchDocument(url: URL): Promise<FetchedDocument>
}

export function createOutgoing(policy: TargetPolicy): Outgoing {
  return {
    post: (request) => postDelivery(request, policy),
    isBlocked: (url) => blockedWithoutResolver(new URL(url), policy) !== undefined,
    findTargetProblem: (url) => findTargetProblem(url, policy),
    fetchDocument: (url) => fetchDocument(url, policy),
  }
}
