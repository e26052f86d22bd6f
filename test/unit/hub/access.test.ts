import { beforeEach, describe, expect, test } from 'vitest'
import type { HubErrorName, RefusalReason } from '../../../server/core/refusal.ts'
import { type AccessQuestion, decide, openRepo } from '../../../server/hub/access/access.ts'
import type { RepoAction } from '../../../server/hub/access/access-rules.ts'
import { canRead } from '../../../server/hub/access/rights.ts'
import { anonymous, type Principal } from '../../../server/hub/access/principal.ts'
import type { HubCollection, Repo } from '../../../server/store/entities/hub-entities.ts'
import { createHubWorld, type HubWorld, start } from './hub-world.ts'

type Username = keyof HubWorld['users']
/** `ok`, a status, or a status with its `X-Error-Code`. */
type Verdict = 'ok' | RefusalReason | `${RefusalReason} ${HubErrorName}`

const appId = 'app'
let world: HubWorld
let repos: Record<string, Repo>

beforeEach(async () => {
  world = await createHubWorld()
  const { dave, erin, bob } = world.users
  const { acme } = world.organizations
  world.state.organizations.put({
    ...acme,
    resourceGroups: [
      { id: 'a'.repeat(24), name: 'inner', members: [{ userId: erin.id, role: 'write' }] },
    ],
  })
  const hidden = { visibility: 'private' } as const
  const accepted = [{ userId: dave.id, status: 'accepted' as const, at: start }]
  repos = {
    public: world.repo('alice/public'),
    private: world.repo('alice/private', hidden),
    acmePublic: world.repo('acme/public'),
    acmePrivate: world.repo('acme/private', hidden),
    acmeByErin: world.repo('acme/by-erin', { ...hidden, actorId: erin.id }),
    acmeInner: world.repo('acme/inner', { ...hidden, resourceGroupId: 'a'.repeat(24) }),
    labsPrivate: world.repo('labs/private', hidden),
    gated: world.repo('labs/gated', { gated: 'manual', put: { accessRequests: accepted } }),
    acmeGated: world.repo('acme/gated', { gated: 'auto' }),
    byApp: world.repo('alice/by-app', { ...hidden, creatorClientId: appId }),
    bobPrivate: world.repo('bob/private', { ...hidden, actorId: bob.id }),
    disabled: world.repo('alice/disabled', { put: { disabled: true } }),
  }
})

const session = (name: Username): Principal => ({ kind: 'session', user: world.users[name] })

/** A user access token. */
function user(name: Username, role: 'read' | 'write' = 'write'): Principal {
  const owner = world.users[name]
  return { kind: 'token', user: owner, token: world.token(owner, { role }) }
}

/** A token of an app, with organizations granted. */
function oauth(name: Username, scope: string, granted: ('acme' | 'labs')[] = []): Principal {
  const owner = world.users[name]
  const token = world.token(owner, {
    kind: 'oauth',
    clientId: appId,
    scopes: scope.split(' ').filter(Boolean),
    organizationIds: granted.map((organization) => world.organizations[organization].id),
  })
  return { kind: 'token', user: owner, token }
}

/** A token exchange's token, bound to acme. */
function exchanged(name: Username, scope: string): Principal {
  const owner = world.users[name]
  const { id } = world.organizations.acme
  const token = world.token(owner, {
    kind: 'oauth',
    clientId: appId,
    grant: 'token_exchange',
    scopes: scope.split(' ').filter(Boolean),
    organizationIds: [id],
    boundOrganizationId: id,
  })
  return { kind: 'token', user: owner, token }
}

function fineGrained(
  name: Username,
  scoped: { type: string; id: string; permissions: string[] }[],
  more: { global?: string[]; canReadGatedRepos?: boolean } = {},
): Principal {
  const owner = world.users[name]
  const token = world.token(owner, {
    role: 'fineGrained',
    fineGrained: {
      scoped: scoped.map(({ type, id, permissions }) => ({
        entity: { _id: id, type },
        permissions,
      })),
      ...more,
    },
  })
  return { kind: 'token', user: owner, token }
}

function verdict(principal: Principal, question: AccessQuestion): Verdict {
  const decision = decide(world.deps, principal, question)
  if (decision.allowed) return 'ok'
  expect(decision.options.detail).toBeTruthy()
  const { hubError } = decision.options
  return hubError === undefined ? decision.code : `${decision.code} ${hubError}`
}

const onRepo = (principal: Principal, action: RepoAction, name: string) =>
  verdict(principal, { action, repo: repos[name]! })

const missing = 'not_found RepoNotFound'

describe('reading', () => {
  test.each<[string, () => Principal, string, Verdict]>([
    ['nobody', () => anonymous, 'public', 'ok'],
    ['nobody', () => anonymous, 'private', 'unauthenticated RepoNotFound'],
    ['a stranger', () => session('dave'), 'private', missing],
    ['the owner', () => session('alice'), 'private', 'ok'],
    ['the owner with a read token', () => user('alice', 'read'), 'private', 'ok'],
    ['an app without scopes', () => oauth('alice', ''), 'public', 'ok'],
    ['an app without scopes', () => oauth('alice', ''), 'private', missing],
    ['an app with read-repos', () => oauth('alice', 'read-repos'), 'private', 'ok'],
    ['an app with write-repos', () => oauth('alice', 'write-repos'), 'private', 'ok'],
    ['an app with manage-repos', () => oauth('alice', 'manage-repos'), 'private', 'ok'],
    ['an app with gated-repos', () => oauth('alice', 'gated-repos'), 'private', missing],
    ['an app with contribute-repos', () => oauth('alice', 'contribute-repos'), 'private', missing],
    ['an app with contribute-repos', () => oauth('alice', 'contribute-repos'), 'byApp', 'ok'],
    ['the app that made it, without scopes', () => oauth('alice', ''), 'byApp', missing],
    ['a member', () => session('carol'), 'acmePrivate', 'ok'],
    ['a member without access', () => session('frank'), 'acmePrivate', missing],
    ['a member outside the group', () => session('bob'), 'acmeInner', missing],
    ['a member of the group', () => session('erin'), 'acmeInner', 'ok'],
    ['an administrator', () => session('alice'), 'acmeInner', 'ok'],
    ['an app not granted acme', () => oauth('carol', 'read-repos'), 'acmePrivate', missing],
    ['an app granted acme', () => oauth('carol', 'read-repos', ['acme']), 'acmePrivate', 'ok'],
    ['an app not granted acme', () => oauth('carol', 'read-repos'), 'acmePublic', 'ok'],
    ['anybody', () => session('alice'), 'disabled', 'forbidden'],
  ])('%s', (_, principal, repo, expected) => {
    expect(onRepo(principal(), 'repo.read', repo)).toBe(expected)
  })

  test('a missing and a hidden repo differ in the detail only', () => {
    const open = (name: string) => () =>
      openRepo(world.deps, session('dave'), { type: 'model', name, action: 'repo.read' })
    const refusal = { code: 'not_found', message: 'Repository not found' }
    expect(open('alice/private')).toThrow(expect.objectContaining(refusal))
    expect(open('alice/nothing')).toThrow(expect.objectContaining(refusal))
  })
})

describe('files of gated repos', () => {
  test.each<[string, () => Principal, string, Verdict]>([
    ['nobody', () => anonymous, 'gated', 'unauthenticated GatedRepo'],
    ['not on the list', () => session('carol'), 'gated', 'forbidden GatedRepo'],
    ['on the list', () => session('dave'), 'gated', 'ok'],
    ['on the list, scope missing', () => oauth('dave', 'profile'), 'gated', 'forbidden GatedRepo'],
    ['on the list, gated-repos', () => oauth('dave', 'gated-repos'), 'gated', 'ok'],
    ...['read-repos', 'write-repos', 'manage-repos'].map(
      (scope): [string, () => Principal, string, Verdict] => [
        `on the list, ${scope}`,
        () => oauth('dave', scope),
        'gated',
        'forbidden GatedRepo',
      ],
    ),
    ['a member', () => session('bob'), 'gated', 'ok'],
    ['a member, not granted', () => oauth('bob', 'read-repos'), 'gated', 'forbidden GatedRepo'],
    ['a member, granted', () => oauth('bob', 'read-repos', ['labs']), 'gated', 'ok'],
    [
      'fine-grained without the right',
      () => fineGrained('dave', []),
      'gated',
      'forbidden GatedRepo',
    ],
    [
      'fine-grained with the right',
      () => fineGrained('dave', [], { canReadGatedRepos: true }),
      'gated',
      'ok',
    ],
    ['exchanged, in the organization', () => exchanged('carol', 'read-repos'), 'acmeGated', 'ok'],
    [
      'exchanged, elsewhere, a member only',
      () => exchanged('bob', 'read-repos'),
      'gated',
      'forbidden GatedRepo',
    ],
  ])('%s', (_, principal, repo, expected) => {
    expect(onRepo(principal(), 'repo.download', repo)).toBe(expected)
    expect(onRepo(principal(), 'repo.read', repo)).toBe('ok')
  })

  test('an exchanged token opens gated repos elsewhere when its user is on the list', () => {
    const { acme } = world.organizations
    const { dave } = world.users
    const members = [...acme.members, { userId: dave.id, role: 'read' as const }]
    world.state.organizations.put({ ...acme, members })
    expect(onRepo(exchanged('dave', 'gated-repos'), 'repo.download', 'gated')).toBe('ok')
    expect(onRepo(exchanged('dave', 'jobs'), 'repo.download', 'gated')).toBe('forbidden GatedRepo')
  })
})

describe('writing', () => {
  test.each<[string, () => Principal, RepoAction, string, Verdict]>([
    ['nobody', () => anonymous, 'repo.write', 'public', 'unauthenticated'],
    ['a stranger', () => session('dave'), 'repo.write', 'public', 'forbidden'],
    ['a read token', () => user('alice', 'read'), 'repo.write', 'public', 'forbidden'],
    ['a write token', () => user('alice'), 'repo.write', 'public', 'ok'],
    ['read-repos', () => oauth('alice', 'read-repos'), 'repo.write', 'private', 'forbidden'],
    ['write-repos', () => oauth('alice', 'write-repos'), 'repo.write', 'private', 'ok'],
    ['write-repos', () => oauth('alice', 'write-repos'), 'repo.delete', 'private', 'forbidden'],
    ['write-repos', () => oauth('alice', 'write-repos'), 'repo.settings', 'private', 'forbidden'],
    ['manage-repos', () => oauth('alice', 'manage-repos'), 'repo.delete', 'private', 'ok'],
    ['manage-repos', () => oauth('alice', 'manage-repos'), 'repo.access', 'private', 'ok'],
    ['contribute, own', () => oauth('alice', 'contribute-repos'), 'repo.write', 'byApp', 'ok'],
    [
      'contribute, own',
      () => oauth('alice', 'contribute-repos'),
      'repo.delete',
      'byApp',
      'forbidden',
    ],
    [
      'contribute, other',
      () => oauth('alice', 'contribute-repos'),
      'repo.write',
      'public',
      'forbidden',
    ],
    ['role read', () => session('carol'), 'repo.write', 'acmePrivate', 'forbidden'],
    ['role write', () => session('bob'), 'repo.delete', 'acmePrivate', 'ok'],
    ['contributor, others', () => session('erin'), 'repo.write', 'acmePrivate', 'forbidden'],
    ['contributor, own', () => session('erin'), 'repo.settings', 'acmeByErin', 'ok'],
    ['not granted', () => oauth('bob', 'write-repos'), 'repo.write', 'acmePublic', 'forbidden'],
    ['granted', () => oauth('bob', 'write-repos', ['acme']), 'repo.write', 'acmePublic', 'ok'],
    [
      'granted, role read',
      () => oauth('carol', 'write-repos', ['acme']),
      'repo.write',
      'acmePublic',
      'forbidden',
    ],
  ])('%s', (_, principal, action, repo, expected) => {
    expect(onRepo(principal(), action, repo)).toBe(expected)
  })

  test('a refusal names the smallest scope that helps', () => {
    const decision = decide(world.deps, oauth('alice', 'write-discussions'), {
      action: 'pull-request.create',
      repo: repos['private']!,
    })
    expect(decision).toMatchObject({ code: 'forbidden', options: { scope: 'read-repos' } })
  })

  test('only administrators move a repo out of their organization', () => {
    const move = (name: Username, toOwnerId: string) =>
      verdict(session(name), { action: 'repo.move', repo: repos['acmePublic']!, toOwnerId })
    const { acme, labs } = world.organizations
    expect(move('bob', acme.id)).toBe('ok')
    expect(move('bob', labs.id)).toBe('forbidden')
    expect(move('alice', labs.id)).toBe('ok')
  })
})

describe('discussing', () => {
  const ask = (principal: Principal, action: RepoAction, repo: string, authorId?: string) =>
    verdict(principal, {
      action,
      repo: repos[repo]!,
      ...(authorId === undefined ? {} : { authorId }),
    })

  test.each<[string, () => Principal, RepoAction, string, Verdict]>([
    ['nobody', () => anonymous, 'discussion.create', 'public', 'unauthenticated'],
    ['anybody', () => session('dave'), 'discussion.create', 'public', 'ok'],
    ['a stranger', () => session('dave'), 'discussion.create', 'private', missing],
    [
      'without a scope',
      () => oauth('dave', 'profile'),
      'discussion.comment',
      'public',
      'forbidden',
    ],
    [
      'write-discussions',
      () => oauth('dave', 'write-discussions'),
      'discussion.comment',
      'public',
      'ok',
    ],
    [
      'on an organization not granted',
      () => oauth('bob', 'write-discussions'),
      'discussion.create',
      'acmePublic',
      'ok',
    ],
    [
      'on a private repo',
      () => oauth('alice', 'write-discussions read-repos'),
      'pull-request.create',
      'private',
      'ok',
    ],
    [
      'a commit with write-repos',
      () => oauth('alice', 'write-repos'),
      'pull-request.commit',
      'private',
      'ok',
    ],
    [
      'a commit with write-discussions',
      () => oauth('dave', 'write-discussions'),
      'pull-request.commit',
      'public',
      'ok',
    ],
    [
      'merging without write-repos',
      () => oauth('alice', 'write-discussions'),
      'pull-request.merge',
      'public',
      'forbidden',
    ],
    [
      'merging',
      () => oauth('alice', 'write-discussions write-repos'),
      'pull-request.merge',
      'public',
      'ok',
    ],
    [
      'a fine-grained global right',
      () => fineGrained('dave', [], { global: ['discussion.write'] }),
      'discussion.create',
      'public',
      'ok',
    ],
  ])('%s', (_, principal, action, repo, expected) => {
    expect(ask(principal(), action, repo)).toBe(expected)
  })

  test('authors change their own discussions, writers those of others', () => {
    const { dave } = world.users
    expect(ask(session('dave'), 'discussion.change', 'public', dave.id)).toBe('ok')
    expect(ask(session('carol'), 'discussion.change', 'public', dave.id)).toBe('forbidden')
    expect(ask(session('alice'), 'discussion.change', 'public', dave.id)).toBe('ok')
    expect(ask(session('alice'), 'comment.edit', 'public', dave.id)).toBe('forbidden')
    expect(ask(session('alice'), 'comment.hide', 'public', dave.id)).toBe('ok')
    expect(ask(oauth('dave', 'write-discussions'), 'discussion.change', 'public', dave.id)).toBe(
      'ok',
    )
    expect(ask(oauth('alice', 'write-discussions'), 'discussion.change', 'public', dave.id)).toBe(
      'ok',
    )
    expect(ask(oauth('alice', 'write-discussions'), 'comment.hide', 'public', dave.id)).toBe(
      'forbidden',
    )
  })
})

describe('tokens of a token exchange', () => {
  const all =
    'read-repos write-repos manage-repos gated-repos write-discussions read-collections write-collections jobs webhooks'

  test.each<[RepoAction, string, Verdict]>([
    ['repo.read', 'acmePrivate', 'ok'],
    ['repo.write', 'acmePrivate', 'ok'],
    ['repo.delete', 'acmePublic', 'ok'],
    ['discussion.create', 'acmePublic', 'ok'],
    ['repo.read', 'public', 'ok'],
    ['discussion.create', 'public', 'forbidden'],
    ['repo.read', 'bobPrivate', missing],
    ['repo.write', 'bobPrivate', missing],
    ['repo.read', 'labsPrivate', missing],
  ])('%s on %s', (action, repo, expected) => {
    expect(onRepo(exchanged('bob', all), action, repo)).toBe(expected)
  })

  test('an exchanged token needs the scope and the role inside the organization', () => {
    expect(onRepo(exchanged('bob', 'jobs'), 'repo.read', 'acmePrivate')).toBe('forbidden')
    expect(onRepo(exchanged('bob', 'read-repos'), 'repo.write', 'acmePrivate')).toBe('forbidden')
    expect(onRepo(exchanged('carol', all), 'repo.write', 'acmePrivate')).toBe('forbidden')
    expect(onRepo(exchanged('erin', all), 'repo.write', 'acmeByErin')).toBe('ok')
  })

  test('an exchanged token acts in no other namespace and not on the account', () => {
    const { acme, labs } = world.organizations
    const { bob } = world.users
    const create = (ownerId: string) =>
      verdict(exchanged('bob', all), { action: 'repo.create', ownerId })
    expect(create(acme.id)).toBe('ok')
    expect(create(bob.id)).toBe('forbidden')
    expect(create(labs.id)).toBe('forbidden')
    expect(verdict(exchanged('bob', all), { action: 'jobs', ownerId: acme.id })).toBe('ok')
    expect(verdict(exchanged('bob', all), { action: 'jobs', ownerId: bob.id })).toBe('forbidden')
    expect(verdict(exchanged('bob', all), { action: 'webhooks' })).toBe('forbidden')
  })
})

describe('fine-grained tokens', () => {
  test('a fine-grained token acts on its entities with its permissions only', () => {
    const { bob } = world.users
    const { acme } = world.organizations
    const onAcme = fineGrained('bob', [
      { type: 'org', id: acme.id, permissions: ['repo.content.read'] },
    ])
    expect(onRepo(onAcme, 'repo.read', 'acmePrivate')).toBe('ok')
    expect(onRepo(onAcme, 'repo.write', 'acmePrivate')).toBe('forbidden')
    expect(onRepo(onAcme, 'repo.read', 'bobPrivate')).toBe(missing)
    const oneRepo = fineGrained('bob', [
      { type: 'model', id: repos['acmePrivate']!.id, permissions: ['repo.write'] },
    ])
    expect(onRepo(oneRepo, 'repo.write', 'acmePrivate')).toBe('ok')
    expect(onRepo(oneRepo, 'repo.write', 'acmePublic')).toBe('forbidden')
    const self = fineGrained('bob', [
      { type: 'user', id: bob.id, permissions: ['user.webhooks.write'] },
    ])
    expect(verdict(self, { action: 'webhooks' })).toBe('ok')
    expect(verdict(oneRepo, { action: 'webhooks' })).toBe('forbidden')
  })
})

test.each([
  [{ canReadGatedRepos: true }, 'user.write', 'ok'],
  [{}, 'repo.content.read', 'ok'],
  [{}, 'user.write', 'forbidden GatedRepo'],
])('a fine-grained token with %j and %s reads gated files: %s', (more, permission, wanted) => {
  const { acme } = world.organizations
  const scoped = [{ type: 'org', id: acme.id, permissions: [permission] }]
  expect(onRepo(fineGrained('bob', scoped, more), 'repo.download', 'acmeGated')).toBe(wanted)
})

test('a fine-grained permission is not for another repo that has taken the name of its own', () => {
  const owner = world.users.bob
  const { id: _id = '' } = repos['bobPrivate'] ?? {}
  const entity = { _id, type: 'model', name: 'acme/private' }
  const fineGrained = { scoped: [{ entity, permissions: ['repo.write'] }] }
  const token = world.token(owner, { role: 'fineGrained', fineGrained })
  const principal: Principal = { kind: 'token', user: owner, token }
  expect(onRepo(principal, 'repo.write', 'bobPrivate')).toBe('ok')
  expect(onRepo(principal, 'repo.write', 'acmePrivate')).toBe(missing)
})

describe('global permissions of fine-grained tokens', () => {
  test('global permissions act on public repos', () => {
    const { acme } = world.organizations
    const scoped = [{ type: 'org', id: acme.id, permissions: ['repo.content.read'] }]
    const token = fineGrained('bob', scoped, { global: ['discussion.write'] })
    expect(onRepo(token, 'discussion.create', 'acmePublic')).toBe('ok')
    expect(onRepo(token, 'discussion.create', 'acmePrivate')).toBe('forbidden')
  })
})

describe('namespaces, accounts and collections', () => {
  test('creating a repo needs the role and the scope', () => {
    const { acme } = world.organizations
    const { alice } = world.users
    const create = (principal: Principal, ownerId: string) =>
      verdict(principal, { action: 'repo.create', ownerId })
    expect(create(anonymous, alice.id)).toBe('unauthenticated')
    expect(create(session('erin'), acme.id)).toBe('ok')
    expect(create(session('carol'), acme.id)).toBe('forbidden')
    expect(create(session('dave'), alice.id)).toBe('forbidden')
    expect(create(oauth('alice', 'contribute-repos'), alice.id)).toBe('ok')
    expect(create(oauth('alice', 'write-repos'), alice.id)).toBe('forbidden')
    expect(create(oauth('alice', 'manage-repos'), acme.id)).toBe('forbidden')
    expect(create(oauth('alice', 'manage-repos', ['acme']), acme.id)).toBe('ok')
  })

  test('an action without a scope is open to user tokens and sessions only', () => {
    expect(verdict(session('dave'), { action: 'account' })).toBe('ok')
    expect(verdict(user('dave'), { action: 'account' })).toBe('ok')
    expect(verdict(user('dave', 'read'), { action: 'account' })).toBe('forbidden')
    expect(verdict(oauth('dave', 'manage-repos'), { action: 'account' })).toBe('forbidden')
    expect(verdict(oauth('dave', 'webhooks'), { action: 'webhooks' })).toBe('ok')
    expect(verdict(oauth('dave', 'jobs'), { action: 'webhooks' })).toBe('forbidden')
    expect(verdict(oauth('dave', 'jobs'), { action: 'repos.list' })).toBe('forbidden')
    const manage = { action: 'organization.manage', ownerId: world.organizations.acme.id } as const
    expect(verdict(session('alice'), manage)).toBe('ok')
    expect(verdict(session('bob'), manage)).toBe('forbidden')
  })

  test('private collections are hidden with their own message', () => {
    const collection: HubCollection = {
      id: 'c'.repeat(24),
      ownerId: world.organizations.acme.id,
      title: 'Things',
      private: true,
      theme: 'orange',
      items: [],
      createdAt: start,
      updatedAt: start,
    }
    const read = (principal: Principal, isPrivate = true) =>
      verdict(principal, {
        action: 'collection.read',
        collection: { ...collection, private: isPrivate },
      })
    const write = (principal: Principal) =>
      verdict(principal, { action: 'collection.write', collection })
    expect(read(anonymous)).toBe('not_found')
    expect(read(anonymous, false)).toBe('ok')
    expect(read(session('carol'))).toBe('ok')
    expect(read(oauth('carol', 'read-repos', ['acme']))).toBe('not_found')
    expect(read(oauth('carol', 'read-collections', ['acme']))).toBe('ok')
    expect(write(session('carol'))).toBe('forbidden')
    expect(write(session('bob'))).toBe('ok')
    expect(write(oauth('bob', 'read-collections', ['acme']))).toBe('forbidden')
    expect(write(exchanged('bob', 'write-collections'))).toBe('ok')
  })
})

describe('security restrictions of an organization', () => {
  test('a restriction bars its members from private repos, with a reason', () => {
    const { acme } = world.organizations
    const { bob } = world.users
    world.state.organizations.put({
      ...acme,
      securityRestrictions: [{ type: 'mfa', userIds: [bob.id] }],
    })
    expect(onRepo(session('bob'), 'repo.read', 'acmePrivate')).toBe('forbidden')
    expect(onRepo(session('bob'), 'repo.write', 'acmePublic')).toBe('forbidden')
    expect(onRepo(session('bob'), 'repo.read', 'acmePublic')).toBe('ok')
    expect(onRepo(session('carol'), 'repo.read', 'acmePrivate')).toBe('ok')
    expect(canRead(world.deps, bob, repos['acmePrivate']!)).toBe(false)
  })

  test('a restriction of tokens does not concern sessions', () => {
    const { acme } = world.organizations
    world.state.organizations.put({ ...acme, securityRestrictions: [{ type: 'token-policy' }] })
    expect(onRepo(user('bob'), 'repo.read', 'acmePrivate')).toBe('forbidden')
    expect(onRepo(session('bob'), 'repo.read', 'acmePrivate')).toBe('ok')
  })

  test('a user access token revoked for the organization is restricted', () => {
    const { bob } = world.users
    const token = world.token(bob, {
      role: 'write',
      revokedForOrganizationIds: [world.organizations.acme.id],
    })
    const principal: Principal = { kind: 'token', user: bob, token }
    expect(onRepo(principal, 'repo.read', 'acmePrivate')).toBe('forbidden')
    expect(onRepo(principal, 'repo.read', 'bobPrivate')).toBe('ok')
  })
})

describe('canRead', () => {
  test('canRead takes a repo and the repo of an event', () => {
    const { alice, bob, carol, dave, erin } = world.users
    const remembered = { ownerId: world.organizations.acme.id, private: true }
    expect(canRead(world.deps, undefined, repos['public']!)).toBe(true)
    expect(canRead(world.deps, undefined, repos['private']!)).toBe(false)
    expect(canRead(world.deps, carol, remembered)).toBe(true)
    expect(canRead(world.deps, dave, remembered)).toBe(false)
    expect(canRead(world.deps, bob, { ...remembered, resourceGroupId: 'a'.repeat(24) })).toBe(false)
    expect(canRead(world.deps, erin, repos['acmeInner']!)).toBe(true)
    expect(canRead(world.deps, alice, repos['acmeInner']!)).toBe(true)
  })
})
