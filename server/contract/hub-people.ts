import { type Static, Type } from 'typebox'
import { OneOf } from './one-of.ts'
import { ownerTypes, plans, roles } from './words/account-words.ts'
import { repoTypes } from './words/hub-words.ts'
import { flag, integer, text } from './plain-fields.ts'

// Users, organizations and their likes in the hub's API. Responses may have further fields, which clients ignore.

const Id = text('24 hex digits')
const Time = Type.String({ format: 'date-time' })

export const PageQuery = Type.Object({
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000, default: 100 })),
  cursor: Type.Optional(text('Position from the `Link` header of the previous page')),
})
export type PageQuery = Static<typeof PageQuery>

const person = {
  _id: Id,
  user: text('User name'),
  fullname: text('Display name'),
  avatarUrl: text('Path or URL of the picture'),
  type: OneOf(['user'], 'Kind of account'),
  isPro: flag('Whether the user has a PRO subscription'),
  isFollowing: Type.Optional(flag('Whether you follow the user; absent without a sign-in')),
}
export const PersonResponse = Type.Object(person)
export type PersonResponse = Static<typeof PersonResponse>
export const PeopleResponse = Type.Array(PersonResponse, { description: 'A page of the list' })

export const AuthorResponse = Type.Object({
  _id: Id,
  name: text('Name in URLs'),
  fullname: text('Display name'),
  avatarUrl: text('Path or URL of the picture'),
  type: OneOf(ownerTypes, 'Kind'),
  isPro: Type.Optional(flag('Whether a user has a PRO subscription')),
  plan: Type.Optional(OneOf(plans, 'Plan of an organization; absent = free')),
  followerCount: integer('Number of followers'),
  isUserFollowing: flag('Whether you follow it'),
  isHf: flag('Always false'),
  isHfAdmin: flag('Always false'),
  isMod: flag('Always false'),
})
export type AuthorResponse = Static<typeof AuthorResponse>

export const LikeResponse = Type.Object({
  createdAt: Time,
  repo: Type.Object({
    name: text('`namespace/name`'),
    type: OneOf(repoTypes, 'Type'),
  }),
})
export type LikeResponse = Static<typeof LikeResponse>
export const LikesResponse = Type.Array(LikeResponse, { description: 'Newest first' })

const Count = (what: string) => integer(`Number of ${what}`)
const counts = {
  numModels: Count('models that you may see'),
  numDatasets: Count('datasets that you may see'),
  numSpaces: Count('Spaces that you may see'),
  numPapers: integer('Always 0'),
  numFollowers: Count('followers'),
  isFollowing: flag('Whether you follow it'),
}
const named = {
  name: text('Name in URLs'),
  fullname: text('Display name'),
  avatarUrl: text('Path or URL of the picture'),
}
export const OrganizationOverviewResponse = Type.Object({
  _id: Id,
  ...named,
  type: OneOf(['org'], 'Kind of account'),
  plan: Type.Optional(OneOf(plans, 'Plan; absent = free')),
  isVerified: flag('Always false'),
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
  orgs: Type.Array(Type.Object({ id: Id, ...named }), { description: 'Organizations of the user' }),
  createdAt: Time,
})
export type UserOverviewResponse = Static<typeof UserOverviewResponse>

export const MembersQuery = Type.Object({
  search: Type.Optional(text('Text in the user name or display name')),
  email: Type.Optional(text('E-mail address of a member; for administrators')),
  cursor: PageQuery.properties.cursor,
  limit: Type.Optional(
    Type.Integer({ minimum: 10, maximum: 10_000, default: 500, description: 'Members per page' }),
  ),
})
export type MembersQuery = Static<typeof MembersQuery>

export const MemberResponse = Type.Object({
  ...person,
  role: Type.Optional(OneOf(roles, 'Role; only for members')),
})
export type MemberResponse = Static<typeof MemberResponse>
export const MembersResponse = Type.Array(MemberResponse, { description: 'A page of the list' })

export const AvatarQuery = Type.Object({
  redirect: Type.Optional(flag('Whether to redirect to the picture')),
})
export const AvatarResponse = Type.Object({
  avatarUrl: text('Path or URL of the picture'),
})

const socialHandles = Type.Object({}, { description: 'Always empty' })
export const UserSocialsResponse = Type.Object({ _id: Id, user: text('User name'), socialHandles })
export const OrganizationSocialsResponse = Type.Object({
  _id: Id,
  org: text('Name in URLs'),
  socialHandles,
})
