import { type Static, Type } from 'typebox'
import { PersonResponse } from './hub-people.ts'
import { GroupId } from './hub-repos.ts'
import { LiteralOf, OneOf } from './one-of.ts'
import { autoJoinScopes, roles } from './words/account-words.ts'
import { anyRepoTypes } from './words/hub-words.ts'
import { NetworkSecurity } from './network-security.ts'
import { integer, text } from './plain-fields.ts'

// Roles and resource groups of organizations in the hub's API. Responses may have further fields, which clients ignore.

const Role = OneOf(roles, 'Role')
const GroupMember = Type.Object({ user: text('User name'), role: Role })
const NamedMember = Type.Object({ name: text('User name'), role: Role })
const GroupRepo = Type.Object({
  type: OneOf(anyRepoTypes, 'Type'),
  name: text('`namespace/name`'),
})

const GroupedRepo = Type.Object({ ...GroupRepo.properties, private: Type.Boolean() })

export const MemberRoleBody = Type.Object({
  role: Role,
  resourceGroups: Type.Optional(
    Type.Array(Type.Object({ id: GroupId, role: Role }), {
      description: 'Roles in resource groups; other groups stay as they are',
    }),
  ),
})
export type MemberRoleBody = Static<typeof MemberRoleBody>

/** Automatic joining, with the words for yes and no that a request or response has. */
const AutoJoin = <Yes extends string | boolean, No extends string | boolean>(
  yes: readonly Yes[],
  no: readonly No[],
) =>
  Type.Union(
    [
      Type.Object({
        enabled: LiteralOf(yes),
        role: Role,
        scope: Type.Optional(OneOf(autoJoinScopes, 'Who joins: all, or members who may read')),
      }),
      Type.Object({ enabled: LiteralOf(no) }),
    ],
    { description: 'Whether new members of the organization join the group' },
  )

export const NewResourceGroupBody = Type.Object({
  name: Type.String({ minLength: 1, maxLength: 200, description: 'Name' }),
  description: Type.Optional(Type.String({ maxLength: 500, description: 'Description' })),
  users: Type.Optional(
    Type.Array(GroupMember, { default: [], description: 'Members and their roles' }),
  ),
  repos: Type.Optional(
    Type.Array(GroupRepo, { default: [], description: 'Repos of the organization' }),
  ),
  autoJoin: Type.Optional(AutoJoin([true], [false])),
})
export type NewResourceGroupBody = Static<typeof NewResourceGroupBody>
export const GroupChangesBody = Type.Object({
  name: Type.Optional(NewResourceGroupBody.properties.name),
  description: NewResourceGroupBody.properties.description,
})
export type GroupChangesBody = Static<typeof GroupChangesBody>
export const GroupRoleBody = Type.Object({ role: Role })
export const GroupUsersBody = Type.Object({
  users: Type.Array(Type.Union([GroupMember, NamedMember]), {
    minItems: 1,
    description: 'Members and their roles',
  }),
})
export type GroupUsersBody = Static<typeof GroupUsersBody>
export const GroupSettingsBody = Type.Object({
  autoJoin: Type.Optional(AutoJoin([true, 'true'], [false, 'false'])),
})
export type GroupSettingsBody = Static<typeof GroupSettingsBody>
export const RepoGroupBody = Type.Object({
  resourceGroupId: Type.Union([GroupId, Type.Null()], {
    description: 'Resource group of the organization; null = none',
  }),
})

const { _id, fullname, avatarUrl, type } = PersonResponse.properties
export const ResourceGroupResponse = Type.Object({
  id: text('24 hex digits'),
  name: Type.String(),
  description: Type.Optional(Type.String()),
  autoJoin: Type.Optional(AutoJoin([true], [false])),
  users: Type.Array(
    Type.Object({ type, _id, fullname, name: text('User name'), avatarUrl, role: Role }),
  ),
  repos: Type.Array(GroupedRepo, { description: 'Repos and buckets' }),
  resources: Type.Array(
    Type.Union([
      GroupedRepo,
      Type.Object({
        type: OneOf(['collection']),
        id: text('24 hex digits'),
        slug: text('`namespace/words-id`'),
        title: Type.String(),
        private: Type.Boolean(),
      }),
    ]),
    { description: 'Repos, buckets and collections' },
  ),
})
export type ResourceGroupResponse = Static<typeof ResourceGroupResponse>
export const ResourceGroupsResponse = Type.Array(ResourceGroupResponse)
export const RepoGroupResponse = Type.Object({
  id: text('24 hex digits'),
  name: Type.String(),
  numUsers: integer('Number of members'),
})
export type RepoGroupResponse = Static<typeof RepoGroupResponse>
const addedBy = text('User who moved it')
export const GroupedRepoResponse = Type.Object({
  ...GroupRepo.properties,
  private: Type.Boolean(),
  addedBy,
})
export const GroupedCollectionResponse = Type.Object({
  id: text('24 hex digits'),
  slug: text('`namespace/words-id`'),
  title: Type.String(),
  private: Type.Boolean(),
  addedBy,
})

export const NetworkSecurityBody = Type.Partial(NetworkSecurity)
