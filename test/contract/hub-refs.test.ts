import { beforeEach, describe, expect, test } from 'vitest'
import { changeStatus } from '../../server/hub/discussions/discussions.ts'
import { mergePullRequest } from '../../server/hub/discussions/pull-requests.ts'
import type { Repo } from '../../server/store/entities/hub-entities.ts'
import { testApp } from '../helpers/app.ts'
import { type Caller, createCast, outcomeOf, readPages } from '../helpers/cast.ts'
import { limitRounds } from '../helpers/limit-rounds.ts'

const world = testApp()
const as = createCast(world, '/api/models/acme/model/')
let repo: Repo
const alice = as('alice')
beforeEach(() => {
  repo = world.makeRepo('acme/model')
  world.events.length = 0
})

const now = () => world.latest(repo)
const head = (ref?: string) => world.head(repo, ref)
const api = (path: string) => `/api/models/acme/model/${path}`

const push = (title: string) => world.commit(repo, { [title]: title }, { title })
const propose = (actorId = world.users.alice.id) =>
  world.propose(repo, { proposed: 'proposed' }, { title: 'proposed', actorId })

/** The refs that were told of, in their order. */
const told = () => world.hubEvents().map(({ updatedRefs }) => updatedRefs ?? [])

describe('two revisions are compared', () => {
  const compare = async (path: string) => (await alice.get<string>(`compare/${path}`)).body

  test('as git does', async () => {
    const before = head()
    push('one')
    const { num } = propose()
    push('two')
    const added = (name: string) =>
      `diff --git a/${name} b/${name}\nnew file mode 100644\n--- /dev/null\n+++ b/${name}\n@@ -0,0 +1,1 @@\n+${name}\n\\ No newline at end of file\n`
    expect(await compare(`${before}..main`)).toBe(added('one') + added('two'))
    expect(await compare(`${before}..`)).toBe(added('one') + added('two'))
    const proposed = `refs/pr/${num}`
    expect(await compare(encodeURIComponent(`main...${proposed}`))).toBe(added('proposed'))
    expect(await compare(encodeURIComponent(proposed))).toBe(added('proposed'))
    expect(await compare('main..main')).toBe('')
    expect(await compare(encodeURIComponent(`main..${proposed}`))).toContain('deleted file mode')
  })

  test('by modes and ids', async () => {
    const before = head()
    push('one')
    const { oid } = (await alice.get<{ oid: string; path: string }[]>('tree/main')).body.find(
      ({ path }) => path === 'one',
    )!
    const none = '0'.repeat(40)
    const [added, deleted] = [`${before}..main`, `main..${before}`].map((range) =>
      compare(`${range}?raw=true`),
    )
    expect(await added).toBe(`:000000 100644 ${none} ${oid} A\tone\n`)
    expect(await deleted).toBe(`:100644 000000 ${oid} ${none} D\tone\n`)
  })

  test.each(['none..main', 'main..none', 'none', 'main....main'])('unless %s', async (range) => {
    const { status, headers } = await alice.get(`compare/${range}`)
    expect([status, headers['x-error-code']]).toEqual([404, 'RevisionNotFound'])
  })
})

describe('refs', () => {
  test('refs are listed by kind, pull requests on request', async () => {
    await alice.post('branch/dev', {})
    await alice.post('tag/main', { tag: 'v1' })
    propose()
    const targetCommit = head()
    const refs = {
      branches: [
        { name: 'main', ref: 'refs/heads/main', targetCommit },
        { name: 'dev', ref: 'refs/heads/dev', targetCommit },
      ],
      converts: [],
      tags: [{ name: 'v1', ref: 'refs/tags/v1', targetCommit }],
    }
    expect((await alice.get('refs')).body).toEqual(refs)
    const pullRequests = [{ name: 'refs/pr/1', ref: 'refs/pr/1', targetCommit: head('refs/pr/1') }]
    for (const yes of ['1', 'true']) {
      const answer = await alice.get(`refs?include_prs=${yes}`)
      expect(answer.body).toEqual({ ...refs, pullRequests })
    }
    expect((await alice.get('refs?include_prs=false')).body).toEqual(refs)
    expect((await alice.get('refs?include_prs=x')).status).toBe(400)
  })
})

describe('commits', () => {
  test('commits are listed newest first, with their total', async () => {
    world.clock.advance(1000)
    const id = push('<b>one</b>')
    const answer = await alice.get('commits/main?expand[]=formatted')
    expect(answer.headers['x-total-count']).toBe('2')
    expect(answer.body).toEqual([
      {
        id,
        title: '<b>one</b>',
        message: '',
        authors: [{ user: 'alice', avatar: '/avatars/alice.svg' }],
        date: '2026-01-15T12:00:01.000Z',
        formatted: { title: '&lt;b&gt;one&lt;/b&gt;', message: '' },
      },
      expect.objectContaining({ title: 'initial commit' }),
    ])
    const plain = (await alice.get<object[]>('commits/main')).body
    expect(plain[0]).not.toHaveProperty('formatted')
  })

  test('pages stay complete when commits are added meanwhile', async () => {
    for (let n = 0; n < 5; n++) {
      world.clock.advance(1000)
      push(`n${n}`)
    }
    const pages = await readPages<{ title: string }[]>(alice, 'commits/main?limit=2', {
      meanwhile: (count) => {
        world.clock.advance(1000)
        push(`meanwhile ${count}`)
      },
    })
    const totals = pages.map(({ headers }) => headers['x-total-count'])
    expect(totals).toEqual(['6', '6', '6'])
    const titles = pages.flatMap(({ body }) => body.map(({ title }) => title))
    expect(titles).toEqual(['n4', 'n3', 'n2', 'n1', 'n0', 'initial commit'])
  })

  test('pages by number end with an empty one', async () => {
    for (let n = 0; n < 4; n++) push(`n${n}`)
    const titles: string[][] = []
    const round = limitRounds()
    do {
      round()
      const answer = await alice.get<{ title: string }[]>(`commits/main?limit=2&p=${titles.length}`)
      titles.push(answer.body.map(({ title }) => title))
    } while (titles.at(-1)?.length !== 0)
    expect(titles).toEqual([['n3', 'n2'], ['n1', 'n0'], ['initial commit'], []])
  })

  test('commits of a pull request are found by its ref in any spelling', async () => {
    propose()
    for (const revision of ['refs%2Fpr%2F1', 'refs/pr/1', head('refs/pr/1')]) {
      const commits = (await alice.get<{ title: string }[]>(`commits/${revision}`)).body
      expect(commits[0]?.title).toBe('proposed')
    }
  })

  test.each(['commits/none', 'commits/main/none', 'commits/refs/pr/7'])(
    '%s is not a revision',
    async (path) => {
      const answer = await alice.get(path)
      expect(outcomeOf(answer)).toBe('404 RevisionNotFound')
    },
  )
})

describe('branches', () => {
  test('creating and deleting emits an event', async () => {
    const first = head()
    push('one')
    world.events.length = 0
    for (const [path, body, target] of [
      ['branch/dev', {}, head()],
      ['branch/feature%2Fx', { startingPoint: first }, first],
      ['branch/feature/y', { startingPoint: 'dev' }, head()],
    ] as const) {
      expect((await alice.post(path, body)).status).toBe(200)
      const ref = `refs/heads/${decodeURIComponent(path.slice('branch/'.length))}`
      expect(head(ref)).toBe(target)
      expect(told().at(-1)).toEqual([{ ref, oldSha: null, newSha: target }])
    }
    expect((await alice.delete('branch/feature%2Fx')).status).toBe(200)
    expect(told().at(-1)).toEqual([{ ref: 'refs/heads/feature/x', oldSha: first, newSha: null }])
    expect(told()).toHaveLength(4)
  })

  test('a branch can be created empty, or moved on request', async () => {
    await alice.post('branch/dev', { emptyBranch: true })
    expect((await alice.get('tree/dev')).body).toEqual([])
    const empty = head('refs/heads/dev')
    world.events.length = 0
    await alice.post('branch/dev', { overwrite: true })
    expect(head('refs/heads/dev')).toBe(empty)
    expect(told()).toEqual([])
    await alice.post('branch/dev', { overwrite: true, startingPoint: 'main' })
    expect(head('refs/heads/dev')).toBe(head())
    expect(told()).toHaveLength(1)
    const before = now()
    expect(
      (await alice.post('branch/dev', { overwrite: true, startingPoint: 'main' })).status,
    ).toBe(200)
    expect([now(), told().length]).toEqual([before, 1])
  })

  test('names of branches fit on the disks of clients', async () => {
    for (const name of ['x'.repeat(250), `a/${'\u00e9'.repeat(125)}/b`]) {
      expect((await alice.post(`branch/${encodeURIComponent(name)}`, {})).status).toBe(200)
      expect((await alice.post('tag/main', { tag: name })).status).toBe(200)
    }
    const before = now()
    for (const name of ['y'.repeat(251), `b/${'\u00e9'.repeat(126)}`]) {
      expect((await alice.post(`branch/${encodeURIComponent(name)}`, {})).status).toBe(400)
      expect((await alice.post('tag/main', { tag: name })).status).toBe(400)
    }
    expect(now()).toBe(before)
  })

  test.each([
    ['branch/main', {}, 409, undefined, 'Reference refs/heads/main already exists'],
    ['branch/main%2Fx', {}, 400, undefined, 'it conflicts with refs/heads/main'],
    ['branch/refs%2Fheads%2Fx', {}, 400, undefined, 'Invalid reference for a branch'],
    ['branch/a..b', {}, 400, undefined, 'Invalid reference for a branch'],
    ['branch/x', { startingPoint: 'none' }, 404, 'RevisionNotFound', 'Invalid rev id: none'],
    ['branch/x', { startingPoint: 7 }, 400, undefined, 'startingPoint'],
  ])('POST %s %j is refused', async (path, body, status, code, text) => {
    const before = now()
    const answer = await alice.post<{ error: string }>(path, body)
    expect(answer.status).toBe(status)
    expect(answer.headers['x-error-code']).toBe(code)
    expect(answer.body.error).toContain(text)
    expect(now()).toBe(before)
    expect(told()).toEqual([])
  })

  test.each([
    ['branch/main', 400, 'Cannot delete refs/heads/main'],
    ['branch/none', 404, 'Invalid rev id: none'],
    ['tag/none', 404, 'Invalid rev id: none'],
  ])('DELETE %s is refused', async (path, status, text) => {
    const answer = await alice.delete(path)
    expect([answer.status, answer.body]).toEqual([status, { error: expect.stringContaining(text) }])
    expect(told()).toEqual([])
  })
})

describe('tags', () => {
  test('creating and deleting emits an event', async () => {
    await alice.post('branch/feature/x', {})
    world.events.length = 0
    expect((await alice.post('tag/feature%2Fx', { tag: 'v1.0', message: 'first' })).status).toBe(
      200,
    )
    expect((await alice.post('tag/main', { tag: 'v/2', message: null })).status).toBe(200)
    expect((await alice.delete('tag/v%2F2')).status).toBe(200)
    expect(told().map(([ref]) => ref)).toEqual([
      { ref: 'refs/tags/v1.0', oldSha: null, newSha: head() },
      { ref: 'refs/tags/v/2', oldSha: null, newSha: head() },
      { ref: 'refs/tags/v/2', oldSha: head(), newSha: null },
    ])
    const again = await alice.post('tag/main', { tag: 'v1.0' })
    expect(again.status).toBe(409)
    expect(again.body).toEqual({ error: 'Reference refs/tags/v1.0 already exists' })
  })

  test('a message makes a tag of its own in git; lists and the event name the commit', async () => {
    expect(
      (await alice.post('tag/main', { tag: 'v1', message: 'First release\n\nNotes' })).body,
    ).toEqual({})
    const tag = world.objects.of(now()).read(head('refs/tags/v1'))
    expect(tag?.type).toBe('tag')
    const text = Buffer.from(tag?.content ?? '').toString()
    expect(text).toContain(`object ${head()}\ntype commit\ntag v1\ntagger alice <`)
    expect(text).toMatch(/\n\nFirst release\n\nNotes\n$/)
    const { tags } = (await alice.get<{ tags: unknown[] }>('refs')).body
    expect(tags).toEqual([{ name: 'v1', ref: 'refs/tags/v1', targetCommit: head() }])
    expect((await alice.get('revision/v1')).body).toMatchObject({ sha: head() })
    await alice.delete('tag/v1')
    expect(told().map(([ref]) => ref)).toEqual([
      { ref: 'refs/tags/v1', oldSha: null, newSha: head() },
      { ref: 'refs/tags/v1', oldSha: head(), newSha: null },
    ])
  })

  test.each(['', '  \n', null])('a blank message (%j) makes a plain tag', async (message) => {
    await alice.post('tag/main', { tag: 'v1', message })
    expect(head('refs/tags/v1')).toBe(head())
  })

  test('a message that git cannot keep is refused', async () => {
    const refused = await alice.post('tag/main', { tag: 'v1', message: 'a\0b' })
    expect([refused.status, refused.body]).toEqual([
      400,
      { error: 'The message contains a NUL character' },
    ])
    expect([head('refs/tags/v1'), told()]).toEqual(['', []])
  })

  test('a tag of an unknown revision or without a name is refused', async () => {
    expect((await alice.post('tag/none', { tag: 'v1' })).headers['x-error-code']).toBe(
      'RevisionNotFound',
    )
    expect((await alice.post('tag/main', {})).status).toBe(400)
    expect((await alice.post('tag/main', { tag: 'a b' })).status).toBe(400)
  })

  test.each(['v 1.0', 'v1.0', '..'])('a tag needs a known revision: %j', async (tag) => {
    await alice.post('tag/main', { tag: 'v1.0' })
    const refused = await alice.post('tag/none', { tag })
    expect(outcomeOf(refused)).toBe('404 RevisionNotFound')
  })
})

describe('squash', () => {
  test('a squash leaves one commit with the same files', async () => {
    push('one')
    const files = (await alice.get('tree/main')).body
    world.events.length = 0
    const squashed = await alice.post('super-squash/main', { message: 'All of it' })
    expect([squashed.status, squashed.body]).toEqual([200, { commitId: head() }])
    const commits = (await alice.get('commits/main')).body
    expect(commits).toMatchObject([{ title: 'All of it', authors: [{ user: 'alice' }] }])
    expect((await alice.get('tree/main')).body).toEqual(files)
    expect(told()).toHaveLength(1)
  })

  test('a squashed pull request can be merged', async () => {
    const discussion = propose()
    world.events.length = 0
    expect((await alice.post('super-squash/refs%2Fpr%2F1', {})).status).toBe(200)
    const commits = (await alice.get('commits/refs%2Fpr%2F1')).body
    expect(commits).toMatchObject([{ title: "Super-squash branch 'refs/pr/1'" }])
    expect(told()).toHaveLength(1)
    mergePullRequest(world.deps, { discussion, actorId: world.users.alice.id })
    const paths = (await alice.get<{ path: string }[]>('tree/main')).body
    expect(paths.map(({ path }) => path)).toEqual(['.gitattributes', 'proposed'])
  })

  test.each(['', ' \n'])(
    'a squash with the blank message %j gets a default message',
    async (message) => {
      await alice.post('super-squash/main', { message })
      const commits = (await alice.get('commits/main')).body
      expect(commits).toMatchObject([{ title: "Super-squash branch 'main'" }])
    },
  )

  test('a squash message has at most 500 characters', async () => {
    const before = now()
    const refused = await alice.post('super-squash/main', { message: 'a'.repeat(501) })
    expect([refused.status, now()]).toEqual([400, before])
    expect(refused.body).toEqual({ error: expect.stringContaining('500') })
    expect((await alice.post('super-squash/main', { message: 'a'.repeat(500) })).status).toBe(200)
  })

  test('a squash message that git cannot keep is refused', async () => {
    const before = now()
    const answer = await alice.post('super-squash/main', { message: 'All\0of it' })
    expect([answer.status, answer.body]).toEqual([
      400,
      { error: 'The message contains a NUL character' },
    ])
    expect([now(), told()]).toEqual([before, []])
  })

  test('tags, commits and closed pull requests cannot be squashed', async () => {
    await alice.post('tag/main', { tag: 'v1' })
    const discussion = propose()
    const actorId = world.users.alice.id
    changeStatus(world.deps, { discussion, actorId, status: 'closed' })
    world.events.length = 0
    for (const revision of ['v1', head(), 'none']) {
      const answer = await alice.post(`super-squash/${revision}`, {})
      expect(outcomeOf(answer)).toBe('404 RevisionNotFound')
    }
    expect((await alice.post('super-squash/refs%2Fpr%2F1', {})).status).toBe(409)
    expect(told()).toEqual([])
  })
})

describe('who may write', () => {
  const writes = [
    ['POST', 'branch/x'],
    ['DELETE', 'branch/dev'],
    ['POST', 'tag/main'],
    ['DELETE', 'tag/v1'],
    ['POST', 'super-squash/main'],
    ['POST', 'super-squash/refs%2Fpr%2F1'],
  ] as const

  test.each(writes)('%s %s needs the right and the token', async (method, path) => {
    await alice.post('branch/dev', {})
    await alice.post('tag/main', { tag: 'v1' })
    propose()
    world.events.length = 0
    const body = method === 'POST' ? { tag: 'v2' } : undefined
    const statusFor = async (user: Caller) => (await user.send(method, path, body)).status
    expect(await statusFor(as())).toBe(401)
    expect(await statusFor(as('carol'))).toBe(403)
    expect(await statusFor(as('mallory'))).toBe(403)
    expect(await statusFor(as('alice', { role: 'read' }))).toBe(403)
    expect(told()).toEqual([])
    expect(await statusFor(as('bob'))).toBe(200)
  })

  test('the author of a pull request may squash it', async () => {
    propose(world.users.carol.id)
    const carol = as('carol')
    expect((await carol.post('super-squash/refs%2Fpr%2F1', {})).status).toBe(200)
  })
})

describe('refs/pr/1 in a URL', () => {
  const files = [{ path: 'a', content: 'a' }]
  const routes: ['GET' | 'POST', (revision: string) => string, object?][] = [
    ['GET', (revision) => api(`revision/${revision}`)],
    ['GET', (revision) => `/acme/model/resolve/${revision}/proposed`],
    ['GET', (revision) => `/acme/model/raw/${revision}/proposed`],
    ['POST', (revision) => api(`paths-info/${revision}`), { paths: ['proposed'] }],
    ['POST', (revision) => api(`preupload/${revision}`), { files: [{ path: 'a', size: 1 }] }],
    ['POST', (revision) => api(`commit/${revision}`), { summary: 'Add', files }],
    ['POST', (revision) => api(`tag/${revision}`), { tag: 'v1' }],
    ['POST', (revision) => api(`super-squash/${revision}`), {}],
  ]

  test.each(routes)(
    '%s %s needs encoded slashes, as on the Hub',
    async (method, urlOf, payload) => {
      propose()
      const send = (revision: string) => world.as('alice').send(method, urlOf(revision), payload)
      const raw = await send('refs/pr/1')
      expect([raw.status, raw.headers['x-error-code'], raw.headers['x-error-message']]).toEqual([
        404,
        'RevisionNotFound',
        'Invalid rev id: refs',
      ])
      expect(world.requests.values().at(-1)?.detail).toBe('encode the slashes: refs%2Fpr%2F1')
      expect((await send('refs%2Fpr%2F1')).status).toBeLessThan(400)
    },
  )

  test.each(['tree', 'commits'])(
    'unencoded slashes are accepted at %s, as the JavaScript client sends them',
    async (route) => {
      propose()
      expect((await alice.get(`${route}/refs/pr/1`)).status).toBe(200)
    },
  )
})
