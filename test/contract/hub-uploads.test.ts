import { Readable } from 'node:stream'
import { beforeEach, describe, expect, test } from 'vitest'
import { readBlob, readCommit } from '../../server/hub/files/git-objects.ts'
import { deleteRepo, moveRepo } from '../../server/hub/repos/repos.ts'
import { findPath } from '../../server/hub/files/trees.ts'
import { endSession, startSession } from '../../server/hub/oauth/sessions.ts'
import { revokeAccessToken } from '../../server/hub/access/revoke-token.ts'
import type { Repo } from '../../server/store/entities/hub-entities.ts'
import { testApp } from '../helpers/app.ts'
import { callerAt, callerWith, outcomeOf } from '../helpers/cast.ts'
import { sendCut } from '../helpers/cut-request.ts'
import { startTestSandbox } from '../helpers/sandbox.ts'
import { bearerOf } from '../helpers/user-token.ts'

const world = testApp()
const { as } = world
let repo: Repo
const alice = as('alice')
beforeEach(() => {
  repo = world.makeRepo('acme/model', { files: { 'a.txt': 'a', 'dir/b.txt': 'b' } })
  world.events.length = 0
})

const now = () => world.latest(repo)
const head = (ref?: string) => world.head(repo, ref)
const told = () => world.hubEvents()

const linesOf = (...lines: object[]) => lines.map((line) => JSON.stringify(line)).join('\n')
const line = (key: string, value: object) => ({ key, value })
const header = line('header', { summary: 'Upload' })
const remove = (kind: 'File' | 'Folder' | 'Entry', path: string) => line(`deleted${kind}`, { path })
const add = (path: string, content = path) =>
  line('file', { content: Buffer.from(content).toString('base64'), path, encoding: 'base64' })
const upload = [header, add('x')]
/** Members of a response to a commit, whether it is made or refused. */
type CommitBody = Record<'commitOid' | 'commitUrl' | 'pullRequestUrl' | 'error', string>
const commitAt = '/api/models/acme/model/commit/'
const send = (revision: string, lines: object[], user = alice, headers = {}) =>
  user.postLines<CommitBody>(`${commitAt}${revision}`, lines, headers)

function read(path: string, ref?: string): string | undefined {
  const objects = world.deps.objects.of(now())
  const found = findPath(objects, readCommit(objects, head(ref)).treeId, path)
  return found?.type === 'file' ? readBlob(objects, found.oid).toString() : undefined
}

/** Nothing moved, and nobody was told. */
async function expectNothingKept(act: () => Promise<unknown>) {
  const [before, discussions] = [now(), world.state.discussions.size]
  const events = told().length
  await act()
  expect(now()).toBe(before)
  expect(world.state.discussions.size).toBe(discussions)
  expect(told()).toHaveLength(events)
}

describe('commit', () => {
  test('a commit adds, moves and deletes files, with one event', async () => {
    const before = head()
    const answer = await send('main', [
      line('header', { summary: 'Upload', description: 'Why', parentCommit: before }),
      add('new/c.txt', 'c'),
      line('file', { path: 'moved.txt', oldPath: 'a.txt', content: 'a' }),
      remove('Folder', 'dir/'),
    ])
    expect(answer.status).toBe(200)
    expect(answer.body).toEqual({
      success: true,
      commitOid: head(),
      commitUrl: `http://localhost/acme/model/commit/${head()}`,
      hookOutput: '',
    })
    expect(['a.txt', 'dir/b.txt', 'new/c.txt', 'moved.txt'].map((path) => read(path))).toEqual([
      undefined,
      undefined,
      'c',
      'a',
    ])
    expect(readCommit(world.deps.objects.of(now()), head())).toMatchObject({
      title: 'Upload',
      message: 'Why',
      authorName: 'alice',
      parentIds: [before],
    })
    const updatedRefs = [{ ref: 'refs/heads/main', oldSha: before, newSha: head() }]
    expect(told()).toMatchObject([{ scope: 'repo.content', action: 'update', updatedRefs }])
  })

  test('an unreadable README is refused with the message of the check', async () => {
    const bad = add('README.md', '\n---\nmodel-index: foo\n---\n\ntext\n')
    const answer = await send('main', [header, add('b.txt'), bad])
    expect([answer.status, answer.body]).toEqual([400, { error: '"model-index" must be an array' }])
    expect([read('b.txt'), told()]).toEqual([undefined, []])
    // Elsewhere it is a file like any other, and a later line counts.
    const fine = [add('docs/README.md', '---\na: [\n---\n'), bad, add('README.md', '# Hi')]
    expect((await send('main', [header, ...fine])).status).toBe(200)
    // As large as to be put aside while the rest of the commit comes.
    const large = add('README.md', `---\na: [\n---\n${'x'.repeat(100_000)}`)
    expect((await send('main', [header, large])).status).toBe(400)
    expect(read('README.md')).toBe('# Hi')
  })

  test.each<[string, 'base64' | 'utf-8']>([
    ['in base64', 'base64'],
    ['as a text', 'utf-8'],
  ])('large binary files are refused: %s', async (_how, encoding) => {
    const addBinary = (path: string, size: number) => {
      const bytes = Buffer.alloc(size, 1)
      bytes[7999] = 0
      return line('file', { path, encoding, content: bytes.toString(encoding) })
    }
    const text = add('c.txt', `${'x'.repeat(200_000)}\0`)
    const files = [addBinary('icon.png', 102_400), text, addBinary('e.png', 102_401)]
    const more = [...files, addBinary('dir/d.zip', 3_000_000)]
    await expectNothingKept(async () => {
      const answer = await send('main', [header, ...more])
      expect([answer.status, answer.body]).toEqual([
        400,
        {
          error:
            'Your push was rejected because it contains binary files. Please use https://huggingface.co/docs/hub/xet to store binary files. See also: https://huggingface.co/docs/hub/xet/using-xet-storage#git Offending files: - e.png - dir/d.zip',
        },
      ])
    })
    expect([...world.requests.values()].at(-1)?.detail).toBe(
      'e.png and 1 more: binary and over 100 KiB; preupload returns which files need Git LFS',
    )
    expect((await send('main', [header, ...files.slice(0, 2)])).status).toBe(200)
  })

  test('unknown members are ignored, with a remark in the request log', async () => {
    const misspelt = line('file', { path: 'b.txt', content: 'a', oldpath: 'a.txt' })
    expect((await send('main', [header, misspelt])).status).toBe(200)
    expect([read('a.txt'), read('b.txt')]).toEqual(['a', 'a'])
    expect(world.requests.values().at(-1)).toMatchObject({
      status: 200,
      error: undefined,
      detail: 'Ignored, as on the Hub: line 2: its file has an unknown member "oldpath"',
    })
    expect((await send('main', [header, add('c.txt')])).status).toBe(200)
    expect(world.requests.values().at(-1)?.detail).toBeUndefined()
  })

  test('files of a commit are stored whole before it', async () => {
    const text = 'as long as to be kept at once '.repeat(5000)
    const plain = line('file', { path: 'plain', content: text })
    expect((await send('main', [header, add('encoded', text), plain])).status).toBe(200)
    expect([read('encoded') === text, read('plain') === text]).toEqual([true, true])
  })

  test('URLs have the host of the request', async () => {
    const host = '127.0.0.1:7420'
    const answer = await send('main', upload, alice, { host })
    expect(answer.body.commitUrl).toMatch(/^http:\/\/127\.0\.0\.1:7420\/acme/)
  })

  test('a reader opens a pull request and commits to it', async () => {
    const carol = as('carol')
    const answer = await send('main?create_pr=1', [header, add('c.txt')], carol)
    expect(answer.body).toMatchObject({
      commitOid: head('refs/pr/1'),
      pullRequestUrl: expect.stringMatching(/\/acme\/model\/discussions\/1$/),
    })
    expect(told().map(({ scope, action }) => `${scope} ${action}`)).toEqual([
      'repo.content update',
      'discussion create',
    ])
    expect([read('c.txt'), read('c.txt', 'refs/pr/1')]).toEqual([undefined, 'c.txt'])
    expect((await send('refs%2Fpr%2F1', [header, add('d.txt')], carol)).status).toBe(200)
    expect((await send('refs%2Fpr%2F1', [header, add('e.txt')], carol)).status).toBe(200)
    expect([read('d.txt', 'refs/pr/1'), read('e.txt', 'refs/pr/1')]).toEqual(['d.txt', 'e.txt'])
    const mallory = as('mallory')
    expect((await send('refs%2Fpr%2F1', [header, add('m')], mallory)).status).toBe(403)
  })

  test('an earlier name redirects', async () => {
    moveRepo(world.deps, { repo: now(), toName: 'acme/other' })
    const moved = await send('main', [header, add('y')])
    expect(moved.status).toBe(307)
    expect(moved.headers['location']).toBe('/api/models/acme/other/commit/main')
    expect(read('y')).toBeUndefined()
  })

  const noFile = "A file with this name doesn't exist"
  const outdated =
    'The branch was updated since you opened this page. Please refresh and try again.'
  const keys = 'Add a line with the key `lfsFile`, `file` or `deletedFile`'
  const proposal = 'main?create_pr=1'
  test.each<[string, object[], string, string, string?]>([
    ['no header', [add('x')], '400', 'the header must come first'],
    ['two headers', [header, header], '400', 'a second header'],
    ['no summary', [line('header', { summary: '' })], '400', 'summary'],
    [
      'a summary with a NUL',
      [line('header', { summary: 'a\0b' }), add('x')],
      '400',
      'The summary contains a NUL',
    ],
    [
      'a description with a NUL',
      [line('header', { summary: 'a', description: '\0' }), add('x')],
      '400',
      'The description contains a NUL',
      proposal,
    ],
    ['an unknown key', [header, line('x', {})], '400', 'Line 2'],
    [
      'bad base64',
      [header, line('file', { path: 'x', content: '%', encoding: 'base64' })],
      '400',
      'base64',
    ],
    [
      'a file that is not uploaded',
      [header, line('lfsFile', { path: 'x', oid: 'y' })],
      '400',
      'not a SHA-256',
    ],
    ['a path that leads out', [header, add('../x')], '422', 'Invalid path'],
    ['a backslash', [header, add('..\\ddd')], '422', 'backslash'],
    ['an absolute path of Windows', [header, add('\\ddd')], '422', 'backslash'],
    [
      'a path that leads into .git',
      [header, add('dir\\..\\.git\\config')],
      '422',
      'leads into .git',
    ],
    ['a folder where a file is', [header, add('a.txt/x')], '400', 'Path conflict'],
    ['a file where a folder is', [header, add('dir')], '400', 'Path conflict'],
    ['a missing file', [header, remove('File', 'x')], '404 EntryNotFound', noFile],
    ['a missing folder', [header, remove('Folder', 'x')], '404 EntryNotFound', "doesn't exist"],
    ['a missing entry', [header, remove('Entry', 'x/')], '404 EntryNotFound', noFile],
    ['a header alone', [header], '400', keys],
    ['a header alone, as a pull request', [header], '400', keys, proposal],
    [
      'an old parent',
      [line('header', { summary: 'x', parentCommit: 'a'.repeat(40) }), add('x')],
      '412',
      outdated,
    ],
    ['an unknown branch', upload, '404 RevisionNotFound', 'Invalid rev id', 'none'],
    [
      'an unknown branch, of a pull request',
      upload,
      '404 RevisionNotFound',
      'Invalid rev id',
      'none?create_pr=1',
    ],
    ['an unknown pull request', upload, '404 RevisionNotFound', 'Invalid rev id', 'refs%2Fpr%2F7'],
  ])(
    'a commit of %s is refused, and nothing is kept',
    async (_, lines, outcome, text, revision) => {
      await expectNothingKept(async () => {
        const answer = await send(revision ?? 'main', lines)
        expect(outcomeOf(answer)).toBe(outcome)
        expect(answer.body.error).toContain(text)
      })
    },
  )

  test.each([
    ['folder/..\\..\\..\\file', 'file'],
    ['folder/..\\..\\file', 'file'],
    ['sub\\c.txt', 'sub/c.txt'],
    ['dir\\.\\b.txt', 'dir/b.txt'],
  ])('the path %j is stored as %j', async (path, stored) => {
    expect((await send('main', [header, add(path, 'new')])).status).toBe(200)
    expect(read(stored)).toBe('new')
    const url = `/acme/model/resolve/main/${path.split('/').map(encodeURIComponent).join('/')}`
    const resolved = await as().get(url)
    const cached = await as().get(String(resolved.headers['location']))
    expect([resolved.status, cached.body]).toEqual([307, 'new'])
    const body = { files: [{ path, size: 3 }] }
    const preupload = '/api/models/acme/model/preupload/main'
    const planned = await alice.post<{ files: object[] }>(preupload, body)
    expect(planned.body.files).toEqual([
      expect.objectContaining({ path, oid: expect.any(String) as string }),
    ])
    const removed = await send('main', [header, remove('File', path)])
    expect([removed.status, read(stored)]).toEqual([200, undefined])
  })

  test('a commit to a tag or a commit is refused', async () => {
    for (const revision of [head(), 'v1', 'v1?create_pr=1']) {
      const tag = `/api/models/acme/model/tag/main`
      await alice.post(tag, { tag: 'v1' })
      const answer = await send(revision, upload)
      expect(outcomeOf(answer)).toBe('404 RevisionNotFound')
    }
  })

  test('another media type and a missing body are refused', async () => {
    await expectNothingKept(async () => {
      const type = { 'content-type': 'text/plain' }
      const text = await alice.post(`${commitAt}main`, linesOf(header, add('x')), type)
      expect(text.status).toBe(415)
      expect((await send('main', [])).status).toBe(400)
    })
  })

  test.each(['deletedEntry', 'deletedFile'])('a file or folder is deleted by %s', async (key) => {
    const deleted = ['a.txt', 'dir'].map((path) => ({ key, value: { path } }))
    expect((await send('main', [header, ...deleted, add('dir/c.txt')])).status).toBe(200)
    expect(['a.txt', 'dir/b.txt', 'dir/c.txt'].map((path) => read(path))).toEqual([
      undefined,
      undefined,
      'dir/c.txt',
    ])
  })

  test('right and token are checked before the body is read', async () => {
    await expectNothingKept(async () => {
      const statuses = await Promise.all(
        [as(), as('carol'), as('alice', { role: 'read' }), callerWith(world, 'hf_nobody')].map(
          async (user) => (await send('main', [{ key: 'nonsense' }], user)).status,
        ),
      )
      expect(statuses).toEqual([401, 403, 403, 401])
      expect((await send('main?create_pr=1', upload, as())).status).toBe(401)
    })
  })

  test('a reader is told to open a pull request, with the message of the hub', async () => {
    const carol = as('carol')
    const asked = await carol.post('/api/models/acme/model/preupload/main', {
      files: [{ path: 'x', size: 1 }],
    })
    for (const refused of [await send('main', upload, carol), asked]) {
      const text = 'Forbidden: pass `create_pr=1` as a query parameter to create a Pull Request'
      expect([refused.status, refused.body]).toEqual([403, { error: text }])
      expect(refused.headers['x-error-message']).toBe(text)
    }
    expect(world.requests.values().at(-1)?.detail).toBe(
      'Committing, branching and tagging needs the write right: carol has no right there',
    )
    // Opening one would not help: the token, or the pull request of another, is in the way.
    const commit = add('x')
    await send('main?create_pr=1', [header, commit], as('mallory'))
    for (const [revision, user, label] of [
      ['main', as('carol', { role: 'read' }), 'Committing needs a write token'],
      ['refs%2Fpr%2F1', carol, 'Committing, branching and tagging'],
    ] as const) {
      const refused = await send(revision, [header, commit], user)
      expect(refused.body.error).toContain(label)
    }
  })

  test('the request log has the reason of a refusal, without the files', async () => {
    await send('main', [header, add('x', 'secret'), line('none', {})])
    const record = world.requests.values().at(-1)
    expect(record).toMatchObject({
      status: 400,
      detail: 'Line 3 of the commit: unknown key "none"',
      request: { truncated: true },
    })
    expect(record?.request).not.toHaveProperty('body')
  })

  test('only one of two commits on the same parent succeeds', async () => {
    const parentCommit = head()
    const writers = ['first', 'second', 'third'].map((path) =>
      send('main', [line('header', { summary: path, parentCommit }), add(path)]),
    )
    const answers = await Promise.all(writers)
    const [made, ...refused] = answers.toSorted((a, b) => a.status - b.status)
    expect([made?.status, refused.map(({ status }) => status)]).toEqual([200, [412, 412]])
    for (const { headers } of refused) {
      expect(headers['x-error-message']).toContain('Please refresh and try again')
    }
    expect(head()).toBe(made?.body.commitOid)
    expect(told()).toHaveLength(1)
  })

  test('a commit to a repo deleted meanwhile is refused', async () => {
    const answer = send('main', upload)
    deleteRepo(world.deps, { repo: now() })
    expect((await answer).headers['x-error-code']).toBe('RepoNotFound')
  })
})

describe('commit as one JSON object', () => {
  const commit = (body: object, revision = 'main', user = alice) =>
    user.post<CommitBody>(`${commitAt}${revision}`, body)

  test('files are added and deleted as huggingface_hub 0.9 and OpenDAL send them', async () => {
    const before = head()
    const answer = await commit({
      summary: 'Upload',
      description: 'Why',
      parentCommit: before,
      files: [
        { path: 'new/c.txt', encoding: 'base64', content: Buffer.from('c').toString('base64') },
        { path: 'd.txt', content: 'é' },
        { path: 'dir/e.txt', content: 'e', encoding: 'utf-8' },
      ],
      lfsFiles: [],
      deletedFiles: [{ path: 'a.txt' }],
      deletedFolders: [{ path: 'dir/' }],
    })
    expect([answer.status, answer.body]).toEqual([
      200,
      {
        success: true,
        commitOid: head(),
        commitUrl: `http://localhost/acme/model/commit/${head()}`,
        hookOutput: '',
      },
    ])
    const paths = ['a.txt', 'dir/b.txt', 'new/c.txt', 'd.txt', 'dir/e.txt']
    expect(paths.map((path) => read(path))).toEqual([undefined, undefined, 'c', 'é', 'e'])
    expect(readCommit(world.deps.objects.of(now()), head())).toMatchObject({
      title: 'Upload',
      message: 'Why',
      parentIds: [before],
    })
    expect(told()).toMatchObject([{ scope: 'repo.content', action: 'update' }])
  })

  test('deletedEntries deletes files and folders', async () => {
    const deletedEntries = [{ path: 'a.txt' }, { path: 'dir' }]
    expect((await commit({ summary: 'Clean', deletedEntries })).status).toBe(200)
    expect([read('a.txt'), read('dir/b.txt')]).toEqual([undefined, undefined])
  })

  test('opens a pull request', async () => {
    const files = [{ path: 'x', content: 'x' }]
    const carol = as('carol')
    const answer = await commit({ summary: 'Offer', files }, 'main?create_pr=1', carol)
    expect(answer.body.pullRequestUrl).toMatch(/discussions\/1$/)
    expect([read('x'), read('x', 'refs/pr/1')]).toEqual([undefined, 'x'])
  })

  test('reports unknown members in the request log without the files', async () => {
    const files = [{ path: 'x', content: 'hidden', mode: 'utf-8' }]
    expect((await commit({ summary: 'Upload', files, author: 'me' })).status).toBe(200)
    const record = world.requests.values().at(-1)
    expect(record?.detail).toBe(
      'Ignored, as on the Hub: the commit has an unknown member "author"; files[0] has an unknown member "mode"',
    )
    expect(record?.request).not.toHaveProperty('body')
  })

  const file = { path: 'x', content: 'x' }
  test.each<[string, string | object, number, string]>([
    ['no operations', { summary: 'x', files: [] }, 400, 'Add a line with the key `lfsFile`'],
    ['no summary', { files: [file] }, 400, 'The commit: summary is empty'],
    ['a list of commits', [{ summary: 'x', files: [file] }], 400, 'it is not a JSON object'],
    ['broken JSON', '{"summary":', 400, 'The commit: invalid JSON'],
    ['an empty body', '', 400, 'The commit: invalid JSON'],
    ['no list', { summary: 'x', files: file }, 400, 'The commit: files is no list'],
    ['a text in a list', { summary: 'x', files: [file, 'y'] }, 400, "The commit's files[1]: it is"],
    ['a missing path', { summary: 'x', lfsFiles: [{}] }, 400, "The commit's lfsFiles[0]: path is"],
    ['a path that leads out', { summary: 'x', deletedFiles: [{ path: '../x' }] }, 422, 'Invalid'],
    [
      'a missing file',
      { summary: 'x', files: [file], deletedFiles: [{ path: 'y' }] },
      404,
      'A file',
    ],
    ['deep nesting', '['.repeat(20), 400, 'nested more than 16 levels'],
    ['a million values', `{"x":[${'{},'.repeat(400_000)}{}]}`, 400, 'bytes outside its strings'],
    ['25 MiB', 'x'.repeat(25 * 1024 * 1024), 413, 'send larger commits as application/x-ndjson'],
  ])('is refused with %s, and keeps nothing', async (_what, body, status, text) => {
    await expectNothingKept(async () => {
      const type = { 'content-type': 'application/json; charset=utf-8' }
      const answer = await alice.post<CommitBody>(`${commitAt}main`, body, type)
      expect(answer.status).toBe(status)
      expect(answer.body.error).toContain(text)
      expect(world.requests.values().at(-1)).toMatchObject({ status })
    })
  })

  test('the right is checked before the body is read', async () => {
    expect((await commit({}, 'main', as())).status).toBe(401)
    expect((await commit({}, 'main', as('carol'))).status).toBe(403)
  })
})

describe('slow uploads', () => {
  const noSession: Happening = [
    'the session ends',
    () => {
      for (const { id } of world.state.sessions.values()) endSession(world.deps, id)
    },
    401,
    'Invalid username or password.',
  ]
  const happenings: Happening[] = [
    ['the token is revoked', revokeAll, 401, 'Invalid credentials in Authorization header'],
    [
      'the token expires',
      () => world.clock.advance(60_000),
      401,
      'Invalid credentials in Authorization header',
    ],
    [
      'the token may do less',
      () => {
        for (const token of world.state.tokens.values()) {
          world.state.tokens.put({ ...token, role: 'read' })
        }
      },
      403,
      /needs a write token/,
    ],
    [
      'the user loses the right',
      () => {
        const acme = world.state.organizations.get(repo.ownerId)
        if (acme !== undefined) world.state.organizations.put({ ...acme, members: [] })
      },
      403,
      /needs the (?:write|admin|contributor) right|pass `create_pr=1` as a query parameter/,
    ],
  ]

  /** Does something after the caller was looked at, and before all of the body is there. */
  async function* slowly(body: string, happen: () => void) {
    yield Buffer.from(body.slice(0, 10))
    happen()
    yield Buffer.from(body.slice(10))
  }
  const send = (path: string, type: string, body: string, headers: object, happen: () => void) =>
    world.server.inject({
      method: 'POST',
      url: `/api/models/acme/model/${path}`,
      payload: Readable.from(slowly(body, happen)),
      headers: { ...headers, 'content-type': type },
    })

  test.each([...happenings, noSession])(
    'a slow commit is refused when %s meanwhile',
    async (what, happen, status, text) => {
      const headers =
        what === noSession[0]
          ? { cookie: `hub_sandbox_session=${startSession(world.deps, world.users.alice).id}` }
          : bearerOf(world, world.users.alice, { expiresAt: world.clock.now() + 60_000 })
      const body = linesOf(header, add('x'))
      await expectNothingKept(async () => {
        const answer = await send('commit/main', 'application/x-ndjson', body, headers, happen)
        expect(answer.json()).toEqual({ error: expect.stringMatching(text) as string })
        expect(answer.statusCode).toBe(status)
      })
    },
  )

  test.each(
    [
      ['super-squash/main', {}],
      ['branch/other', {}],
      ['duplicate', { repository: 'acme/copy' }],
      ['lfs-files/batch', { deletions: { sha: [] } }],
    ].flatMap(([path, body]) => happenings.map((each) => [path, body, ...each] as const)),
  )(
    'a request with a slow body is refused: %s %j when %s',
    async (path, body, _, happen, status, text) => {
      const headers = bearerOf(world, world.users.alice, { expiresAt: world.clock.now() + 60_000 })
      await expectNothingKept(async () => {
        const bytes = `${' '.repeat(20)}${JSON.stringify(body)}`
        const answer = await send(path as string, 'application/json', bytes, headers, happen)
        expect(answer.json()).toEqual({ error: expect.stringMatching(text) as string })
        expect(answer.statusCode).toBe(status)
      })
    },
  )

  function revokeAll(): void {
    for (const token of world.state.tokens.values()) {
      revokeAccessToken(world.deps, token, 'it has leaked')
    }
  }
})

/** Events during a slow body, with the response that follows. */
type Happening = [what: string, happen: () => void, status: number, text: string | RegExp]

describe('a body that ends early', () => {
  test('a body that ends early makes no commit', async () => {
    const sandbox = await startTestSandbox()
    const path = '/api/models/alice/tiny-sentiment'
    const commits = async () =>
      (await callerAt(sandbox).get(`${path}/commits/main`)).headers['x-total-count']
    const before = await commits()
    const body = linesOf(header, add('x'))
    const head = [
      `POST ${path}/commit/main HTTP/1.1`,
      'Authorization: Bearer hf_sandbox_alice',
      'Content-Type: application/x-ndjson',
      `Content-Length: ${body.length + 1}`,
    ]
    await sendCut(sandbox.url, head, body)
    expect(await commits()).toBe(before)
  })
})

describe('preupload', () => {
  interface Plan {
    commitOid: string
    files: { path: string; uploadMode: string; shouldIgnore: boolean; oid?: string }[]
  }
  const plan = (body: object, revision = 'main', user = alice) =>
    user.post<Plan>(`/api/models/acme/model/preupload/${revision}`, body)
  const sample = (bytes: string | Uint8Array) => Buffer.from(bytes).toString('base64')

  test('preupload returns an upload mode for each file', async () => {
    const files = [
      { path: 'a.txt', size: 1, sample: sample('x') },
      { path: 'new.txt', size: 1_000_000, sample: sample('text') },
      { path: 'w.bin', size: 7, sample: sample('text') },
      { path: 'empty.bin', size: 0, sample: '' },
      { path: 'binary', size: 9, sample: sample(Uint8Array.of(1, 0, 2)) },
      { path: 'latin', size: 9, sample: sample(Uint8Array.of(0x61, 0xff, 0x61)) },
      { path: 'cut', size: 600, sample: sample(Buffer.from('\u20ac').subarray(0, 2)) },
      { path: 'large', size: 10 * 1024 * 1024 + 1, sample: sample('text') },
    ]
    const answer = (await plan({ files })).body
    expect(answer.commitOid).toBe(head())
    expect(answer.files.map(({ path, uploadMode }) => `${path} ${uploadMode}`)).toEqual([
      'a.txt regular',
      'new.txt regular',
      'w.bin lfs',
      'empty.bin regular',
      'binary lfs',
      'latin lfs',
      'cut regular',
      'large lfs',
    ])
    expect(answer.files[0]).toEqual({
      path: 'a.txt',
      uploadMode: 'regular',
      shouldIgnore: false,
      oid: '2e65efe2a145dda7ee51d1741299f848e5bf752e',
    })
    expect(answer.files[1]).not.toHaveProperty('oid')
  })

  test.each([{ size: -1 }, {}])(
    'returns an upload mode for a file of unknown size, as OpenDAL sends it: %o',
    async (size) => {
      const files = [
        { path: 'a.txt', ...size, sample: sample('text') },
        { path: 'w.bin', ...size, sample: sample('text') },
        { path: 'binary', ...size, sample: sample(Uint8Array.of(1, 0, 2)) },
        { path: 'no sample', ...size },
      ]
      const planned = (await plan({ files })).body
      expect(planned.files.map(({ path, uploadMode }) => [path, uploadMode])).toEqual([
        ['a.txt', 'regular'],
        ['w.bin', 'lfs'],
        ['binary', 'lfs'],
        ['no sample', 'regular'],
      ])
    },
  )

  test('the mode follows the attributes of the folders, quoted or not', async () => {
    await send('main', [
      header,
      add('.gitattributes', '"a b/*" filter=lfs\n[attr]large filter=lfs\n*.huge large\n'),
      add('dir/.gitattributes', '*.txt filter=lfs\n*.huge -filter\n'),
      add('dir/deep/.gitattributes', '"\\303\\251.txt" -filter\n'),
    ])
    const paths = ['a b/c', 'x.huge', 'x.txt', 'dir/x.txt', 'dir/x.huge', 'dir/deep/é.txt']
    const files = [...paths, 'dir/deep/x.txt', 'none/x.txt'].map((path) => ({ path, size: 1 }))
    const planned = async (more = {}) =>
      (await plan({ files, ...more })).body.files.flatMap(({ path, uploadMode }) =>
        uploadMode === 'lfs' ? [path] : [],
      )
    expect(await planned()).toEqual(['a b/c', 'x.huge', 'dir/x.txt', 'dir/deep/x.txt'])
    // What a request brings is in the place of those at the root.
    expect(await planned({ gitAttributes: 'x.* filter=lfs' })).toEqual([
      'x.huge',
      'x.txt',
      'dir/x.txt',
      'dir/deep/x.txt',
      'none/x.txt',
    ])
  })

  test('the mode follows the attributes of the revision', async () => {
    await send('main', [
      header,
      add('.gitattributes', '*.png filter=lfs\n'),
      add('.gitignore', 'logs/\n'),
    ])
    const files = [
      { path: 'x.png', size: 1, sample: sample('x') },
      { path: 'w.bin', size: 1, sample: sample('x') },
      { path: 'logs/x', size: 1 },
    ]
    expect((await plan({ files })).body.files).toMatchObject([
      { uploadMode: 'lfs', shouldIgnore: false },
      { uploadMode: 'regular', shouldIgnore: false },
      { uploadMode: 'regular', shouldIgnore: true },
    ])
    const own = { gitIgnore: '*.png', gitAttributes: '*.bin filter=lfs' }
    expect((await plan({ files, ...own })).body.files).toMatchObject([
      { uploadMode: 'regular', shouldIgnore: true },
      { uploadMode: 'lfs', shouldIgnore: false },
      { shouldIgnore: false },
    ])
    const none = (await plan({ files, gitIgnore: null, gitAttributes: null })).body
    expect(none.files[2]?.shouldIgnore).toBe(true)
  })

  test('huge attributes and paths are refused', async () => {
    const rules = `/${'**/a*'.repeat(800)}[b]`
    const answer = await plan({ files: [{ path: 'a/'.repeat(2000), size: 1 }], gitIgnore: rules })
    expect([answer.status, answer.body]).toEqual([
      400,
      {
        error: expect.stringMatching(
          /^Matching these paths with the rules of .gitignore and .gitattributes takes more than \d+ steps$/,
        ),
      },
    ])
    const files = [{ path: 'a', size: 1 }]
    for (const [body, limit] of [
      [{ files, gitIgnore: 'a\n'.repeat(200_000) }, '262144'],
      [{ files, gitAttributes: 'a\n'.repeat(200_000) }, '262144'],
      [{ files: [{ path: 'x'.repeat(4097), size: 1 }] }, '4096'],
    ] as const) {
      const refused = await plan(body)
      expect([refused.status, JSON.stringify(refused.body)]).toEqual([
        400,
        expect.stringContaining(limit),
      ])
    }
    expect((await plan({ files, gitIgnore: 'b\n'.repeat(100_000) })).status).toBe(200)
  })

  test('preupload needs the right to commit', async () => {
    const [carol, files] = [as('carol'), []]
    expect((await plan({ files }, 'main', as())).status).toBe(401)
    expect((await plan({ files }, 'main', carol)).status).toBe(403)
    expect((await plan({ files }, 'main?create_pr=1', carol)).status).toBe(200)
  })

  test('invalid requests are refused', async () => {
    expect((await plan({})).status).toBe(400)
    expect((await plan({ files: [{ path: 'x', size: 'large' }] })).status).toBe(400)
    expect((await plan({ files: [{ path: 'x', size: 1, sample: '%' }] })).status).toBe(400)
    const unknown = await plan({ files: [] }, 'none')
    expect(unknown.headers['x-error-code']).toBe('RevisionNotFound')
  })
})

describe('validate-yaml', () => {
  const check = (content: string, repoType?: string) =>
    as().post('/api/validate-yaml', { content, ...(repoType === undefined ? {} : { repoType }) })

  test('a README up to 1 MB is checked, and its metadata may be all of it', async () => {
    const start = '---\ntitle: x\ntext: '
    const text = (bytes: number) => `${start}${'b'.repeat(bytes - start.length - 5)}\n---\n`
    expect((await check(text(300_000))).status).toBe(200)
    expect((await check(text(1_000_000))).status).toBe(200)
    const large = await check(text(1_000_001))
    expect([large.status, large.body]).toEqual([413, { error: 'request entity too large' }])
    expect((await send('main', [header, add('README.md', text(300_000))])).status).toBe(200)
  })

  // Two megabytes of it ended a process with a heap of 512 MB.
  test('metadata that is too large is refused before it is parsed', async () => {
    const content = `---\na: [${'a,'.repeat(1_000_000)}]\n---\n`
    const message = 'it has 1954 KiB, and the limit is 1024 KiB'
    expect((await check(content)).status).toBe(413)
    const commit = await send('main', [header, add('README.md', content)])
    expect([commit.status, commit.body]).toEqual([400, { error: message }])
  })

  test('names mistakes in the words that people look for', async () => {
    const messages = async (metadata: string) => {
      const { body } = await check(`---\n${metadata}\n---\n`)
      return (body as { errors: { message: string }[] }).errors.map(({ message }) => message)
    }
    expect(await messages('a: !!python/tuple [1]')).toEqual([
      'unknown tag !<tag:yaml.org,2002:python/tuple> at line 1, column 4',
    ])
    expect(await messages('a: !own 1')).toEqual(['unknown tag !<!own> at line 1, column 4'])
    expect(await messages("base_model: ''")).toEqual(['"base_model" is not allowed to be empty'])
  })

  test('valid metadata has no errors', async () => {
    const answer = await check('---\nlicense: mit\ntags: [a, b]\n---\n# Hi')
    expect([answer.status, answer.body]).toEqual([200, { errors: [], warnings: [] }])
    expect((await check('---\r\nsdk: static\r\n---\r\n', 'space')).status).toBe(200)
  })

  test.each(['# Hi', '', '---\n---\n', '---\nnever: ended'])(
    'missing metadata gives a warning: %j',
    async (text) => {
      const answer = await check(text)
      expect(answer.status).toBe(200)
      expect(answer.body).toEqual({ errors: [], warnings: [{ message: expect.any(String) }] })
    },
  )

  test.each([
    ['---\na: [\n---\n', 'model'],
    ['---\n- a\n---\n', 'model'],
    ['---\ntags: a\n---\n', 'dataset'],
    ['---\nsdk: none\n---\n', 'space'],
    [`---\n${'['.repeat(5000)}\n---\n`, 'model'],
  ])('%j gives its errors', async (text, type) => {
    const answer = await check(text, type)
    expect(answer.status).toBe(400)
    // Clients show `error` and each of `errors`: what stood in both was read twice.
    expect(answer.body).toEqual({ errors: [{ message: expect.any(String) }], warnings: [] })
  })

  test('a text response has one line per error', async () => {
    const content = '---\nsdk: static\ncolorFrom: teal\ncolorTo: orange\n---\n'
    const body = { content, repoType: 'space' }
    const answer = await as().post('/api/validate-yaml', body, { accept: 'text/plain' })
    const colors = '[red, yellow, green, blue, indigo, purple, pink, gray]'
    expect([answer.status, answer.headers['content-type'], answer.body]).toEqual([
      400,
      'text/plain; charset=utf-8',
      `- Error: "colorFrom" must be one of ${colors}\n- Error: "colorTo" must be one of ${colors}`,
    ])
  })
})
