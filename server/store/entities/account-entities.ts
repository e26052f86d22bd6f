import { type Static, Type } from 'typebox'
import { OneOf } from '../../contract/one-of.ts'
import { NetworkSecurity } from '../../contract/network-security.ts'
import { ObjectId, Timestamp } from './common-entities.ts'
import {
  autoJoinScopes,
  billingModes,
  defaultVisibilities,
  plans,
  roles,
  securityRestrictions,
} from '../../contract/words/account-words.ts'

export const UserSchema = Type.Object({
  id: ObjectId,
  username: Type.String(),
  fullname: Type.String(),
  email: Type.String(),
  emailVerified: Type.Boolean(),
  isPro: Type.Boolean(),
  canPay: Type.Boolean(),
  /** Absent = postpaid. */
  billingMode: Type.Optional(OneOf(billingModes)),
  /** Path on the sandbox or absolute URL; absent = a generated avatar. */
  avatarUrl: Type.Optional(Type.String()),
  website: Type.Optional(Type.String()),
  /** Password for the login page, if the user has one. */
  password: Type.Optional(Type.String()),
  createdAt: Timestamp,
})
export type User = Static<typeof UserSchema>

const OrganizationMemberSchema = Type.Object({ userId: ObjectId, role: OneOf(roles) })
export type OrganizationMember = Static<typeof OrganizationMemberSchema>

const ResourceGroupSchema = Type.Object({
  id: ObjectId,
  name: Type.String(),
  description: Type.Optional(Type.String()),
  /** Role that new members of the organization get in it; absent = they do not join it. */
  autoJoin: Type.Optional(
    Type.Object({ role: OneOf(roles), scope: Type.Optional(OneOf(autoJoinScopes)) }),
  ),
  members: Type.Array(OrganizationMemberSchema),
})
export type ResourceGroup = Static<typeof ResourceGroupSchema>

export const OrganizationSchema = Type.Object({
  id: ObjectId,
  name: Type.String(),
  fullname: Type.String(),
  plan: OneOf(plans),
  canPay: Type.Boolean(),
  /** Absent = postpaid. */
  billingMode: Type.Optional(OneOf(billingModes)),
  avatarUrl: Type.Optional(Type.String()),
  /** Visibility of new repos whose creator chose none; absent = public. */
  defaultVisibility: Type.Optional(OneOf(defaultVisibilities)),
  members: Type.Array(OrganizationMemberSchema),
  resourceGroups: Type.Array(ResourceGroupSchema),
  /** Restriction that blocks members from the organization's resources; without `userIds` it applies to all. */
  securityRestrictions: Type.Array(
    Type.Object({
      type: OneOf(securityRestrictions),
      userIds: Type.Optional(Type.Array(ObjectId)),
    }),
  ),
  /** Settings that the Hub enforces at its network and the sandbox only keeps; absent = none was set. */
  networkSecurity: Type.Optional(Type.Partial(NetworkSecurity)),
  createdAt: Timestamp,
})
export type Organization = Static<typeof OrganizationSchema>

/** Browser session of a signed-in user; `id` is the cookie's value. */
export const SessionSchema = Type.Object({
  id: Type.String(),
  userId: ObjectId,
  createdAt: Timestamp,
  expiresAt: Timestamp,
})
export type Session = Static<typeof SessionSchema>
