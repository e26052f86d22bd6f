import { omitUndefined } from '../../core/omit-undefined.ts'
import type { CreateUserRequest, UpdateUserRequest } from '../../contract/control-accounts.ts'
import type { Deps } from '../deps.ts'
import { Refusal } from '../../core/refusal.ts'
import { deleteCollection } from '../collections/collections.ts'
import { forgetLikesBy } from '../people/likes.ts'
import { deletePublisher, revokeAccessToken } from '../access/revoke-token.ts'
import { forgetMarksOn } from '../people/marks.ts'
import { deleteRepo } from '../repos/repos.ts'
import { endSession } from '../oauth/sessions.ts'
import type { User } from '../../store/entities/account-entities.ts'
import { nameKey } from '../../store/state.ts'
import { moveReposAlong, requireFreeAccountName } from './account-names.ts'

/** @throws {Refusal} `conflict` when the name or the e-mail address is taken */
export function createUser(deps: Deps, request: CreateUserRequest): User {
  const { state, ids, clock, bus } = deps
  const { username, avatar, ...rest } = request
  requireFreeAccountName(deps, username)
  const email = request.email ?? `${username.toLowerCase()}@example.com`
  requireFreeEmail(deps, email)
  const user = state.users.put({
    emailVerified: true,
    isPro: false,
    canPay: false,
    fullname: username,
    ...rest,
    id: ids.of('user', username).objectId(),
    username,
    email,
    createdAt: clock.now(),
    ...omitUndefined({ avatarUrl: avatar }),
  })
  bus.emit('account.changed', { kind: 'user', id: user.id })
  return user
}

/**
 * Changes a user; a new name moves the user's repos, too.
 * @throws {Refusal} `conflict` when the name or the e-mail address is taken
 */
export function updateUser(deps: Deps, user: User, request: UpdateUserRequest): User {
  const { state, bus } = deps
  const { avatar, website, password, ...changes } = request
  if (changes.username !== undefined) requireFreeAccountName(deps, changes.username, user.id)
  if (changes.email !== undefined) requireFreeEmail(deps, changes.email, user.id)
  const optional = {
    avatarUrl: avatar === undefined ? user.avatarUrl : avatar,
    website: website === undefined ? user.website : website,
    password: password === undefined ? user.password : password,
  }
  const { avatarUrl: _avatarUrl, website: _website, password: _password, ...kept } = user
  const updated: User = { ...kept, ...changes }
  for (const key of ['avatarUrl', 'website', 'password'] as const) {
    const value = optional[key]
    if (typeof value === 'string') updated[key] = value
  }
  state.users.put(updated)
  if (updated.username !== user.username) moveReposAlong(deps, user.id, updated.username)
  bus.emit('account.changed', { kind: 'user', id: user.id })
  return updated
}

/** Deletes a user with tokens, sessions, consents, memberships, webhooks, collections, repos, likes and follows; comments stay. */
export function deleteUser(deps: Deps, user: User): void {
  const { state, bus } = deps
  for (const token of state.tokens.group('user', user.id)) {
    revokeAccessToken(deps, token, 'its user was deleted')
  }
  for (const token of state.refreshTokens.values()) {
    if (token.userId === user.id) state.refreshTokens.delete(token.id)
  }
  for (const code of state.codes.values()) {
    if (code.userId === user.id) state.codes.delete(code.id)
  }
  for (const publisher of state.trustedPublishers.group('user', user.id)) {
    deletePublisher(deps, publisher)
  }
  for (const session of state.sessions.group('user', user.id)) endSession(deps, session.id)
  for (const consent of state.consents.group('user', user.id)) state.consents.delete(consent.id)
  for (const organization of state.organizations.group('member', user.id)) {
    const stays = ({ userId }: { userId: string }) => userId !== user.id
    state.organizations.put({
      ...organization,
      members: organization.members.filter(stays),
      resourceGroups: organization.resourceGroups.map((group) => ({
        ...group,
        members: group.members.filter(stays),
      })),
    })
    bus.emit('account.changed', { kind: 'organization', id: organization.id })
  }
  for (const webhook of state.webhooks.group('owner', user.id)) {
    state.webhooks.delete(webhook.id)
    bus.emit('webhook.deleted', { webhookId: webhook.id })
  }
  for (const { id } of state.scheduledJobs.group('owner', user.id)) state.scheduledJobs.delete(id)
  for (const { id } of state.inferenceEndpoints.group('owner', user.id)) {
    state.inferenceEndpoints.delete(id)
  }
  for (const collection of state.hubCollections.group('owner', user.id)) {
    deleteCollection(deps, collection)
  }
  for (const repo of state.repos.group('owner', user.id)) deleteRepo(deps, { repo })
  forgetLikesBy(deps, user)
  forgetMarksOn(deps, user.id)
  state.users.delete(user.id)
  bus.emit('account.changed', { kind: 'user', id: user.id })
}

function requireFreeEmail({ state }: Pick<Deps, 'state'>, email: string, ownId?: string): void {
  const holder = state.users.find('email', nameKey(email))
  if (holder === undefined || holder.id === ownId) return
  throw new Refusal('conflict', `${holder.username} already has the e-mail address ${email}.`)
}
