import type { AddFaultRequest } from '../../../../server/contract/control-faults.ts'

type Rule = AddFaultRequest
type Match = Rule['match']
type IdToken = NonNullable<Rule['idToken']>

/** Sets a member, or removes it if empty. */
function withMember<T extends object, K extends keyof T>(
  whole: T,
  key: K,
  value: T[K] | undefined,
): T {
  const { [key]: _before, ...others } = whole
  const isEmpty =
    value === undefined ||
    value === '' ||
    (typeof value === 'object' && value !== null && Object.keys(value).length === 0)
  return (isEmpty ? others : { ...others, [key]: value }) as T
}

export function withEffect<K extends keyof Rule>(rule: Rule, key: K, value: Rule[K]): Rule {
  return withMember(rule, key, value)
}

export function withMatch<K extends keyof Match>(rule: Rule, key: K, value: Match[K]): Rule {
  return { ...rule, match: withMember(rule.match, key, value) }
}

/** Drops members that the other kind does not have. */
export function concerning(rule: Rule, kind: 'requests' | 'deliveries'): Rule {
  if (kind === 'requests') return { ...rule, match: withMember(rule.match, 'webhookId', undefined) }
  const { delay, status, break: broken, skip, times } = rule
  const kept = { delay, status, break: broken, skip, times }
  const given = Object.fromEntries(Object.entries(kept).filter(([, value]) => value !== undefined))
  return { match: { webhookId: rule.match.webhookId ?? '*' }, ...given }
}

/** Claims with a field; all others are edited as JSON. */
export const offeredClaims = ['nonce', 'aud', 'iss', 'exp'] as const
export type OfferedClaim = (typeof offeredClaims)[number]

export function claimText(rule: Rule, claim: OfferedClaim): string {
  const value = rule.idToken?.claims?.[claim]
  return value === undefined ? '' : typeof value === 'string' ? value : JSON.stringify(value)
}

export function withClaim(rule: Rule, claim: OfferedClaim, text: string): Rule {
  const value = claim === 'exp' && /^\d+$/.test(text) ? Number(text) : text
  const claims = withMember(rule.idToken?.claims ?? {}, claim, value)
  return withIdToken(rule, 'claims', claims)
}

export function withIdToken<K extends keyof IdToken>(rule: Rule, key: K, value: IdToken[K]): Rule {
  return withEffect(rule, 'idToken', withMember(rule.idToken ?? {}, key, value))
}

/** Parameters of the redirect to the app with a field; all others are edited as JSON. */
export const offeredParameters = ['iss', 'state', 'code'] as const

export function withRedirect(rule: Rule, name: string, value: string): Rule {
  const set = withMember(rule.redirect?.set ?? {}, name, value)
  return withEffect(rule, 'redirect', withMember(rule.redirect ?? {}, 'set', set))
}

/** Number in a field; `undefined` if the field is empty. */
export function numberOf(text: string): number | undefined {
  return /^\d+$/.test(text.trim()) ? Number(text) : undefined
}

/** Parses a rule if it has the outline of one; the sandbox checks its members. */
export function parseRule(text: string): Rule | undefined {
  try {
    const value = JSON.parse(text) as Partial<Rule> | null
    return typeof value?.match === 'object' && value.match !== null ? (value as Rule) : undefined
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

/** Members of the rule without a form field. */
export function unseenMembers(rule: Rule): string[] {
  const unseen: string[] = (['headers', 'body', 'set', 'remove', 'lengthen'] as const).filter(
    (key) => rule[key] !== undefined,
  )
  const { redirect, idToken, match } = rule
  return [
    ...unseen,
    ...(redirect?.remove === undefined ? [] : ['redirect.remove']),
    ...(redirect?.codeLength === undefined ? [] : ['redirect.codeLength']),
    ...(redirect?.scope === undefined ? [] : ['redirect.scope']),
    ...(idToken?.header === undefined ? [] : ['idToken.header']),
    ...(idToken?.sign === undefined ? [] : ['idToken.sign']),
    ...(match.flow === undefined ? [] : ['match.flow']),
  ]
}
