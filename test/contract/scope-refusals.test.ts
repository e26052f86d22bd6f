import { beforeEach, describe, expect, test } from 'vitest'
import type { Scope } from '../../server/contract/scopes.ts'
import { openDiscussion } from '../../server/hub/discussions/discussions.ts'
import { createRepo } from '../../server/hub/repos/repos.ts'
import { testApp } from '../helpers/app.ts'

const world = testApp()
beforeEach(() => {
  const { users, state, deps } = world
  const file = { kind: 'add' as const, path: 'a.txt', content: 'a' }
  const make = (name: string, isPrivate: boolean, creatorClientId?: string) =>
    createRepo(deps, {
      type: 'model',
      name,
      actorId: users.alice.id,
      visibility: isPrivate ? 'private' : 'public',
      files: [file],
      ...(creatorClientId !== undefined && { creatorClientId }),
    })
  make('alice/public', false)
  make('alice/by-app', false, 'app')
  const hidden = make('alice/private', true)
  openDiscussion(deps, { repo: hidden, title: 'A question', actorId: users.bob.id })
  for (const name of ['alice/gated', 'bob/gated']) {
    const repo = make(name, false)
    const request = { userId: users.alice.id, status: 'accepted' as const, at: deps.clock.now() }
    state.repos.put({ ...repo, gated: 'manual', accessRequests: [request] })
  }
})

type Call = readonly [method: 'GET' | 'POST' | 'PUT' | 'DELETE', url: string, body?: object]

const commit = [
  { key: 'header', value: { summary: 'Add a file' } },
  { key: 'file', value: { path: 'b.txt', content: 'b' } },
]

async function ask([method, url, body]: Call, scopes: Scope[], organizationIds: string[] = []) {
  const isCommit = url.includes('/commit/')
  const token = { kind: 'oauth', clientId: 'app', scopes, organizationIds } as const
  const user = world.as('alice', token)
  const lines = () => (body as object[]).map((line) => JSON.stringify(line)).join('\n')
  const answer = isCommit
    ? await user.post(url, lines(), { 'content-type': 'application/x-ndjson' })
    : await user.send(method, url, body)
  return {
    status: answer.status,
    error: (answer.body as { error?: string }).error,
    message: answer.headers['x-error-message'],
    challenge: answer.headers['www-authenticate'],
    reason: world.requests.values().at(-1)?.detail,
  }
}

const api = '/api/models/alice'

describe('a refusal names every scope that would do', () => {
  test.each<[what: string, call: Call, scopes: Scope[], named: string, asked: string]>([
    [
      'a commit',
      ['POST', `${api}/public/commit/main`, commit],
      ['openid'],
      'the scope write-repos (or manage-repos)',
      'write-repos',
    ],
    [
      'a commit of a token that may discuss',
      ['POST', `${api}/public/commit/main`, commit],
      ['write-discussions'],
      'the scope write-repos (or manage-repos)',
      'write-repos',
    ],
    [
      'a commit to a repo of the app',
      ['POST', `${api}/by-app/commit/main`, commit],
      ['openid'],
      'the scope write-repos (or manage-repos, contribute-repos)',
      'write-repos',
    ],
    [
      'a commit that opens a pull request',
      ['POST', `${api}/public/commit/main?create_pr=1`, commit],
      ['openid'],
      'the scope write-discussions (or write-repos, manage-repos)',
      'write-discussions',
    ],
    [
      'a commit that opens a pull request of a private repo',
      ['POST', `${api}/private/commit/main?create_pr=1`, commit],
      ['write-discussions'],
      'the scope read-repos (or write-repos, manage-repos)',
      'read-repos',
    ],
    [
      'a preupload',
      ['POST', `${api}/public/preupload/main`, { files: [] }],
      [],
      'the scope write-repos (or manage-repos)',
      'write-repos',
    ],
    [
      'a squash',
      ['POST', `${api}/public/super-squash/main`, {}],
      ['openid'],
      'the scope write-repos (or manage-repos)',
      'write-repos',
    ],
    [
      'a pull request of a private repo',
      [
        'POST',
        `${api}/private/discussions`,
        { title: 'A title', description: '', pullRequest: true },
      ],
      ['write-discussions'],
      'the scope read-repos (or write-repos, manage-repos)',
      'read-repos',
    ],
    [
      'a pin',
      ['POST', `${api}/private/discussions/1/pin`, { pinned: true }],
      ['openid'],
      'the scopes write-discussions and write-repos (or manage-repos)',
      'write-discussions write-repos',
    ],
    ['a webhook', ['GET', '/api/settings/webhooks'], [], 'the scope webhooks', 'webhooks'],
  ])('%s', async (_, call, scopes, named, asked) => {
    const { status, error, challenge, reason } = await ask(call, scopes)
    expect(status).toBe(403)
    expect(error).toContain(`needs ${named}`)
    // A client requests what `scope` lists, all of it: it has the narrowest alternative (RFC 6750 §3).
    expect(challenge).toContain(`scope="${asked}"`)
    expect(challenge).toContain(`error_description="${error}"`)
    expect(reason).toBe(
      `the token has the scopes ${scopes.join(' ') || '(none)'}; this needs ${named}`,
    )
    const enough = await ask(call, [...scopes, ...(asked.split(' ') as Scope[])])
    expect(enough.status).toBeLessThan(300)
  })

  test('a hidden repo says nothing on the wire, and all in the log', async () => {
    const { status, error, reason } = await ask(['GET', `${api}/private`], ['openid'])
    expect([status, error]).toEqual([404, 'Repository not found'])
    expect(reason).toContain('this needs the scope read-repos (or write-repos, manage-repos)')
  })

  test('a new repo is refused in the words of the Hub, and the log names the scopes', async () => {
    const call: Call = ['POST', '/api/repos/create', { name: 'new', type: 'model' }]
    const { status, error, challenge, reason } = await ask(call, ['write-repos'])
    expect([status, error]).toEqual([403, expect.stringContaining("You don't have the rights")])
    expect(challenge).toContain('scope="contribute-repos"')
    expect(reason).toContain('this needs the scope contribute-repos (or manage-repos)')
  })

  test.each([
    ['alice/gated', 'the scope gated-repos (or read-repos, write-repos, manage-repos)'],
    ['bob/gated', 'the scope gated-repos'],
  ])('the gate of %s', async (name, named) => {
    const { status, error, challenge, reason } = await ask(
      ['GET', `/${name}/resolve/main/a.txt`],
      ['openid'],
    )
    expect(status).toBe(403)
    expect(error).toContain(`gated repos: it needs ${named}.`)
    expect(challenge).toContain('scope="gated-repos"')
    expect(reason).toContain(`this needs ${named}`)
  })
})

describe('a token without access to the organization is refused, and the refusal names it', () => {
  beforeEach(() => {
    world.makeRepo('acme/public', { files: { 'a.txt': 'a' } })
  })

  const acme = '/api/models/acme/public'
  const needsAccess = 'The token needs access to the organization acme'
  const forWrites = ' and the scope write-repos (or manage-repos)'
  const ref = { name: 'refs/heads/main' }
  const lfsBatch = { operation: 'upload', objects: [], ref }

  test.each<[what: string, call: Call]>([
    ['a commit', ['POST', `${acme}/commit/main`, commit]],
    ['a preupload', ['POST', `${acme}/preupload/main`, { files: [] }]],
    ['a squash', ['POST', `${acme}/super-squash/main`, {}]],
    ['a branch', ['POST', `${acme}/branch/dev`, {}]],
    ['an upload by Xet', ['GET', `${acme}/xet-write-token/main`]],
    ['a git push', ['GET', '/acme/public/info/refs?service=git-receive-pack']],
    ['a Git LFS upload', ['POST', '/acme/public.git/info/lfs/objects/batch', lfsBatch]],
  ])('%s', async (_, call) => {
    const without = await ask(call, ['openid'])
    expect([without.status, without.message]).toEqual([403, needsAccess + forWrites])
    expect(without.reason).toContain('select acme on the consent page')
    for (const scopes of [['write-repos'], ['write-discussions', 'write-repos']] as Scope[][]) {
      const { status, message } = await ask(call, scopes)
      expect([status, message]).toEqual([403, needsAccess])
    }
    const organizationIds = [world.organizations.acme.id]
    const granted = await ask(call, ['write-repos'], organizationIds)
    expect(granted.status).toBeLessThan(300)
  })

  test('a pull request needs the scope alone', async () => {
    const call: Call = ['POST', `${acme}/commit/main?create_pr=1`, commit]
    const { message } = await ask(call, ['openid'])
    expect(message).toContain('needs the scope write-discussions (or write-repos, manage-repos)')
    expect((await ask(call, ['write-discussions'])).status).toBe(200)
  })

  test("a reader's commit is not told of scopes that do not help", async () => {
    world.makeRepo('bob/public', { actorId: world.users.bob.id })
    const call: Call = ['POST', '/api/models/bob/public/commit/main', commit]
    expect((await ask(call, ['openid'])).message).toContain('needs the write right')
  })
})

describe('the scope write-discussions alone', () => {
  test.each<[Call[0], string, object]>([
    ['POST', `${api}/private/discussions`, { title: 'A title', description: '' }],
    ['POST', `${api}/private/discussions/1/comment`, { comment: 'x' }],
    ['POST', `${api}/private/discussions/1/status`, { status: 'closed', comment: 'Done' }],
    ['POST', `${api}/private/discussions/1/title`, { title: 'Another title' }],
  ])('is enough on a private repo of the user: %s %s', async (...call) => {
    expect((await ask(call, ['write-discussions'])).status).toBeLessThan(300)
  })
})

test('the OpenAPI document lists the scopes of each action of a route', async () => {
  const { paths } = (
    await world.as().get<{
      paths: Record<string, Record<string, { 'x-scopes'?: unknown }>>
    }>('/_sandbox/openapi.json')
  ).body
  expect(paths['/api/{types}/{namespace}/{name}/commit/{path}']?.['post']?.['x-scopes']).toEqual({
    'pull-request.commit': [['write-discussions', 'write-repos', 'manage-repos']],
    'repo.write': [['write-repos', 'manage-repos']],
  })
  expect(paths['/api/{types}/{namespace}/{name}/like']?.['post']?.['x-scopes']).toMatchObject({
    account: null,
  })
  expect(paths['/api/whoami-v2']?.['get']?.['x-scopes']).toEqual({ 'identity.read': [] })
})
