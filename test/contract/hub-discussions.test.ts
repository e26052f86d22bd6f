import { beforeEach, describe, expect, test, vi } from 'vitest'
import type {
  DiscussionResponse,
  DiscussionsResponse,
} from '../../server/contract/hub-discussions.ts'
import { updateRepoSettings } from '../../server/hub/repos/repos.ts'
import type { Repo } from '../../server/store/entities/hub-entities.ts'
import { testApp } from '../helpers/app.ts'
import { type Caller, createCast } from '../helpers/cast.ts'

const world = testApp()
const as = createCast(world, '/api/models/acme/model/discussions')
let repo: Repo
/** Administrator of the organization that owns the repo. */
const alice = as('alice')
/** Has no part in the organization. */
const carol = as('carol')
beforeEach(() => {
  repo = world.makeRepo('acme/model')
  world.events.length = 0
})

const open = async (title = 'A question', user = carol, more: object = {}) =>
  (await user.post<{ num: number }>('', { title, description: 'First', ...more })).body.num

const details = async (num: number, query = '', user = carol) =>
  (await user.get<DiscussionResponse>(`/${num}${query}`)).body

const list = async (query = '') => (await as().get<DiscussionsResponse>(query)).body

const told = () => world.hubEvents().map(({ scope, action }) => `${scope}.${action}`)

describe('a discussion', () => {
  test('is opened by a reader, and shows its author and first comment', async () => {
    const answer = await carol.post('', { title: 'A question', description: 'Why?' })
    const url = expect.stringMatching(/^http:.*\/acme\/model\/discussions\/1$/)
    expect([answer.status, answer.body]).toEqual([200, { url, num: 1, pullRequest: false }])
    expect(await details(1)).toEqual({
      _id: expect.stringMatching(/^[0-9a-f]{24}$/),
      collection: 'discussions',
      isReport: false,
      num: 1,
      title: 'A question',
      status: 'open',
      isPullRequest: false,
      createdAt: expect.stringMatching(/Z$/),
      pinned: false,
      locked: false,
      author: {
        _id: world.users.carol.id,
        name: 'carol',
        fullname: world.users.carol.fullname,
        avatarUrl: '/avatars/carol.svg',
        type: 'user',
        isPro: false,
        isHf: false,
        isHfAdmin: false,
        isMod: false,
      },
      repo: { name: 'acme/model', type: 'model' },
      events: [
        {
          id: expect.stringMatching(/^[0-9a-f]{24}$/),
          type: 'comment',
          createdAt: expect.stringMatching(/Z$/),
          author: expect.objectContaining({ name: 'carol', isOwner: false, isOrgMember: false }),
          data: {
            edited: false,
            hidden: false,
            latest: {
              raw: 'Why?',
              html: '<p>Why?</p>\n',
              updatedAt: expect.stringMatching(/Z$/),
              author: expect.objectContaining({ name: 'carol' }),
            },
            history: [],
            numEdits: 0,
            editors: ['carol'],
            editorAvatarUrls: ['/avatars/carol.svg'],
            reactions: [],
            isReport: false,
          },
        },
      ],
    })
    expect(told()).toEqual(['discussion.create'])
  })

  test('is answered with 201, edited by its author alone, and hidden by a writer', async () => {
    await open()
    const answered = await alice.post<{ newMessage: { id: string } }>('/1/comment', {
      comment: '**Because**',
    })
    expect(answered.status).toBe(201)
    const { id } = answered.body.newMessage
    const edit = (user: Caller) => user.post(`/1/comment/${id}/edit`, { content: 'Better' })
    expect((await edit(carol)).status).toBe(403)
    expect((await edit(alice)).body).toMatchObject({
      updatedComment: {
        id,
        data: { edited: true, latest: { raw: 'Better' }, history: [{ raw: '**Because**' }] },
      },
    })
    const first = (await details(1)).events[0]?.id
    expect((await carol.post(`/1/comment/${id}/hide`)).status).toBe(403)
    expect((await alice.post(`/1/comment/${first}/hide`)).status).toBe(200)
    const [hidden] = (await details(1)).events
    expect(hidden?.data).toMatchObject({ hidden: true, history: [] })
    expect(JSON.stringify(hidden)).not.toContain('First')
    expect(told()).toEqual([
      'discussion.create',
      'discussion.comment.create',
      'discussion.comment.update',
      'discussion.comment.update',
    ])
  })

  test('is renamed, closed with a comment and opened again by its author', async () => {
    await open()
    const renamed = await carol.post('/1/title', { title: 'A better question' })
    expect(renamed.body).toMatchObject({
      newTitle: { type: 'title-change', data: { from: 'A question', to: 'A better question' } },
    })
    const closed = await carol.post('/1/status', { status: 'closed', comment: 'Done' })
    expect(closed.body).toMatchObject({
      newStatus: { type: 'status-change', data: { status: 'closed' } },
    })
    await carol.post('/1/status', { status: 'open' })
    const { events, status, title } = await details(1)
    expect([status, title]).toEqual(['open', 'A better question'])
    expect(events.map(({ type }) => type)).toEqual([
      'comment',
      'title-change',
      'comment',
      'status-change',
      'status-change',
    ])
  })

  test('refuses the title and the status that it has, and changes nothing', async () => {
    await open()
    world.events.length = 0
    expect((await carol.post('/1/title', { title: 'A question' })).status).toBe(400)
    const same = await carol.post('/1/status', { status: 'open', comment: 'Again' })
    expect([same.status, same.body]).toEqual([400, { error: 'This discussion is already open' }])
    expect([told(), (await details(1)).events.length]).toEqual([[], 1])
  })

  test('is pinned and deleted by a writer of the repo', async () => {
    await open()
    const pin = (user: Caller) => user.post('/1/pin', { pinned: true })
    expect((await pin(carol)).status).toBe(403)
    expect((await pin(alice)).status).toBe(200)
    expect((await details(1)).pinned).toBe(true)
    expect((await carol.delete('/1')).status).toBe(403)
    expect((await alice.delete('/1')).status).toBe(200)
    expect((await carol.get('/1')).status).toBe(404)
    expect(told()).toEqual(['discussion.create', 'discussion.update', 'discussion.delete'])
    expect(await open()).toBe(2)
  })

  test.each([
    ['', { title: 'ab', description: '' }],
    ['', { title: 'x'.repeat(201), description: '' }],
    ['', { title: 'A question' }],
    ['', { title: 'A question', description: 'x'.repeat(65_537) }],
    ['', []],
    ['/1/comment', { comment: '' }],
    ['/1/comment', { comment: 'x'.repeat(65_537) }],
    ['/1/status', { status: 'merged' }],
    ['/1/pin', {}],
  ])('refuses %s with an invalid body', async (path, body) => {
    await open()
    world.events.length = 0
    const answer = await alice.post(path, body)
    expect([answer.status, told()]).toEqual([400, []])
    expect(answer.body).toEqual({
      error: expect.stringMatching(/title|description|comment|status|pinned|object/),
    })
  })

  test.each([
    ['GET', '/2', 404],
    ['POST', '/2/comment', 404],
    ['GET', '/0', 400],
    ['GET', '/x', 501],
  ] as const)('%s %s of one discussion is refused with %i', async (method, path, status) => {
    await open()
    const body = method === 'POST' ? { comment: 'x' } : undefined
    expect((await alice.send(method, path, body)).status).toBe(status)
  })

  test('leaves out an author whose account is gone', async () => {
    await open()
    world.state.users.delete(world.users.carol.id)
    const shown = await details(1, '', alice)
    expect(shown).not.toHaveProperty('author')
    expect(shown.events[0]).not.toHaveProperty('author')
    expect(shown.events[0]?.data.latest).not.toHaveProperty('author')
  })

  test('has no script in its HTML', async () => {
    const text = '<img src=x onerror=alert(1)> [a](javascript:alert(1)) ![b](data:text/html,x) `c`'
    await carol.post('', { title: 'Hostile', description: text })
    const html = (await details(1)).events[0]?.data.latest?.html ?? ''
    expect(html).toContain('<code>c</code>')
    expect(html).not.toMatch(/<(?:img|script)|javascript:|data:/)
  })
})

describe('the list', () => {
  beforeEach(async () => {
    await open('First question')
    await open('Second question', alice)
    await open('A change', alice, { pullRequest: true })
    await carol.post('/1/status', { status: 'closed' })
  })

  const nums = async (query: string) => (await list(query)).discussions.map(({ num }) => num)

  test.each([
    ['', [3, 2, 1]],
    ['?status=open', [3, 2]],
    ['?status=closed', [1]],
    ['?type=pull_request', [3]],
    ['?type=discussion', [2, 1]],
    ['?author=Alice', [3, 2]],
    ['?author=nobody', []],
    ['?search=QUESTION', [2, 1]],
    ['?type=discussion&status=open&author=alice', [2]],
  ])('filters by %s', async (query, expected) => {
    expect(await nums(query)).toEqual(expected)
    expect((await list(query)).count).toBe(expected.length)
  })

  test('has pages of 50, with the total and the number of closed ones', async () => {
    for (let index = 0; index < 50; index += 1) await open(`Question ${index}`)
    const first = await list()
    expect(first).toMatchObject({ count: 53, start: 0, numClosedDiscussions: 1 })
    expect(first.discussions.map(({ num }) => num)).toEqual(
      Array.from({ length: 50 }, (_, index) => 53 - index),
    )
    const second = await list('?p=1')
    expect(second).toMatchObject({ count: 53, start: 50 })
    expect(second.discussions.map(({ num }) => num)).toEqual([3, 2, 1])
    expect((await list('?p=9')).discussions).toEqual([])
    expect((await alice.get('?p=-1')).status).toBe(400)
  })
})

describe('disabled discussions', () => {
  const settings = '/api/models/acme/model/settings'
  const set = (body: object) => world.as('alice').put(settings, body)

  test('are refused wherever they are used, and are there when enabled again', async () => {
    const num = await open()
    const pullRequest = await open('A change', alice, { pullRequest: true })
    expect((await set({ discussionsDisabled: true })).body).toMatchObject({
      discussionsDisabled: true,
    })
    const { events } = world
    const before = events.length
    for (const [method, path, body] of [
      ['GET', '', undefined],
      ['POST', '', { title: 'Another question', description: 'First' }],
      ['POST', '', { title: 'Another change', description: 'First', pullRequest: true }],
      ['GET', `/${num}`, undefined],
      ['DELETE', `/${num}`, undefined],
      ['POST', `/${num}/comment`, { comment: 'Hello' }],
      ['POST', `/${num}/title`, { title: 'Another title' }],
      ['POST', `/${num}/status`, { status: 'closed' }],
      ['POST', `/${num}/pin`, { pinned: true }],
      ['POST', `/${pullRequest}/merge`, {}],
    ] as const) {
      expect([path, await alice.send(method, path, body)]).toMatchObject([
        path,
        { status: 403, body: { error: 'Discussions are disabled for this repo' } },
      ])
    }
    const lines = [
      { key: 'header', value: { summary: 'Change a' } },
      { key: 'file', value: { path: 'a', content: 'eA==', encoding: 'base64' } },
    ]
    const commit = '/api/models/acme/model/commit/main?create_pr=1'
    expect((await world.as('alice').postLines(commit, lines)).status).toBe(403)
    expect(events.slice(before).map(({ type }) => type)).not.toContain('hub.event')
    await set({ discussionsDisabled: false })
    expect((await list()).count).toBe(2)
  })

  test('are in the order of the settings where none is requested', async () => {
    const first = await open('First question')
    await open('Second question')
    const { events } = await details(first)
    await carol.post(`/${first}/comment/${events[0]?.id}/reaction`, { reaction: '❤️' })
    const nums = async (query = '') => (await list(query)).discussions.map(({ num }) => num)
    expect(await nums()).toEqual([2, 1])
    await set({ discussionsSorting: 'reactions' })
    expect(await nums()).toEqual([1, 2])
    expect(await nums('?sort=recently-created')).toEqual([2, 1])
  })
})

describe('a pull request', () => {
  test('is opened as a draft, whose ref exists and which has to be opened to be merged', async () => {
    const num = await open('A change', carol, { pullRequest: true })
    expect(await details(num)).toMatchObject({
      status: 'draft',
      isPullRequest: true,
      changes: { base: 'refs/heads/main' },
      filesWithConflicts: [],
    })
    expect(world.state.repos.get(repo.id)?.refs).toHaveProperty('refs/pr/1')
    const merged = await alice.post('/1/merge')
    expect(merged.status).toBe(400)
    expect(told()).toEqual(['repo.content.update', 'discussion.create'])
  })

  test('is merged by a writer, with its commit and events', async () => {
    world.propose(repo, { 'a.txt': 'one\n' }, { actorId: world.users.carol.id })
    world.events.length = 0
    expect((await carol.post('/1/merge')).status).toBe(403)
    const merged = await alice.post('/1/merge', { comment: 'Thanks' })
    expect([merged.status, merged.body]).toEqual([200, {}])
    const shown = await details(1)
    const head = world.head(repo)
    expect(shown).toMatchObject({
      status: 'merged',
      changes: { base: 'refs/heads/main', mergeCommitId: head },
    })
    expect(shown.events.map(({ type }) => type)).toEqual([
      'comment',
      'commit',
      'comment',
      'status-change',
    ])
    expect(told()).toEqual([
      'discussion.comment.create',
      'discussion.update',
      'repo.content.update',
    ])
    expect((await alice.post('/1/merge')).status).toBe(409)
  })

  test.each([
    ['the right is lost', 403, () => world.state.organizations.delete(repo.ownerId)],
    ['the repo is deleted', 404, () => world.state.repos.delete(repo.id)],
  ])('is not merged if %s while its files are written', async (_case, status, change) => {
    world.propose(repo, { 'a.txt': 'one\n' }, { actorId: world.users.carol.id })
    const { objects } = world.deps
    const written = vi.spyOn(objects, 'written').mockImplementationOnce(() => void change())
    expect((await alice.post('/1/merge')).status).toBe(status)
    expect(written).toHaveBeenCalledOnce()
    written.mockRestore()
  })

  test('is shown with its diff after its base was deleted, and is not merged', async () => {
    const branch = `/api/models/${repo.name}/branch/next`
    await world.as('alice').post(branch, {})
    world.propose(repo, { 'a.txt': 'one\n' }, { revision: 'next' })
    await world.as('alice').delete(branch)
    const shown = await alice.get<DiscussionResponse>('/1?diff=1')
    expect(shown).toMatchObject({
      status: 200,
      body: { changes: { base: 'refs/heads/next' }, filesWithConflicts: [] },
    })
    expect(shown.body.diff).toMatch(/^diff --git a\/a\.txt b\/a\.txt\n/)
    expect(shown.body.diff?.match(/^diff/gm)).toHaveLength(1)
    expect((await alice.post('/1/merge')).status).toBe(404)
  })

  test('names the files in conflict, before and at a merge', async () => {
    world.propose(repo, { 'README.md': 'theirs\n' })
    world.commit(repo, { 'README.md': 'ours\n' })
    expect((await details(1)).filesWithConflicts).toEqual(['README.md'])
    const merged = await alice.post('/1/merge')
    expect([merged.status, merged.body]).toMatchObject([409, { filesWithConflicts: ['README.md'] }])
    expect((await details(1)).status).toBe('open')
  })

  test('shows its diff as git prints it, before and after the merge', async () => {
    world.commit(repo, { 'a.txt': 'one\ntwo\n' })
    const files = { 'a.txt': 'one\n2\n', 'new.txt': 'new', 'bytes.bin': Buffer.from([0, 1]) }
    world.propose(repo, files)
    const expected = [
      'diff --git a/a.txt b/a.txt',
      '--- a/a.txt',
      '+++ b/a.txt',
      '@@ -1,2 +1,2 @@',
      ' one',
      '-two',
      '+2',
      'diff --git a/bytes.bin b/bytes.bin',
      'new file mode 100644',
      'Binary files /dev/null and b/bytes.bin differ',
      'diff --git a/new.txt b/new.txt',
      'new file mode 100644',
      '--- /dev/null',
      '+++ b/new.txt',
      '@@ -0,0 +1,1 @@',
      '+new',
      '\\ No newline at end of file',
      '',
    ].join('\n')
    expect((await details(1, '?diff=1')).diff).toBe(expected)
    expect(await details(1)).not.toHaveProperty('diff')
    await alice.post('/1/merge')
    expect((await details(1, '?diff=1')).diff).toBe(expected)
  })

  test('shows the diff since it branched off when the base has moved', async () => {
    world.propose(repo, { 'a.txt': 'one\n' })
    world.commit(repo, { 'b.txt': 'other\n' })
    const before = (await details(1, '?diff=1')).diff
    expect(before).toMatch(/^diff --git a\/a\.txt b\/a\.txt\n/)
    expect(before).not.toContain('b.txt')
    await alice.post('/1/merge')
    expect((await details(1, '?diff=1')).diff).toBe(before)
  })
})

describe('access', () => {
  test('nobody may read a public repo, and must sign in to write', async () => {
    await open()
    expect((await as().get('/1')).status).toBe(200)
    for (const path of ['', '/1/comment', '/1/title', '/1/status', '/1/pin', '/1/merge']) {
      expect([path, (await as().post(path, {})).status]).toEqual([path, 401])
    }
  })

  test('a gated repo shows its discussions to everybody', async () => {
    await open()
    updateRepoSettings(world.deps, {
      repo,
      settings: { gated: 'manual' },
      actorId: world.users.alice.id,
    })
    expect((await list()).count).toBe(1)
  })

  test('a private repo does not exist for others', async () => {
    await open()
    updateRepoSettings(world.deps, {
      repo,
      settings: { visibility: 'private' },
      actorId: world.users.alice.id,
    })
    expect((await carol.get('/1')).status).toBe(404)
    expect((await as().get('')).status).toBe(401)
    expect((await carol.post('/1/comment', { comment: 'x' })).status).toBe(404)
  })

  test('an app needs write-discussions to write', async () => {
    await open()
    const ofApp = (scopes: string[]) => as('carol', { kind: 'oauth', clientId: 'any', scopes })
    const reader = ofApp(['read-repos'])
    const writer = ofApp(['write-discussions'])
    const comment = (user: Caller) => user.post('/1/comment', { comment: 'x' })
    const refused = await comment(reader)
    expect([refused.status, refused.headers['www-authenticate']]).toEqual([
      403,
      expect.stringContaining('scope="write-discussions"'),
    ])
    expect((await comment(writer)).status).toBe(201)
  })
})

test.each([
  ['POST', '', { title: 'x', description: '' }, 'body: title must have at least 3 characters'],
  ['POST', '', { title: 'A question' }, 'body: description is missing'],
  ['GET', '?p=-1', undefined, 'query: p must be at least 0, not -1'],
  ['GET', '?status=lost', undefined, 'query: status must be one of all, open, closed, not "lost"'],
  ['POST', '/1/pin', { pinned: 1 }, 'body: pinned must be true or false, not 1'],
] as const)('a refusal says what is wrong alone: %s %s', async (method, path, body, error) => {
  await open()
  const refused = await alice.send<{ error: string }>(method, path, body)
  expect([refused.status, refused.body]).toEqual([400, { error: `Invalid ${error}.` }])
})
