import { Refusal } from '../../core/refusal.ts'
import { permit, type PermitDeps } from '../access/access.ts'
import { type Principal, unauthenticated } from '../access/principal.ts'
import { findNamespace } from '../files/repo-names.ts'

/**
 * Permits a call of a model, billed to the user or to an organization. A token of an exchange can bill its organization
 * only.
 * @param billTo value of the header `X-HF-Bill-To`
 * @throws {Refusal} `unauthenticated`, or `forbidden`
 */
export function permitInference(
  deps: PermitDeps,
  principal: Principal,
  billTo: string | undefined,
): void {
  if (principal.kind === 'anonymous') {
    const { message, detail } = unauthenticated
    throw new Refusal('unauthenticated', message, { detail })
  }
  const bound = principal.kind === 'token' ? principal.token.boundOrganizationId : undefined
  const ownerId =
    billTo === undefined ? (bound ?? principal.user.id) : payerOf(deps, principal.user.id, billTo)
  permit(deps, principal, { action: 'inference', ownerId })
  const organization = deps.state.organizations.get(ownerId)
  if (billTo === undefined || organization?.canPay !== false) return
  throw new Refusal('forbidden', `The organization ${organization.name} cannot be billed`, {
    detail: 'its canPay is false',
  })
}

/** @returns the id of the organization or of the user */
function payerOf({ state }: PermitDeps, userId: string, billTo: string): string {
  const owner = findNamespace(state, billTo)
  if (owner !== undefined && (owner.kind === 'org' || owner.id === userId)) return owner.id
  throw new Refusal('forbidden', `You cannot bill ${billTo}: it is not one of your organizations`, {
    detail: 'X-HF-Bill-To must name an organization of the caller',
  })
}
