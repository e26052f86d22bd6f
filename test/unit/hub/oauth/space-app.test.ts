import { describe, expect, test } from 'vitest'
import {
  createOrganization,
  deleteOrganization,
  updateOrganization,
} from '../../../../server/hub/accounts/organizations.ts'
import { commitFiles } from '../../../../server/hub/commits/commits.ts'
import { readReadmeMetadata } from '../../../../server/hub/rules/readme-metadata.ts'
import { createRepo, deleteRepo } from '../../../../server/hub/repos/repos.ts'
import { deleteApp } from '../../../../server/hub/oauth/apps.ts'
import { authorizationBar } from '../../../../server/hub/oauth/authorization.ts'
import { followSpaces } from '../../../../server/hub/oauth/space-app.ts'
import type { User } from '../../../../server/store/entities/account-entities.ts'
import type { Repo } from '../../../../server/store/entities/hub-entities.ts'
import { castOfState } from '../../../../server/lab/demos/cast-of-state.ts'
import { createTestDeps } from '../../../helpers/deps.ts'

describe('README metadata', () => {
  test('strings and lists are read in both forms, other values are ignored', () => {
    const readme = [
      '---',
      'title: "Demo: one"',
      'hf_oauth: true # sign in',
      'hf_oauth_scopes:',
      '  - email',
      "  - 'read-repos'",
      'hf_oauth_authorized_org: [acme, labs]',
      'nested:',
      '  inner: 1',
      '---',
      'hf_oauth: false',
    ].join('\n')
    expect(Object.fromEntries(readReadmeMetadata(readme))).toEqual({
      title: 'Demo: one',
      hf_oauth: 'true',
      hf_oauth_scopes: ['email', 'read-repos'],
      hf_oauth_authorized_org: ['acme', 'labs'],
      nested: [],
    })
  })

  test('metadata is empty without a closed header at the top of the file', () => {
    expect(readReadmeMetadata('# Title\n---\na: b\n---\n').size).toBe(0)
    expect(readReadmeMetadata('---\na: b\n').size).toBe(0)
  })
})

describe('the app of a Space', () => {
  async function setUp(owner = 'alice') {
    const world = await createTestDeps()
    const { deps } = world
    followSpaces(deps)
    const actorId = world.users.alice.id
    const name = `${owner}/demo`
    const repo = createRepo(deps, { type: 'space', name, sdk: 'gradio', actorId })
    const app = () => deps.state.apps.group('space', repo.id)[0]
    const write = (...metadata: string[]): Repo => {
      const sdk = metadata.some((line) => line.startsWith('sdk:')) ? [] : ['sdk: gradio']
      const content = ['---', ...sdk, ...metadata, '---', ''].join('\n')
      const current = deps.state.repos.get(repo.id) ?? repo
      return commitFiles(deps, {
        repo: current,
        revision: 'main',
        operations: [{ kind: 'add', path: 'README.md', content }],
        title: 'Change the README',
        actorId,
      }).repo
    }
    return { deps, world, name, app, write }
  }

  test.each(['true', 'True', 'TRUE'])('hf_oauth: %s creates the app (YAML 1.2)', async (value) => {
    const { app, write } = await setUp()
    write(`hf_oauth: ${value}`)
    expect(app()).toBeDefined()
  })

  test.each(['false', 'False', 'yes', 'tRUE', 'null', '1'])(
    'hf_oauth: %s does not create the app',
    async (value) => {
      const { app, write } = await setUp()
      write(`hf_oauth: ${value}`)
      expect(app()).toBeUndefined()
    },
  )

  test('the app is open to every user when hf_oauth_authorized_org is null', async () => {
    const { app, write } = await setUp()
    write('hf_oauth: True', 'hf_oauth_authorized_org: ~')
    expect(app()).toBeDefined()
    expect(app()).not.toHaveProperty('authorizedOrganizationIds')
  })

  test('the app follows changes of the README and keeps its id and secret', async () => {
    const { app, write, name } = await setUp()
    expect(app()).toBeUndefined()

    write('hf_oauth: true')
    const first = app()
    expect(first).toMatchObject({
      name,
      scopes: ['openid', 'profile'],
      tokenDurationSeconds: 480 * 60,
      clientSecret: expect.stringMatching(/^sandbox_\w{40}$/),
    })

    write('hf_oauth: true', 'hf_oauth_expiration_minutes: 99999', 'hf_oauth_scopes: [email, nope]')
    expect(app()).toMatchObject({
      id: first?.id,
      clientSecret: first?.clientSecret,
      scopes: ['openid', 'profile', 'email'],
      tokenDurationSeconds: 43_200 * 60,
    })
  })

  test('the app of a static Space has no secret and follows a change of the sdk', async () => {
    const { app, write } = await setUp()
    write('hf_oauth: true')
    const before = app()
    expect(before).toMatchObject({ redirectHosts: ['alice-demo.hf.space'] })

    write('sdk: static', 'hf_oauth: true')
    expect(app()).toMatchObject({
      id: before?.id,
      redirectHosts: ['alice-demo.hf.space', 'alice-demo.static.hf.space'],
    })
    expect(app()).not.toHaveProperty('clientSecret')

    write('sdk: docker', 'hf_oauth: true')
    expect(app()).toMatchObject({
      id: before?.id,
      redirectHosts: ['alice-demo.hf.space'],
      clientSecret: expect.stringMatching(/^sandbox_\w{40}$/),
    })
    expect(app()?.clientSecret).not.toBe(before?.clientSecret)
  })

  test('the app refuses every user while its organizations are unknown', async () => {
    const { deps, world, app, write } = await setUp()
    const { alice, carol } = world.users
    const barOf = (user: User) => authorizationBar(deps, app()!, user)
    write('hf_oauth: true', 'hf_oauth_authorized_org: [Later, other]')
    expect(app()).toMatchObject({ authorizedOrganizationIds: [] })
    expect(barOf(alice)).toMatch(/hf_oauth_authorized_org of its Space, but none of them exists/)
    expect(castOfState(deps.state).apps).toContainEqual(expect.objectContaining({ onlyFor: [] }))

    const members = [{ user: 'alice', role: 'read' as const }]
    const later = createOrganization(deps, { name: 'later', members })
    expect(barOf(alice)).toBeUndefined()
    expect(barOf(carol)).toBe('This app is for members of later only.')

    updateOrganization(deps, world.organizations.labs, { name: 'other' })
    expect(app()?.authorizedOrganizationIds).toEqual([later.id, world.organizations.labs.id])
  })

  test('members keep access after their organization is renamed', async () => {
    const { deps, world, app, write } = await setUp('acme')
    const { acme } = world.organizations
    write('hf_oauth: true', 'hf_oauth_authorized_org: acme')
    updateOrganization(deps, acme, { name: 'apex' })
    expect(app()).toMatchObject({
      name: 'apex/demo',
      redirectHosts: ['apex-demo.hf.space'],
      authorizedOrganizationIds: [acme.id],
    })

    // The name is another's now, and the README means that one.
    const { id } = createOrganization(deps, { name: 'acme' })
    expect(app()?.authorizedOrganizationIds).toEqual([id])
  })

  test('the app refuses every user after its organization is deleted', async () => {
    const { deps, world, app, write } = await setUp()
    write('hf_oauth: true', 'hf_oauth_authorized_org: labs')
    deleteApp(deps, world.apps.labs)
    deleteOrganization(deps, world.organizations.labs)
    expect(app()).toMatchObject({ authorizedOrganizationIds: [] })
  })

  test('the app is open to every user when the README names no organization', async () => {
    const { app, write } = await setUp()
    write('hf_oauth: true', 'hf_oauth_authorized_org:')
    expect(app()).not.toHaveProperty('authorizedOrganizationIds')
  })

  test('the app is deleted with its Space, or when the README drops hf_oauth', async () => {
    const { deps, app, write } = await setUp()
    write('hf_oauth: true')
    write()
    expect(app()).toBeUndefined()

    const repo = write('hf_oauth: true')
    deleteRepo(deps, { repo })
    expect(app()).toBeUndefined()
  })
})
