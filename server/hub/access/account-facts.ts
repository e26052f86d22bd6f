import { encodeText } from '../../core/encode-text.ts'
import { omitUndefined } from '../../core/omit-undefined.ts'
import type { Organization, User } from '../../store/entities/account-entities.ts'
import type { BillingMode, Plan, SecurityRestriction } from '../../contract/words/account-words.ts'
import type { AccessToken } from '../../store/entities/oauth-entities.ts'
import type { VisibleOrganization } from './visible-organizations.ts'

// Facts about a user or an organization that whoami-v2 and userinfo share.

export interface BlockedMembership {
  securityRestrictions?: SecurityRestriction[]
  /** Older words for the restrictions `sso` and `mfa`, still sent. */
  pendingSSO?: boolean
  missingMFA?: boolean
}

/** Avatar as whoami-v2 returns it: a path of the hub, or the account's own URL. */
export function avatarAddress(name: string, own: string | undefined): string {
  return own ?? `/avatars/${encodeText(name)}.svg`
}

/** Absolute URL of an avatar: the account's own, or the one generated from its name. */
export function avatarUrl(root: string, name: string, own: string | undefined): string {
  const address = avatarAddress(name, own)
  return address.startsWith('/') ? root + address : address
}

export function membership({ role, restrictions }: VisibleOrganization) {
  return {
    ...omitUndefined({ roleInOrg: role }),
    ...(restrictions.length === 0 ? {} : { securityRestrictions: [...restrictions] }),
    ...(restrictions.includes('sso') ? { pendingSSO: true } : {}),
    ...(restrictions.includes('mfa') ? { missingMFA: true } : {}),
  }
}

/** Scopes bind OAuth tokens only. */
export function hasScope(token: AccessToken | undefined, scope: string): boolean {
  return token?.kind !== 'oauth' || token.scopes.includes(scope)
}

export function seesBilling(token: AccessToken | undefined): boolean {
  if (token?.role !== 'fineGrained') return hasScope(token, 'read-billing')
  return (token.fineGrained?.scoped ?? []).some(({ permissions }) =>
    permissions.includes('user.billing.read'),
  )
}

/** An account without a payment method is postpaid, too, as the Hub's own test account is. */
export function billingMode({ billingMode }: User | Organization): BillingMode {
  return billingMode ?? 'postpaid'
}

export function paidPlan({ plan }: Organization): { plan?: Plan } {
  return plan === 'free' ? {} : { plan }
}
