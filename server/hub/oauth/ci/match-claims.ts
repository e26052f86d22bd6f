import { own } from '../../../core/own.ts'
import type { PublisherProvider } from '../../../contract/words/ci-words.ts'
import type { TrustedPublisher } from '../../../store/entities/oauth-entities.ts'
import type { CiIdToken } from './ci-id-token.ts'

/** Claim that a publisher requires and an ID token does not have. */
export interface ClaimDifference {
  readonly name: string
  readonly required: string
  /** Value in the ID token as JSON; absent when it has no such claim. */
  readonly actual?: string
}

/**
 * Compares the claims of an ID token with those of a publisher, as strings and without patterns.
 * @returns the claims that differ, in the order of the publisher
 */
export function differingClaims(
  { provider, claims: required }: Pick<TrustedPublisher, 'provider' | 'claims'>,
  { claims }: Pick<CiIdToken, 'claims'>,
): ClaimDifference[] {
  return Object.entries(required).flatMap(([name, value]) => {
    const values = valuesOf(provider, claims, name)
    if (values.some((actual) => isEqual(actual, value))) return []
    const [actual] = values
    return [
      {
        name,
        required: value,
        ...(actual === undefined ? {} : { actual: JSON.stringify(actual) }),
      },
    ]
  })
}

/** Finds the publisher whose claims differ least from those of an ID token. */
export function closestPublisher(
  publishers: readonly TrustedPublisher[],
  idToken: Pick<CiIdToken, 'claims'>,
): { publisher: TrustedPublisher; differences: readonly ClaimDifference[] } | undefined {
  const [closest] = publishers
    .map((publisher) => ({ publisher, differences: differingClaims(publisher, idToken) }))
    .toSorted((a, b) => a.differences.length - b.differences.length)
  return closest
}

/** Describes a difference with both values. */
export function describeDifference(
  { name, required, actual }: ClaimDifference,
  publisher: Pick<TrustedPublisher, 'name'>,
): string {
  const has = actual === undefined ? `has no claim ${name}` : `has ${actual}`
  return `the claim ${name} differs: it ${has}, the trusted publisher ${publisher.name} requires ${JSON.stringify(required)}`
}

/** Numbers and booleans are compared by their text; lists and objects never match. */
function isEqual(actual: unknown, required: string): boolean {
  const isPlain = ['string', 'number', 'boolean'].includes(typeof actual)
  return isPlain && String(actual) === required
}

/** The Hub's form for GitHub has a branch and a workflow file, too, which are parts of other claims. */
function valuesOf(
  provider: PublisherProvider,
  claims: CiIdToken['claims'],
  name: string,
): unknown[] {
  const direct = own(claims, name)
  const values = direct === undefined ? [] : [direct]
  if (provider !== 'github') return values
  const { ref, workflow_ref: workflowRef } = claims
  if (name === 'branch' && typeof ref === 'string' && ref.startsWith('refs/heads/')) {
    values.push(ref.slice('refs/heads/'.length))
  }
  if (name === 'workflow' && typeof workflowRef === 'string') {
    const [path = ''] = workflowRef.split('@')
    values.push(path.slice(path.lastIndexOf('/') + 1))
  }
  return values
}
