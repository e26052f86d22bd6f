import { describe, expect, test } from 'vitest'
import { checkFixtures } from '../../../server/config/check-fixtures.ts'
import { completeFixtures } from '../../../server/config/complete-fixtures.ts'
import { defaultFixtures } from '../../../server/config/read-fixtures.ts'
import { resolveOptions } from '../../../server/config/resolve.ts'
import type { Fixtures, FixturesFile } from '../../../server/contract/fixtures-types.ts'
import { createClock } from '../../../server/core/clock.ts'
import type { Settings } from '../../../server/core/settings.ts'
import { findPath } from '../../../server/hub/trees.ts'
import { readBlob, readCommit } from '../../../server/hub/git-objects.ts'
import { exportFixtures } from '../../../server/state/export-fixtures.ts'
import { loadFixtures } from '../../../server/state/load-fixtures.ts'
import { definitions, type State, stateFormatVersion } from '../../../server/state/state.ts'
import { openStore } from '../../../server/state/store.ts'

async function load(fixtures: Fixtures, realNow = Date.parse('2026-11-20T10:00:00Z')) {
  const store = await openStore(definitions, { formatVersion: stateFormatVersion })
  const clock = createClock({ realNow: () => realNow })
  const { settings } = await resolveOptions({})
  const baseUrl = 'http://localhost:7420'
  const deps = { state: store.collections, clock, settings: { ...settings, baseUrl } as Settings }
  loadFixtures(deps, fixtures)
  return deps
}

const loadFile = (file: FixturesFile, realNow?: number) => load(completeFixtures(file), realNow)

function dump(state: State): Record<string, unknown[]> {
  return Object.fromEntries(
    Object.entries(state).map(([name, collection]) => [name, [...collection.values()]]),
  )
}

function readFile(state: State, type: string, name: string, path: string): string | undefined {
  const repo = state.repos.find('name', `${type}/${name}`)
  const head = readCommit(state, repo?.refs['refs/heads/main'] ?? '')
  const entry = findPath(state, head.treeId, path)
  return entry === undefined ? undefined : readBlob(state, entry.oid).toString('utf8')
}

describe('the default fixtures', () => {
  test('are alike to the last id and commit whenever they are loaded', async () => {
    const { fixtures } = await defaultFixtures()
    const now = dump((await load(fixtures)).state)
    const later = dump((await load(fixtures, Date.parse('2027-03-01T00:00:00Z'))).state)
    expect(later).toEqual(now)
  })

  test('hold what their documentation promises', async () => {
    const { fixtures } = await defaultFixtures()
    const { state } = await load(fixtures)
    const roles = (name: string) =>
      Object.fromEntries(
        fixtures.organizations
          .find((organization) => organization.name === name)
          ?.members.map(({ user, role }) => [user, role]) ?? [],
      )
    expect(fixtures.users.map(({ username }) => username)).toEqual([
      'alice',
      'bob',
      'carol',
      'dave',
    ])
    expect(fixtures.users[0]).toMatchObject({ isPro: true, canPay: true })
    expect(roles('acme')).toEqual({ alice: 'admin', bob: 'write', carol: 'read' })
    expect(Object.keys(roles('labs'))).toContain('bob')
    for (const { username, tokens } of fixtures.users) {
      expect(tokens).toMatchObject([{ token: `hf_sandbox_${username}`, role: 'write' }])
    }

    expect(state.apps.get('26be6b09-91c5-47da-9861-d2d2bb7a7e36')).toMatchObject({
      tokenDurationSeconds: 2_592_000,
    })
    const exchanging = fixtures.apps.filter(({ privileges }) =>
      privileges.includes('token-exchange'),
    )
    expect(exchanging).toMatchObject([{ organization: 'acme', clientSecret: expect.any(String) }])
    expect(fixtures.apps.filter(({ organization }) => organization === 'labs')).toMatchObject([
      { privileges: [], clientSecret: expect.any(String) },
    ])
    const loopback = ['localhost', '127.0.0.1'].flatMap((host) => [
      `http://${host}/`,
      `http://${host}/callback`,
    ])
    const publicApp = fixtures.apps.find(({ clientSecret }) => clientSecret === undefined)
    expect(publicApp?.redirectUris).toEqual(loopback)

    const kinds = new Set(
      fixtures.repos.map(({ type, private: isPrivate, gated }) =>
        [type, isPrivate ? 'private' : gated === false ? 'public' : 'gated'].join(' '),
      ),
    )
    for (const type of ['model', 'dataset', 'space']) {
      expect(kinds).toContain(`${type} public`)
      expect(kinds).toContain(`${type} private`)
    }
    expect(kinds).toContain('model gated')
    expect(kinds).toContain('dataset gated')
    expect(state.repos.find('name', 'dataset/acme/corpus')).toBeDefined()
  })

  test('give the Space that asks for it an app', async () => {
    const { fixtures } = await defaultFixtures()
    const { state } = await load(fixtures)
    const space = state.repos.find('name', 'space/alice/sentiment-demo')
    expect(state.apps.group('space', space?.id ?? '')).toMatchObject([
      {
        origin: 'space',
        redirectHosts: ['alice-sentiment-demo.hf.space'],
        scopes: ['openid', 'profile', 'email', 'read-repos', 'inference-api'],
        tokenDurationSeconds: 28_800,
      },
    ])
  })
})

describe('loading', () => {
  const users = [{ username: 'alice' }, { username: 'bob' }]

  test('sets the clock, and dates what has no date before it', async () => {
    const { clock, state } = await loadFile({
      users: [{ username: 'alice', tokens: [{ token: 'hf_sandbox_a', expiresIn: '90s' }] }],
      clock: { now: '2020-05-01T00:00:00Z', frozen: true },
    })
    const now = Date.parse('2020-05-01T00:00:00Z')
    expect(clock.read()).toMatchObject({ now, frozen: true })
    expect([...state.users.values()]).toMatchObject([{ createdAt: now }])
    expect([...state.tokens.values()]).toMatchObject([{ expiresAt: now + 90_000 }])
  })

  test('numbers discussions as the file does, and merges what it calls merged', async () => {
    const { state } = await loadFile({
      users,
      repos: [
        {
          name: 'alice/x',
          files: { 'a.txt': 'one' },
          discussions: [
            { title: 'first', author: 'bob', num: 4, status: 'closed' },
            {
              title: 'second',
              author: 'bob',
              isPullRequest: true,
              status: 'merged',
              files: { 'a.txt': 'two' },
              comments: [{ author: 'alice', content: 'thanks', id: 'a'.repeat(24), hidden: true }],
            },
            { title: 'third', author: 'bob', isPullRequest: true, status: 'draft' },
          ],
        },
      ],
    })
    const found = [...state.discussions.values()].map(({ num, status }) => `${num} ${status}`)
    expect(found).toEqual(['4 closed', '5 merged', '6 draft'])
    expect(readFile(state, 'model', 'alice/x', 'a.txt')).toBe('two')
    expect(state.discussionEvents.get('a'.repeat(24))).toMatchObject({
      content: 'thanks',
      hidden: true,
    })
    expect([...state.repos.values()]).toMatchObject([{ lastDiscussionNumber: 6 }])
  })

  test('keeps the signing key of the file under its kid, without it in the key', async () => {
    const rsa = { kty: 'RSA', n: 'n', e: 'AQAB', d: 'd', p: 'p', q: 'q', dp: 'a', dq: 'b', qi: 'c' }
    const { state } = await loadFile({ config: { signingKey: { ...rsa, kid: 'mine' } } })
    expect([...state.signingKeys.values()]).toMatchObject([{ id: 'mine', privateJwk: rsa }])
  })
})

describe('exporting', () => {
  async function roundTrip(fixtures: Fixtures) {
    const before = await load(fixtures)
    const file = exportFixtures(before, fixtures)
    const checked = checkFixtures(JSON.parse(JSON.stringify(file)))
    if ('issues' in checked) throw new Error(JSON.stringify(checked.issues))
    const after = await load(completeFixtures(checked.file))
    return {
      before: before.state,
      after: after.state,
      file,
      again: exportFixtures(after, fixtures),
    }
  }

  test('and loading it again gives the same accounts, apps, repos and webhooks', async () => {
    const { fixtures } = await defaultFixtures()
    const { before, after, file, again } = await roundTrip(fixtures)
    expect(again).toEqual(file)
    for (const name of [
      'users',
      'organizations',
      'apps',
      'tokens',
      'hubCollections',
      'webhooks',
      'jobs',
    ] as const) {
      expect(dump(after)[name]).toEqual(dump(before)[name])
    }
    expect([...after.discussions.values()].map(({ id, num, status }) => [id, num, status])).toEqual(
      [...before.discussions.values()].map(({ id, num, status }) => [id, num, status]),
    )
    expect(readFile(after, 'model', 'alice/tiny-sentiment', 'tokenizer_config.json')).toBe(
      readFile(before, 'model', 'alice/tiny-sentiment', 'tokenizer_config.json'),
    )
  })

  test('does not let an old pull request undo a later change', async () => {
    const merged = (content: string) => ({
      title: 'change it',
      author: 'alice',
      isPullRequest: true,
      status: 'merged' as const,
      files: { 'a.txt': content },
    })
    const { after } = await roundTrip(
      completeFixtures({
        users: [{ username: 'alice' }],
        repos: [
          { name: 'alice/x', files: { 'a.txt': '1' }, discussions: [merged('2'), merged('3')] },
        ],
      }),
    )
    expect(readFile(after, 'model', 'alice/x', 'a.txt')).toBe('3')
    expect([...after.discussions.values()].map(({ status }) => status)).toEqual([
      'merged',
      'merged',
    ])
  })

  test('leaves out tokens that are revoked or over', async () => {
    const { fixtures } = await defaultFixtures()
    const deps = await load(fixtures)
    const [token] = deps.state.tokens.values()
    if (token !== undefined) deps.state.tokens.put({ ...token, revokedAt: deps.clock.now() })
    expect(exportFixtures(deps, fixtures).users?.[0]?.tokens).toEqual([])
  })
})
