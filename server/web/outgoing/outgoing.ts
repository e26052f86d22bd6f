import type { FetchedDocument } from './fetched-document.ts'
import type { DeliveryWire } from './wire.ts'
import { fetchDocument, type FetchLimits } from './fetch-document.ts'
import { postDelivery } from './post-delivery.ts'
import { blockedWithoutResolver, findTargetProblem, type TargetPolicy } from './target-policy.ts'
import { visitPage, type VisitedPage, type VisitRequest } from './visit-page.ts'

/** All network functions that the domain gets; they share one address policy. */
export interface Outgoing extends DeliveryWire {
  /** @throws {Error} whose message completes "it could not be fetched: …" */
  fetchDocument(url: URL, limits?: FetchLimits): Promise<FetchedDocument>
  visitPage(request: VisitRequest): Promise<VisitedPage>
}

export function createOutgoing(policy: TargetPolicy): Outgoing {
  return {
    post: (request) => postDelivery(request, policy),
    isBlocked: (url) => blockedWithoutResolver(new URL(url), policy) !== undefined,
    findTargetProblem: (url) => findTargetProblem(url, policy),
    fetchDocument: (url, limits) => fetchDocument(url, policy, limits),
    visitPage: (request) => visitPage(request, policy),
  }
}
