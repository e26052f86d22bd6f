import { Type, type Static } from 'typebox'
import { OneOf } from './one-of.ts'
import { accountNameMaxLength, accountNamePattern, accountNameRules } from './fixtures/names.ts'
import { ListOf, OrNull, Time, UserRef, pageQuery } from './control.ts'
import {
  billingModes,
  defaultVisibilities,
  plans,
  roles,
  securityRestrictions,
} from './words/account-words.ts'
import { flag, text } from './plain-fields.ts'

const AccountName = Type.String({
  pattern: accountNamePattern,
  maxLength: accountNameMaxLength,
  description: `Name in addresses, which users and organizations share: ${accountNameRules}`,
})
const Role = OneOf(roles, 'Role in the organization')

const userFields = {
  fullname: text('Name for people'),
  email: Type.String({ pattern: '^[^@\\s]+@[^@\\s]+$', description: 'E-mail address' }),
  emailVerified: flag('Claim email_verified'),
  isPro: flag('Has a PRO subscription'),
  canPay: flag('Has a payment method'),
  billingMode: OneOf(billingModes, 'When the account pays'),
  avatar: text('URL of the picture; default: a generated one'),
  website: text('Claim website'),
  password: text('Password for the login page'),
}

export const UserItem = Type.Object(
  {
    id: text('24 hex digits; the claim sub'),
    username: AccountName,
    fullname: userFields.fullname,
    email: userFields.email,
    emailVerified: userFields.emailVerified,
    isPro: userFields.isPro,
    canPay: userFields.canPay,
    billingMode: userFields.billingMode,
    avatarUrl: text('URL of the picture'),
    website: Type.Optional(userFields.website),
    hasPassword: flag('Whether the login page asks for a password'),
    organizations: Type.Array(Type.Object({ name: text('Organization'), role: Role })),
    createdAt: Time('Creation time'),
  },
  { description: 'A user' },
)
export type UserItem = Static<typeof UserItem>

export const UserList = ListOf(UserItem)
export type UserList = Static<typeof UserList>

export const CreateUserRequest = Type.Object(
  {
    username: AccountName,
    fullname: Type.Optional(userFields.fullname),
    email: Type.Optional(userFields.email),
    emailVerified: Type.Optional(userFields.emailVerified),
    isPro: Type.Optional(userFields.isPro),
    canPay: Type.Optional(userFields.canPay),
    billingMode: Type.Optional(userFields.billingMode),
    avatar: Type.Optional(userFields.avatar),
    website: Type.Optional(userFields.website),
    password: Type.Optional(userFields.password),
  },
  { additionalProperties: false },
)
export type CreateUserRequest = Static<typeof CreateUserRequest>

/** `null` removes an optional field. */
export const UpdateUserRequest = Type.Object(
  {
    username: Type.Optional(AccountName),
    fullname: Type.Optional(userFields.fullname),
    email: Type.Optional(userFields.email),
    emailVerified: Type.Optional(userFields.emailVerified),
    isPro: Type.Optional(userFields.isPro),
    canPay: Type.Optional(userFields.canPay),
    billingMode: Type.Optional(userFields.billingMode),
    avatar: Type.Optional(OrNull(userFields.avatar)),
    website: Type.Optional(OrNull(userFields.website)),
    password: Type.Optional(OrNull(userFields.password)),
  },
  { additionalProperties: false, minProperties: 1 },
)
export type UpdateUserRequest = Static<typeof UpdateUserRequest>

const Plan = OneOf(plans, 'Plan of the organization')
const DefaultVisibility = OneOf(
  defaultVisibilities,
  'Visibility of new repos whose creator chooses none',
)

const Member = Type.Object({ user: UserRef, role: Role })

const Restriction = OneOf(
  securityRestrictions,
  'Restriction that blocks members from the resources',
)

export const OrganizationItem = Type.Object(
  {
    id: text('24 hex digits'),
    name: AccountName,
    fullname: text('Name for people'),
    plan: Plan,
    canPay: flag('Has a payment method'),
    billingMode: userFields.billingMode,
    defaultVisibility: DefaultVisibility,
    avatarUrl: text('URL of the picture'),
    members: Type.Array(Member),
    resourceGroups: Type.Array(
      Type.Object({
        id: text('24 hex digits'),
        name: text('Name of the group'),
        members: Type.Array(Member),
      }),
    ),
    securityRestrictions: Type.Array(
      Type.Object({
        type: Restriction,
        users: Type.Optional(
          Type.Array(Type.String(), { description: 'Usernames; absent = every member' }),
        ),
      }),
    ),
    createdAt: Time('Creation time'),
  },
  { description: 'An organization' },
)
export type OrganizationItem = Static<typeof OrganizationItem>

export const OrganizationList = ListOf(OrganizationItem)
export type OrganizationList = Static<typeof OrganizationList>

const MemberInput = Type.Object(
  { user: text('Username'), role: Role },
  { additionalProperties: false },
)
const organizationInput = {
  fullname: Type.Optional(text('Name for people')),
  plan: Type.Optional(Plan),
  canPay: Type.Optional(flag('Has a payment method')),
  billingMode: Type.Optional(userFields.billingMode),
  defaultVisibility: Type.Optional(DefaultVisibility),
  members: Type.Optional(
    Type.Array(MemberInput, { description: 'All members; replaces the current ones' }),
  ),
  resourceGroups: Type.Optional(
    Type.Array(
      Type.Object(
        {
          name: Type.String({ minLength: 1, description: 'Name of the group' }),
          members: Type.Array(MemberInput),
        },
        { additionalProperties: false },
      ),
      {
        description:
          'All groups; replaces the current ones. A group that keeps its name keeps its id',
      },
    ),
  ),
  securityRestrictions: Type.Optional(
    Type.Array(
      Type.Object(
        { type: Restriction, users: Type.Optional(Type.Array(Type.String())) },
        { additionalProperties: false },
      ),
      { description: 'All restrictions; replaces the current ones' },
    ),
  ),
}

export const CreateOrganizationRequest = Type.Object(
  { name: AccountName, ...organizationInput },
  { additionalProperties: false },
)
export type CreateOrganizationRequest = Static<typeof CreateOrganizationRequest>

export const UpdateOrganizationRequest = Type.Object(
  { name: Type.Optional(AccountName), ...organizationInput },
  { additionalProperties: false, minProperties: 1 },
)
export type UpdateOrganizationRequest = Static<typeof UpdateOrganizationRequest>

export const AuditItem = Type.Object(
  {
    id: text('24 hex digits'),
    organization: text('Name of the organization'),
    type: text('Kind of event, such as oauth-app.create'),
    message: text('Type'),
    createdAt: Time('Time'),
    author: Type.Optional(UserRef),
    data: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
    ip: Type.Optional(text('IP address of the caller')),
    userAgent: Type.Optional(text('User agent of the caller')),
    tokenId: Type.Optional(text('Token that was used or issued')),
    clientId: Type.Optional(text('App involved')),
  },
  { description: 'Row of an organization’s audit log' },
)
export type AuditItem = Static<typeof AuditItem>

export const AuditList = ListOf(AuditItem)
export type AuditList = Static<typeof AuditList>

export const AuditQuery = Type.Object({
  organization: Type.Optional(text('Name of the organization')),
  type: Type.Optional(text('Kind of event')),
  author: Type.Optional(text('Username')),
  ...pageQuery,
})
export type AuditQuery = Static<typeof AuditQuery>
