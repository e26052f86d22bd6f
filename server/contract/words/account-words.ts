// Words of users and organizations in fixtures, state, control API and responses of the hub.

/** Owners of repos and jobs, in the hub's words. */
export const ownerTypes = ['user', 'org'] as const
export type OwnerType = (typeof ownerTypes)[number]

/** The same in the sandbox's own words. */
export const accountKinds = ['user', 'organization'] as const
export type AccountKind = (typeof accountKinds)[number]

/** Roles in an organization and in its resource groups, weakest first. */
export const roles = ['no_access', 'read', 'contributor', 'write', 'admin'] as const
export type Role = (typeof roles)[number]

/** New members of an organization that join a resource group on their own: all, or those who may read more than nothing. */
export const autoJoinScopes = ['all', 'read_plus'] as const

export const plans = ['free', 'team', 'enterprise', 'plus', 'academia'] as const
export type Plan = (typeof plans)[number]

/** When an account pays for what it uses. */
export const billingModes = ['prepaid', 'postpaid'] as const
export type BillingMode = (typeof billingModes)[number]

/** Visibilities that an organization can choose for its new repos. */
export const defaultVisibilities = ['public', 'private'] as const
export type DefaultVisibility = (typeof defaultVisibilities)[number]

/** Restrictions that block members from the resources of their organization. */
export const securityRestrictions = ['mfa', 'token-policy', 'token-revoked', 'sso', 'ip'] as const
export type SecurityRestriction = (typeof securityRestrictions)[number]
