import { describe, expect, test } from 'vitest'
import type { ErrorBody } from '../../server/contract/control.ts'
import {
  CommitDetail,
  CommitList,
  Committed,
  DiscussionDetail,
  RepoFile,
  RepoFileList,
  TimelineItem,
} from '../../server/contract/control-repo-contents.ts'
import { RepoDetail } from '../../server/contract/control-repos.ts'
import { commitFiles } from '../../server/hub/commits/commits.ts'
import { findRepoByHand } from '../../server/hub/repo-control/repos-by-hand.ts'
import {
  controlWorld,
  expectRefusal,
  expectConflict,
  expectInvalid,
  expectNotFound,
  expectShape,
} from '../helpers/control.ts'

const world = controlWorld()
const { call, read, make, send } = world
const base = 'repos/dataset/acme/corpus'
const refused = { status: 400, error: 'invalid_request' }
const missing = { status: 404, error: 'not_found' }
const forbidden = { status: 403, error: 'forbidden' }

/** Scope and action of the hub's events that a request causes, and who did it. */
async function eventsOf(act: () => Promise<unknown>): Promise<string[]> {
  const seen: string[] = []
  const { bus, state } = world.sandbox.deps
  const stop = bus.on('hub.event', ({ data }) => {
    const actor = state.users.get(data.actorId ?? '')?.username
    seen.push(`${data.scope}.${data.action} by ${actor} (${data.cause})`)
  })
  await act()
  stop()
  return seen
}

const commit = (body: object) => call<Committed>('POST', `${base}/commits`, body)
const change = { user: 'alice', files: { 'a.txt': 'one' }, title: 'Add a' }

/** Adds a file as no request can send it. */
function push(path: string, content: Uint8Array): void {
  const { deps } = world.sandbox
  const repo = findRepoByHand(deps, 'datasets/acme/corpus')
  const operations = [{ kind: 'add' as const, path, content }]
  commitFiles(deps, { repo, revision: 'main', operations, title: 'Push' })
}

async function openDiscussion(body: object = {}): Promise<DiscussionDetail> {
  const request = { user: 'bob', title: 'A question', description: 'Why?', ...body }
  const opened = await make(DiscussionDetail, `${base}/discussions`, request)
  return opened
}

describe('files', () => {
  test('files of a revision are listed in pages', async () => {
    await commit({ user: 'alice', files: { 'b/c.txt': 'c', 'a.txt': 'a' }, title: 'More' })
    const all = await call<{ items: { path: string }[] }>('GET', `${base}/files`)
    expectShape(RepoFileList, all.body)
    const paths = all.body.items.map(({ path }) => path)
    expect(paths).toContain('b/c.txt')
    const first = await call<{ items: { path: string }[]; nextCursor: string }>(
      'GET',
      `${base}/files?limit=1`,
    )
    const cursor = encodeURIComponent(first.body.nextCursor)
    const rest = await call<{ items: { path: string }[] }>('GET', `${base}/files?cursor=${cursor}`)
    expect([...first.body.items, ...rest.body.items].map(({ path }) => path)).toEqual(paths)
    expectNotFound(await call('GET', `${base}/files?revision=gone`))
    expectInvalid(await call('GET', `${base}/files?cursor=gone`), ['cursor'])
  })

  test('a folder is listed alone, its folders first', async () => {
    await commit({
      user: 'alice',
      files: { 'z/b/c.txt': 'c', 'z/a.txt': 'a', 'z/d.txt': 'd' },
      title: 'More',
    })
    const list = async (query: string) =>
      (await read(RepoFileList, `${base}/files?${query}`)).items.map(
        ({ type, path }) => `${type} ${path}`,
      )
    expect(await list('folder=z')).toEqual(['folder z/b', 'file z/a.txt', 'file z/d.txt'])
    expect((await list('folder='))[0]).toBe('folder z')
    expect(await list('folder=z&cursor=z%2Fb')).toEqual(['file z/a.txt', 'file z/d.txt'])
    expectNotFound(await call('GET', `${base}/files?folder=gone`))
    expectNotFound(await call('GET', `${base}/files?folder=z%2Fa.txt`))
  })

  test('Markdown is also HTML, without metadata, markup and images of others', async () => {
    const text =
      '---\nlicense: mit\n---\n# Hi\n<script>x</script> [go](javascript:x) ![i](https://a.b/i.png)'
    await commit({ user: 'alice', files: { 'doc.md': text, 'doc.txt': text }, title: 'Docs' })
    const body = await read(RepoFile, `${base}/file?path=doc.md`)
    expect(body.html).toContain('<h3>Hi</h3>')
    expect(body.html).toContain('&lt;script&gt;')
    expect(body.html).not.toMatch(/license|<img|<script|href="javascript/)
    const plain = await read(RepoFile, `${base}/file?path=doc.txt`)
    expect(plain).not.toHaveProperty('html')
  })

  test('files are returned as text at any revision', async () => {
    const before = await commit(change)
    await commit({ ...change, files: { 'a.txt': '<script>two</script>' } })
    const now = await call<RepoFile>('GET', `${base}/file?path=a.txt`)
    expectShape(RepoFile, now.body)
    expect(now.body).toMatchObject({ binary: false, content: '<script>two</script>', size: 20 })
    expect(now.headers['content-type']).toContain('json')
    const { id } = before.body.commit
    const then = await read(RepoFile, `${base}/file?path=a.txt&revision=${id}`)
    expect(then).toMatchObject({ content: 'one', commitId: id })
  })

  test.each([
    ['not UTF-8', Buffer.from([0x89, 0x50, 0xff])],
    ['with a zero', Buffer.from('a\0b')],
  ])('%s are marked as binary', async (_name, bytes) => {
    push('x.bin', bytes)
    const body = await read(RepoFile, `${base}/file?path=x.bin`)
    expect(body).toMatchObject({ binary: true, truncated: false })
    expect(body).not.toHaveProperty('content')
  })

  test('large files are cut after a whole character', async () => {
    const text = `a${'é'.repeat(600_000)}`
    push('large.txt', Buffer.from(text))
    const body = await read(RepoFile, `${base}/file?path=large.txt`)
    expect(body.truncated).toBe(true)
    expect(text.startsWith(body.content ?? '-')).toBe(true)
    expect(Buffer.byteLength(body.content ?? '')).toBe(1024 * 1024 - 1)
  })

  test.each([
    [`${base}/file?path=gone.txt`, missing],
    [`${base}/file?path=docs`, missing],
    [`${base}/file?path=README.md&revision=gone`, missing],
    ['repos/dataset/acme/gone/file?path=README.md', { ...missing, paths: ['repo'] }],
    [`${base}/file`, { ...refused, paths: ['path'] }],
    ['repos/bucket/acme/corpus/files', { ...refused, paths: ['type'] }],
  ])('%s is refused', async (path, refusal) => {
    await commit({ ...change, files: { 'docs/a.md': 'a' } })
    expectRefusal(await call('GET', path), refusal)
  })
})

describe('commits', () => {
  test('a commit has a user and an event, and is listed with its changed files', async () => {
    const events = await eventsOf(async () => {
      const made = await commit({ ...change, user: 'bob', description: 'Because.' })
      expect(made.status).toBe(201)
      expectShape(Committed, made.body)
      expect(made.body.commit).toMatchObject({ title: 'Add a', message: 'Because.', author: 'bob' })
    })
    expect(events).toEqual(['repo.content.update by bob (trigger)'])
    const body = await read(CommitList, `${base}/commits`)
    expect(body.items.map(({ title }) => title)[0]).toBe('Add a')
    await commit({ ...change, files: { 'a.txt': null, 'README.md': 'New' }, title: 'Away' })
    const away = await read(CommitDetail, `${base}/commits/main`)
    expect(away).toMatchObject({ added: [], modified: ['README.md'], deleted: ['a.txt'] })
    expect(away).not.toHaveProperty('diff')
    const withLines = await read(CommitDetail, `${base}/commits/main?diff=1`)
    expect(withLines.diff).toMatch(/^diff --git a\/README.md b\/README.md\n/)
    expect(withLines.diff).toMatch(/\n\+New\n[^]*\n--- a\/a.txt\n\+\+\+ \/dev\/null\n/)
    expectNotFound(await call('GET', `${base}/commits/${'0'.repeat(40)}`))
  })

  test('a commit lists at most 1,000 files and the number of others', async () => {
    const files = Object.fromEntries(
      Array.from({ length: 1005 }, (_, index) => [`f${index}.txt`, `${index}`]),
    )
    const { body } = await commit({ ...change, files })
    const detail = await read(CommitDetail, `${base}/commits/${body.commit.id}`)
    expect(detail.added).toHaveLength(1000)
    expect(detail.more).toBe(5)
  })

  test('a pull request shows its changed lines on request', async () => {
    const { body } = await commit({ ...change, user: 'carol', pullRequest: true })
    const path = `${base}/discussions/${body.pullRequest}`
    const opened = await read(DiscussionDetail, `${path}?diff=1`)
    expect(opened.diff).toContain('+++ b/a.txt\n@@ -0,0 +1,1 @@\n+one')
    expect((await call('GET', path)).body).not.toHaveProperty('diff')
    const { num } = await openDiscussion()
    const plain = await read(DiscussionDetail, `${base}/discussions/${num}?diff=1`)
    expect(plain).not.toHaveProperty('diff')
    expect(plain.timeline[0]?.html).toBe('<p>Why?</p>\n')
  })

  test('a commit may open a pull request', async () => {
    const events = await eventsOf(async () => {
      const { body } = await commit({ ...change, user: 'carol', pullRequest: true })
      expect(body.pullRequest).toBe(1)
    })
    expect(events).toEqual([
      'repo.content.update by carol (trigger)',
      'discussion.create by carol (trigger)',
    ])
    const more = await commit({ ...change, user: 'carol', revision: 'refs/pr/1', title: 'More' })
    expect(more.status).toBe(201)
    // Others need the right to write, on the hub's own route, too.
    expect((await commit({ ...change, user: 'bob', revision: 'refs/pr/1' })).status).toBe(201)
    await commit({ ...change, user: 'bob', pullRequest: true })
    expectRefusal(await commit({ ...change, user: 'carol', revision: 'refs/pr/2' }), forbidden)
    expectInvalid(await commit({ ...change, user: 'mallory', revision: 'refs/pr/1' }), ['user'])
  })

  test.each([
    ['as somebody without the right', { user: 'carol' }, forbidden],
    ['as nobody', { user: 'nobody' }, { ...refused, paths: ['user'] }],
    ['to no revision', { revision: 'gone' }, missing],
    ['to a tag', { revision: 'refs/tags/v1' }, missing],
    ['outside of the repo', { files: { '../x': 'a' } }, { status: 422, error: 'http_422' }],
    ['of a file that is not there', { files: { gone: null } }, missing],
    ['of nothing', { files: {} }, { ...refused, paths: ['files'] }],
    ['without a title', { title: '' }, { ...refused, paths: ['title'] }],
    [
      'that others were faster than',
      { parentCommit: '0'.repeat(40) },
      { status: 412, error: 'http_412' },
    ],
  ])('a commit is refused %s', async (_name, more, refusal) => {
    expectRefusal(await commit({ ...change, ...more }), refusal)
    expect(await eventsOf(() => commit({ ...change, ...more }))).toEqual([])
  })

  test('a refusal names the missing right', async () => {
    const answer = await call<ErrorBody>('POST', `${base}/commits`, { ...change, user: 'carol' })
    expect(answer.body.message).toMatch(/carol/)
    await call('PATCH', base.replace('dataset/', 'datasets/'), { private: true })
    expectNotFound(await call('POST', `${base}/commits`, { ...change, user: 'carol' }))
  })
})

describe('branches and tags', () => {
  test('branches and tags are created and deleted as a user, with events', async () => {
    const events = await eventsOf(async () => {
      for (const [kind, name] of [
        ['branch', 'next'],
        ['tag', 'v1'],
      ]) {
        const made = await make(RepoDetail, `${base}/refs`, { user: 'bob', kind, name })
        expect([...made.branches, ...made.tags]).toContain(name)
        const gone = await send(
          RepoDetail,
          'DELETE',
          `${base}/refs?user=bob&kind=${kind}&name=${name}`,
        )
        expect([...gone.branches, ...gone.tags]).not.toContain(name)
      }
    })
    expect(events).toEqual(Array.from({ length: 4 }, () => 'repo.content.update by bob (trigger)'))
  })

  test.each([
    [
      { kind: 'branch', name: 'main' },
      { status: 409, error: 'conflict' },
    ],
    [{ kind: 'branch', name: 'a..b' }, refused],
    [{ kind: 'tag', name: 'v1', revision: 'gone' }, missing],
    [
      { kind: 'note', name: 'x' },
      { ...refused, paths: ['kind'] },
    ],
    [{ kind: 'tag', name: 'v1', user: 'carol' }, forbidden],
  ])('%j is refused', async (body, refusal) => {
    expectRefusal(await call('POST', `${base}/refs`, { user: 'alice', ...body }), refusal)
  })

  test('a missing branch and main are not deleted', async () => {
    const remove = (query: string) => call('DELETE', `${base}/refs?${query}`)
    expectInvalid(await remove('user=alice&kind=branch&name=main'))
    expectNotFound(await remove('user=alice&kind=tag&name=gone'))
    expectRefusal(await remove('user=carol&kind=branch&name=main'), forbidden)
    expectInvalid(await remove('kind=branch&name=main'), ['user'])
  })
})

describe('discussions', () => {
  test('discussions are opened, commented, retitled and closed as users, with events', async () => {
    const events = await eventsOf(async () => {
      const { num } = await openDiscussion({ user: 'carol' })
      const path = `${base}/discussions/${num}`
      await make(TimelineItem, `${path}/comments`, {
        user: 'bob',
        content: 'Because.',
      })
      const patch = { user: 'carol', title: 'An answer', status: 'closed', comment: 'Thanks.' }
      const closed = await send(DiscussionDetail, 'PATCH', path, patch)
      expect(closed).toMatchObject({ title: 'An answer', status: 'closed', conflicts: [] })
      const shown = await read(DiscussionDetail, path)
      expect(shown).toEqual(closed)
      expect(shown.timeline.map(({ type, content }) => content ?? type)).toEqual([
        'Why?',
        'Because.',
        'title-change',
        'Thanks.',
        'status-change',
      ])
    })
    expect(events).toEqual([
      'discussion.create by carol (trigger)',
      'discussion.comment.create by bob (trigger)',
      'discussion.update by carol (trigger)',
      'discussion.comment.create by carol (trigger)',
      'discussion.update by carol (trigger)',
    ])
  })

  test('a hidden comment has no content', async () => {
    const { num, timeline } = await openDiscussion()
    const { state } = world.sandbox.deps
    const event = state.discussionEvents.get(timeline[0]?.id ?? '')
    if (event) state.discussionEvents.put({ ...event, hidden: true })
    const body = await read(DiscussionDetail, `${base}/discussions/${num}`)
    expect(body.timeline[0]).toMatchObject({ hidden: true })
    expect(body.timeline[0]).not.toHaveProperty('content')
  })

  test('pull requests are merged unless they conflict', async () => {
    const first = await commit({ ...change, user: 'carol', pullRequest: true })
    const second = await commit({ ...change, files: { 'a.txt': 'two' }, pullRequest: true })
    const path = (num: number | undefined) => `${base}/discussions/${num}`
    const events = await eventsOf(async () => {
      const merged = await send(DiscussionDetail, 'POST', `${path(first.body.pullRequest)}/merge`, {
        user: 'bob',
        comment: 'Fine.',
      })
      expect(merged).toMatchObject({ status: 'merged', base: 'refs/heads/main' })
    })
    expect(events).toEqual([
      'discussion.comment.create by bob (trigger)',
      'discussion.update by bob (trigger)',
      'repo.content.update by bob (trigger)',
    ])
    const other = path(second.body.pullRequest)
    expect((await read(DiscussionDetail, other)).conflicts).toEqual(['a.txt'])
    expectConflict(await call('POST', `${other}/merge`, { user: 'bob' }))
    expectConflict(await call('POST', `${path(1)}/merge`, { user: 'bob' }))
    expectRefusal(await call('POST', `${other}/merge`, { user: 'carol' }), forbidden)
  })

  test('drafts are opened before a merge', async () => {
    const draft = await openDiscussion({ pullRequest: true })
    expect(draft).toMatchObject({ status: 'draft', isPullRequest: true })
    const path = `${base}/discussions/${draft.num}`
    expectInvalid(await call('POST', `${path}/merge`, { user: 'bob' }))
    const open = await call<DiscussionDetail>('PATCH', path, { user: 'bob', status: 'open' })
    expect(open.body.status).toBe('open')
  })

  test('refusals of the hub are returned', async () => {
    const { num } = await openDiscussion({ user: 'bob' })
    const path = `${base}/discussions/${num}`
    const open = (body: object) => call('POST', `${base}/discussions`, { user: 'bob', ...body })
    expectInvalid(await open({ title: 'no' }))
    expectInvalid(await open({}), ['title'])
    expectNotFound(await call('GET', `${base}/discussions/9`))
    expectInvalid(await call('GET', `${base}/discussions/x`), ['num'])
    const comment = (body: object) => call('POST', `${path}/comments`, { user: 'bob', ...body })
    expectInvalid(await comment({ content: '' }))
    expectInvalid(await comment({}), ['content'])
    expectInvalid(await call('POST', `${path}/merge`, { user: 'bob' }))
    const patch = (body: object) => call('PATCH', path, { user: 'carol', ...body })
    expectRefusal(await patch({ status: 'closed' }), forbidden)
    expectInvalid(await patch({ status: 'merged' }), ['status'])
    expect((await patch({})).status).toBe(400)
    expect((await patch({ comment: 'I may comment.' })).status).toBe(200)
  })
})
