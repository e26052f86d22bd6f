import { type Static, Type } from 'typebox'
import { OneOf } from './one-of.ts'
import { ownerTypes, plans, roles } from './words/accounts.ts'
import { repoTypes } from './words/hub.ts'

// Users, organizations and their likes in the hub's API. Responses may have further fields, which clients ignore.

const Id = Type.String({ description: '24 hex digits' })
const Time = Type.String({ format: 'date-time' })

export const PageQuery = Type.Object({
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000, default: 100 })),
  cursor: Type.Optional(
    Type.String({ description: 'Position from the `Link` header of the previous page' }),
  ),
})
export type PageQuery = Static<typeof PageQuery>

const person = {
  _id: Id,
  user: Type.String({ description: 'User name' }),
  fullname: Type.String({ description: 'Display name' }),
  avatarUrl: Type.String({ description: 'Path or URL of the picture' }),
  type: OneOf(['user'], 'Kind of account'),
  isPro: Type.Boolean({ description: 'Whether the user has a PRO subscription' }),
  isFollowing: Type.Optional(
    Type.Boolean({ description: 'Whether you follow the user; absent without a sign-in' }),
  ),
}
export const PersonResponse = Type.Object(person)
export type PersonResponse = Static<typeof PersonResponse>
export const PeopleResponse = Type.Array(PersonResponse, { description: 'A page of the list' })

export const AuthorResponse = Type.Object({
  _id: Id,
  name: Type.String({ description: 'Name in URLs' }),
  fullname: Type.String({ description: 'Display name' }),
  avatarUrl: Type.String({ description: 'Path or URL of the picture' }),
  type: OneOf(ownerTypes, 'Kind'),
  isPro: Type.Optional(Type.Boolean({ description: 'Whether a user has a PRO subscription' })),
  plan: Type.Optional(OneOf(plans, 'Plan of an organization; absent = free')),
  followerCount: Type.Integer({ description: 'Number of followers' }),
  isUserFollowing: Type.Boolean({ description: 'Whether you follow it' }),
  isHf: Type.Boolean({ description: 'Always false' }),
  isHfAdmin: Type.Boolean({ description: 'Always false' }),
  isMod: Type.Boolean({ description: 'Always false' }),
})
export type AuthorResponse = Static<typeof AuthorResponse>

export const LikeResponse = Type.Object({
  createdAt: Time,
  repo: Type.Object({
    name: Type.String({ description: '`namespace/name`' }),
    type: OneOf(repoTypes, 'Type'),
  }),
})
export type LikeResponse = Static<typeof LikeResponse>
export const LikesResponse = Type.Array(LikeResponse, { description: 'Newest first' })

const Count = (what: string) => Type.Integer({ description: `Number of ${what}` })
const counts = {
  numModels: Count('models that you may see'),
  numDatasets: Count('datasets that you may see'),
  numSpaces: Count('Spaces that you may see'),
  numPapers: Type.Integer({ description: 'Always 0' }),
  numFollowers: Count('followers'),
  isFollowing: Type.Boolean({ description: 'Whether you follow it' }),
}
const organization = {
  _id: Id,
  name: Type.String({ description: 'Name in URLs' }),
  fullname: Type.String({ description: 'Display name' }),
  avatarUrl: Type.String({ description: 'Path or URL of the picture' }),
}
export const OrganizationOverviewResponse = Type.Object({
  ...organization,
  type: OneOf(['org'], 'Kind of account'),
  plan: Type.Optional(OneOf(plans, 'Plan; absent = free')),
  isVerified: Type.Boolean({ description: 'Always false' }),
  ...counts,
  numUsers: Count('members'),
})
export type OrganizationOverviewResponse = Static<typeof OrganizationOverviewResponse>

export const UserOverviewResponse = Type.Object({
  ...person,
  ...counts,
  numDiscussions: Count('discussions that the user opened and you may see'),
  numUpvotes: Count('upvotes of the collections of the user that you may see'),
  numLikes: Count('likes of the user that you may see'),
  numFollowing: Count('users that the user follows'),
  numFollowingOrgs: Count('organizations that the user follows'),
  orgs: Type.Array(Type.Object(organization), { description: 'Organizations of the user' }),
  createdAt: Time,
})
export type UserOverviewResponse = Static<typeof UserOverviewResponse>

export const MembersQuery = Type.Object({
  search: Type.Optional(Type.String({ description: 'Text in the user name or display name' })),
  email: Type.Optional(
    Type.String({ description: 'E-mail address of a member; for administrators' }),
  ),
  ...PageQuery.properties,
})
export type MembersQuery = Static<typeof MembersQuery>

export const MemberResponse = Type.Object({
  ...person,
  role: Type.Optional(OneOf(roles, 'Role; only for members')),
})
export type MemberResponse = Static<typeof MemberResponse>
export const MembersResponse = Type.Array(MemberResponse, { description: 'A page of the list' })

export const AvatarQuery = Type.Object({
  redirect: Type.Optional(Type.Boolean({ description: 'Whether to redirect to the picture' })),
})
export const AvatarResponse = Type.Object({
  avatarUrl: Type.String({ description: 'Path or URL of the picture' }),
})
