import { beforeEach, describe, expect, test } from 'vitest'
import { listTokenRights } from '../../../server/hub/access/token-rights.ts'
import type { AccessToken } from '../../../server/store/entities/oauth-entities.ts'
import { createTestDeps, type TestWorld } from '../../helpers/deps.ts'
import { testStart } from '../../worlds/settings.ts'

let world: TestWorld
beforeEach(async () => {
  world = await createTestDeps()
})

/** Each thing that is done, with those whose things it may be done with. */
function rightsOf(changes: Partial<AccessToken>) {
  const { deps, users, organizations, apps } = world
  const token: AccessToken = {
    id: 'token',
    token: 'hf_oauth_sandbox_token',
    kind: 'oauth',
    userId: users.bob.id,
    clientId: apps.public.id,
    scopes: [],
    organizationIds: [],
    createdAt: testStart,
    ...changes,
  }
  const names = new Map([
    [users.bob.id, 'bob'],
    [organizations.acme.id, 'acme'],
    [organizations.labs.id, 'labs'],
  ])
  const ids = [organizations.acme.id, organizations.labs.id]
  const rights = listTokenRights(deps, { user: users.bob, token }, ids)
  const find = (what: string) => {
    const right = rights.find((each) => each.what === what)
    if (right === undefined) throw new Error(`nothing is called ${what}`)
    return right
  }
  const named = (what: string, allowed: boolean) =>
    find(what)
      .verdicts.filter((verdict) => verdict.allowed === allowed)
      .map(({ ownerId }) => names.get(ownerId))
  return {
    all: rights,
    find,
    allowed: (what: string) => named(what, true),
    refused: (what: string) => named(what, false),
  }
}

describe('what a token lets be done', () => {
  test('is nothing private without a scope, and says which is missing', () => {
    const { allowed, refused, find } = rightsOf({ organizationIds: [world.organizations.acme.id] })
    expect(allowed('Read private repos')).toEqual([])
    expect(refused('Read private repos')).toEqual(['bob', 'acme', 'labs'])
    expect(find('Read private repos').verdicts[0]?.because).toContain('needs the scope read-repos')
    expect(find('Read private repos').scopes).toEqual(['read-repos'])
    expect(find('Merge pull requests').scopes).toEqual(['write-discussions', 'write-repos'])
    expect(find('Manage members and resource groups').scopes).toEqual([])
  })

  test('reaches the organizations that were ticked at consent, and no other', () => {
    const { allowed, find } = rightsOf({
      scopes: ['write-repos', 'jobs'],
      organizationIds: [world.organizations.acme.id],
    })
    expect(allowed('Read private repos')).toEqual(['bob', 'acme'])
    expect(allowed('Commit, branch and tag')).toEqual(['bob', 'acme'])
    expect(allowed('Run jobs')).toEqual(['bob', 'acme'])
    const labs = find('Read private repos').verdicts.find(({ allowed: is }) => !is)
    expect(labs?.because).toContain('not granted')
  })

  test('is bound by the role of the user, whatever the scopes are', () => {
    const { acme, labs } = world.organizations
    const { allowed, find } = rightsOf({
      scopes: ['manage-repos'],
      organizationIds: [acme.id, labs.id],
    })
    // Bob writes in acme and reads in labs.
    expect(allowed('Commit, branch and tag')).toEqual(['bob', 'acme'])
    expect(allowed('Create repos')).toEqual(['bob', 'acme'])
    expect(find('Create repos').verdicts.at(-1)?.because).toContain('the read right')
  })

  test('of an exchange is confined to its organization', () => {
    const { acme } = world.organizations
    const { allowed } = rightsOf({
      scopes: ['write-repos', 'write-discussions'],
      organizationIds: [acme.id],
      boundOrganizationId: acme.id,
    })
    expect(allowed('Commit, branch and tag')).toEqual(['acme'])
    expect(allowed('Open discussions and pull requests')).toEqual(['acme'])
  })

  test('of a user access token is what its user may, or reading alone', () => {
    const user = { kind: 'user' as const }
    const writing = rightsOf({ ...user, role: 'write', name: 'ci' })
    expect(writing.allowed('Commit, branch and tag')).toEqual(['bob', 'acme'])
    expect(writing.allowed('Like repos and change the account')).toEqual(['bob'])
    const reading = rightsOf({ ...user, role: 'read', name: 'ci' })
    expect(reading.allowed('Read private repos')).toEqual(['bob', 'acme', 'labs'])
    expect(reading.allowed('Commit, branch and tag')).toEqual([])
    const fineGrained = rightsOf({
      ...user,
      role: 'fineGrained',
      fineGrained: {
        scoped: [
          {
            entity: { _id: world.organizations.acme.id, type: 'org' },
            permissions: ['repo.content.read'],
          },
        ],
      },
    })
    expect(fineGrained.allowed('Read private repos')).toEqual(['acme'])
  })

  test('tells of things only where they can be', () => {
    const { find } = rightsOf({})
    const owners = (what: string) => find(what).verdicts.length
    expect(owners('Read the audit log')).toBe(2)
    expect(owners('Manage webhooks')).toBe(1)
    expect(owners('Create repos')).toBe(3)
  })

  test('stops at a restriction of the organization', () => {
    const { acme } = world.organizations
    world.state.organizations.put({ ...acme, securityRestrictions: [{ type: 'mfa' }] })
    const { find } = rightsOf({ scopes: ['read-repos'], organizationIds: [acme.id] })
    expect(find('Read private repos').verdicts[1]).toMatchObject({
      allowed: false,
      because: expect.stringContaining('restrictions'),
    })
  })
})
