import { beforeEach, describe, expect, test } from 'vitest'
import { createRepo, type CreateRepoInput } from '../../server/hub/repos/repos.ts'
import type { Repo } from '../../server/store/entities/hub-entities.ts'
import { testApp } from '../helpers/app.ts'
import { callerWith, readPages } from '../helpers/cast.ts'
import type { Answer } from '../helpers/control.ts'
import { createOAuthClient } from '../helpers/oauth-client.ts'

const world = testApp()
const { as } = world
const alice = as('alice')
const bob = as('bob')
const carol = as('carol')

const create = (repo: object, user = alice) => user.post('/api/repos/create', repo)
const remove = (repo: object, user = alice) => user.delete('/api/repos/delete', repo)
const move = (fromRepo: string, toRepo: string, user = alice, more: object = {}) =>
  user.post('/api/repos/move', { fromRepo, toRepo, type: 'model', ...more })

/** A repo that was there before anybody listened. */
function given(name: string, more: Partial<CreateRepoInput> = {}, put: Partial<Repo> = {}): Repo {
  const quiet = { ...world.deps, bus: { emit: () => {} } }
  const repo = createRepo(quiet, { type: 'model', name, actorId: world.users.alice.id, ...more })
  return world.state.repos.put({ ...repo, ...put })
}

const withCard = (card: string, more: Record<string, string> = {}) => ({
  files: Object.entries({ 'README.md': `---\n${card}\n---\n`, ...more }).map(([path, content]) => ({
    kind: 'add' as const,
    path,
    content,
  })),
})

const told = () => world.hubEvents()

function expectRefused(
  answer: Answer<unknown>,
  status: number,
  text: RegExp | string,
  code?: string,
): void {
  const { error } = answer.body as { error: string }
  expect(error).toMatch(text)
  expect(answer.status).toBe(status)
  expect(answer.headers['x-error-message']).toBe(error)
  expect(answer.headers['x-error-code']).toBe(code)
}

const ids = ({ body }: Answer<unknown>) => (body as { id: string }[]).map(({ id }) => id)

describe('creating', () => {
  test('a repo is created in a resource group of the organization', async () => {
    const { acme } = world.organizations
    const group = { id: 'a'.repeat(24), name: 'speech', members: [] }
    world.state.organizations.put({ ...acme, resourceGroups: [group] })
    const body = { name: 'tiny', organization: 'acme', resourceGroupId: group.id }
    expect((await create(body)).status).toBe(200)
    const info = await alice.get('/api/models/acme/tiny?expand=resourceGroup')
    expect(info.body).toMatchObject({
      resourceGroup: { id: group.id, name: 'speech', numUsers: 0 },
    })
    expect((await create({ ...body, name: 'other' }, bob)).status).toBe(403)
    const unknown = { ...body, name: 'third', resourceGroupId: 'b'.repeat(24) }
    expectRefused(await create(unknown), 404, /Resource group not found/)
  })

  test.each([
    ['a name of two parts', { name: 'acme/tiny' }, /Invalid repo name/],
    ['a name that is too long', { name: 'a'.repeat(97) }, /Invalid repo name/],
    ['an unknown type', { name: 'tiny', type: 'thing' }, /type/],
    [
      'bytes that are not base64',
      { name: 'tiny', files: [{ path: 'x.bin', content: '§§', encoding: 'base64' }] },
      /x\.bin is not base64/,
    ],
    [
      'base64 that ends too early',
      { name: 'tiny', files: [{ path: 'x.bin', content: 'abcde', encoding: 'base64' }] },
      /x\.bin is not base64/,
    ],
    [
      'a license of two lines',
      { name: 'tiny', license: 'mit\npipeline_tag: x' },
      /"license" must be one of \[apache-2\.0, /,
    ],
    ['an empty license', { name: 'tiny', license: '' }, /"license" must be one of/],
    ['a license of another list', { name: 'tiny', license: 'Apache-2.0' }, /"license" must be/],
    [
      'a path below a file',
      {
        name: 'tiny',
        files: [
          { path: 'a', content: '' },
          { path: 'a/b', content: '' },
        ],
      },
      /Path conflict/,
    ],
  ])('%s is refused without a repo or an event', async (_, body, text) => {
    expectRefused(await create(body), 400, text)
    expect([world.state.repos.size, told()]).toEqual([0, []])
  })

  test('a caller without the right is refused, with the reason in the request log', async () => {
    expectRefused(await create({ name: 'tiny' }, as()), 401, /Invalid username or password/)
    const reading = as('alice', { role: 'read' })
    expectRefused(await create({ name: 'tiny' }, reading), 403, /rights to create a model/)
    const toAcme = { name: 'tiny', organization: 'acme', type: 'dataset' }
    const rights = (what: string) => new RegExp(`^You don't have the rights to create a ${what}$`)
    expectRefused(await create(toAcme, carol), 403, rights('dataset under the namespace "acme"'))
    expectRefused(
      await create({ name: 'tiny', organization: 'nobody' }),
      403,
      rights('model under the namespace "nobody"'),
    )
    expect(world.state.repos.size).toBe(0)
    expect(told()).toEqual([])
    expect(world.requests.values().map(({ error, detail }) => [error, detail])).toEqual([
      ['http_401', 'send an access token: Authorization: Bearer hf_…'],
      ['http_403', 'Creating a repo needs a write token: the token  has role read'],
      ['http_403', 'Creating a repo needs the contributor right: carol has no right there'],
      [
        'http_403',
        'Namespace not found: nobody: no user and no organization of the sandbox has this name',
      ],
    ])
  })
})

const commitLine = (key: string, value: object, revision = 'main') =>
  alice.postLines(`/api/models/alice/tiny/commit/${revision}`, [
    { key: 'header', value: { summary: 'Change' } },
    { key, value },
  ])
const commitByHand = (path: string, content: string) =>
  as().post('/_sandbox/api/repos/model/alice/tiny/commits', {
    user: 'alice',
    title: 'Add',
    files: { [path]: content },
  })

describe('the path of a file', () => {
  /** Every way by which a file comes into a repo through the API. */
  const writers: Record<string, (path: string) => Promise<Answer<unknown>>> = {
    'a first commit': (path) => create({ name: 'new', files: [{ path, content: '' }] }),
    'a line of a commit': (path) => commitLine('file', { path, content: '' }),
    'the old path of a moved file': (path) =>
      commitLine('file', { path: 'b', oldPath: path, content: '' }),
    'a large file': (path) => commitLine('lfsFile', { path, oid: 'a'.repeat(64) }),
    'a file that goes': (path) => commitLine('deletedFile', { path }),
    'a folder that goes': (path) => commitLine('deletedFolder', { path }),
    'a commit by hand': (path) => commitByHand(path, ''),
  }

  test.each(Object.entries(writers))('one rule holds for paths: %s', async (_, write) => {
    const repo = given('alice/tiny')
    for (const [path, reason] of [
      ['', 'empty'],
      ['/a', 'absolute'],
      ['a//b', 'empty'],
      ['./a', '"."'],
      ['a/../b', '".."'],
      ['..', '".."'],
      ['..\\b', 'backslash'],
      ['.git/config', '.git'],
      ['a/.GiT', '.git'],
      ['.git /a', '.git'],
      ['a/.git. .', '.git'],
      ['.git::$INDEX_ALLOCATION/a', '.git'],
      ['GIT~1', '.git'],
      ['.g\u200cit/a', '.git'],
      ['\ufeff.git', '.git'],
      ['a\ud800', 'half a character'],
      ['a\u0000b', 'control'],
      ['a\nb', 'control'],
      ['a\u007f', 'control'],
      [`${'é'.repeat(2048)}a`, '4096 bytes'],
    ] as const) {
      const answer = await write(path)
      const { error, message = error } = answer.body as { error: string; message?: string }
      expect([path, answer.status]).toEqual([path, 422])
      expect(message).toMatch(/^Invalid path/)
      expect(message).toContain(reason)
    }
    expect([world.state.repos.size, told()]).toEqual([1, []])
    expect(world.state.repos.get(repo.id)?.refs).toEqual(repo.refs)
  })

  test.each([
    '.gitignore',
    '.git2',
    'a.git',
    'git~2',
    'git',
    '.git-x/a',
    'e\u0301',
    '\ud83d\ude00',
  ])('a path may be %s', async (path) => {
    given('alice/tiny')
    expect((await writers['a line of a commit']?.(path))?.status).toBe(200)
  })

  test.each(['a first commit', 'a line of a commit', 'a commit by hand'])(
    'a path has at most 4,096 bytes: %s',
    async (name) => {
      given('alice/tiny')
      const answer = await writers[name]?.(`${'é'.repeat(2047)}/a`)
      expect(answer?.status).toBeLessThan(300)
    },
  )

  test.each(['a line of a commit', 'a commit by hand'])(
    'a path cannot be that of a folder or lead through a file: %s',
    async (name) => {
      given('alice/tiny', withCard('a: b', { 'a/b': '' }))
      for (const path of ['a', 'a/b/c']) {
        const answer = await writers[name]?.(path)
        expect(answer?.status).toBe(400)
        expect(JSON.stringify(answer?.body)).toContain('Path conflict')
      }
      expect(told()).toEqual([])
    },
  )
})

describe('moving', () => {
  test('a move may change only the letter case of a name', async () => {
    given('alice/tiny')
    expect((await move('alice/tiny', 'alice/Tiny')).status).toBe(200)
    expect((await as().get('/api/models/alice/Tiny')).body).toMatchObject({ id: 'alice/Tiny' })
    const before = await as().get('/api/models/alice/tiny')
    expect(before.headers['location']).toBe('/api/models/alice/Tiny')
  })

  test('only administrators move a repo out of an organization', async () => {
    given('acme/model')
    expectRefused(await move('acme/model', 'bob/model', bob), 403, /admin/)
    expect((await move('acme/model', 'acme/renamed', bob)).status).toBe(200)
    expect(told()).toHaveLength(1)
  })

  test('a conflict has the URL of the other repo, and a move frees the old name', async () => {
    given('alice/tiny')
    given('alice/taken')
    const taken = await alice.post(
      '/api/repos/move',
      { fromRepo: 'alice/tiny', toRepo: 'alice/TAKEN', type: 'model' },
      { host: '127.0.0.1:7420' },
    )
    expectRefused(taken, 409, 'A model repository called alice/taken already exists')
    expect(taken.body).toMatchObject({ url: 'http://127.0.0.1:7420/alice/taken' })
    expectRefused(await alice.post('/api/repos/move', { fromRepo: 'a/b' }), 400, /toRepo/)
    await move('alice/tiny', 'alice/small')
    expect((await create({ name: 'tiny' })).status).toBe(200)
    expect((await as().get('/api/models/alice/tiny')).status).toBe(200)
  })
})

describe('the information of a repo', () => {
  test('repo info has facts of its contents', async () => {
    const card = [
      'license: mit',
      'language: [en, fr]',
      'pipeline_tag: text-classification',
      'library_name: transformers',
      'tags: [tiny]',
      'datasets: acme/corpus',
      'model-index: []',
    ]
    const repo = given('alice/tiny', withCard(card.join('\n')), { likes: 3, downloads: 7 })
    const answer = await as().get<{ usedStorage: number }>('/api/models/alice/tiny')
    expect(answer.body).toMatchObject({
      _id: repo.id,
      id: 'alice/tiny',
      modelId: 'alice/tiny',
      sha: repo.refs['refs/heads/main'],
      lastModified: '2026-01-15T12:00:00.000Z',
      createdAt: '2026-01-15T12:00:00.000Z',
      private: false,
      gated: false,
      disabled: false,
      likes: 3,
      downloads: 7,
      library_name: 'transformers',
      pipeline_tag: 'text-classification',
      'model-index': [],
      tags: [
        'transformers',
        'text-classification',
        'en',
        'fr',
        'tiny',
        'dataset:acme/corpus',
        'license:mit',
        'region:us',
      ],
    })
    const { usedStorage } = answer.body
    expect(usedStorage).toBeGreaterThan(100)
  })

  test('repo info of a revision describes that revision', async () => {
    const repo = given('alice/tiny')
    const first = repo.refs['refs/heads/main']!
    world.clock.advance(60_000)
    const id = world.commit(repo, { 'config.json': '{}' })
    const at = async (revision: string) =>
      (await as().get(`/api/models/alice/tiny/revision/${revision}`)).body
    const now = { sha: id, lastModified: '2026-01-15T12:01:00.000Z' }
    expect(await at(first)).toMatchObject({
      sha: first,
      siblings: [{ rfilename: '.gitattributes' }],
    })
    for (const revision of ['main', 'HEAD', 'refs%2Fheads%2Fmain', id]) {
      expect(await at(revision)).toMatchObject(now)
    }
    const missing = await as().get('/api/models/alice/tiny/revision/none')
    expectRefused(missing, 404, /none/, 'RevisionNotFound')
  })

  test('repo info ignores invalid cards', async () => {
    for (const card of ['- a list', 'a: [', '__proto__: {a: b}\ntags: {a: 1}', '&a [*a]', '7']) {
      given(`alice/odd-${world.state.repos.size}`, withCard(card))
    }
    const answer = await as().get<{ tags: string[] }[]>('/api/models?full=true&cardData=true')
    expect(answer.status).toBe(200)
    const tags = answer.body.map((repo) => repo.tags.join())
    expect(tags).toEqual(Array.from({ length: 5 }, () => 'region:us'))
  })

  test('repo info of a name without namespace or a disabled repo is refused', async () => {
    for (const url of ['/api/models/gpt2', '/api/models/gpt2/revision/main', '/api/datasets/x']) {
      expectRefused(await alice.get(url), 404, 'Repository not found', 'RepoNotFound')
      expectRefused(await as().get(url), 401, 'Invalid username or password.', 'RepoNotFound')
    }
    given('alice/tiny', {}, { disabled: true })
    expectRefused(
      await as().get('/api/models/alice/tiny'),
      403,
      'Access to this resource is disabled.',
    )
  })

  test('repo names are distinguished from words of URLs', async () => {
    given('alice/revision')
    given('alice/settings', { type: 'space', sdk: 'static' })
    expect((await as().get('/api/models/alice/revision')).status).toBe(200)
    expect((await as().get('/api/spaces/alice/settings')).status).toBe(200)
    expect((await as().get('/api/models/alice/__proto__')).status).toBe(401)
  })
})

describe('the list of repos', () => {
  beforeEach(() => {
    given('alice/one', withCard('license: mit\npipeline_tag: summarization'), { likes: 1 })
    given('alice/two', withCard('license: mit\ntags: [big]'), { likes: 5, gated: 'auto' })
    given('acme/three', {}, { likes: 3 })
    given('acme/secret', { visibility: 'private' }, { likes: 9 })
    given('acme/corpus', { type: 'dataset' })
  })

  test.each([
    ['author=ALICE', ['alice/two', 'alice/one']],
    ['author=nobody', []],
    ['search=T', ['alice/two', 'acme/three']],
    ['search=t&search=acme', ['acme/three']],
    ['search=THREE%20acme', ['acme/three']],
    ['search=%20', ['alice/two', 'acme/three', 'alice/one']],
    ['filter=license:mit', ['alice/two', 'alice/one']],
    ['filter=license:mit&filter=big', ['alice/two']],
    ['filter=license:mit,big', ['alice/two']],
    ['pipeline_tag=summarization', ['alice/one']],
    ['gated=true', ['alice/two']],
    ['gated=false', ['acme/three', 'alice/one']],
    ['sort=id', ['acme/three', 'alice/one', 'alice/two']],
    ['sort=likes&direction=-1&limit=1', ['alice/two']],
    ['sort=mainSize&limit=1', ['alice/one']],
  ])('the list is filtered and sorted by %s', async (query, expected) => {
    expect(ids(await as().get(`/api/models?${query}`))).toEqual(expected)
  })

  test.each<[string, string[]]>([
    ['filter=dataset:acme/corpus', ['acme/keras']],
    ['trained_dataset=acme/corpus', ['acme/keras']],
    ['trained_dataset=dataset:acme/corpus', ['acme/keras']],
    ['library=keras', ['acme/keras']],
    ['language=nl&language=fy', ['acme/keras']],
    ['library=keras&language=de', []],
  ])('the list is filtered by derived tags: %s', async (query, expected) => {
    const card = 'language: [nl, fy]\nlibrary_name: keras\ndatasets: [acme/corpus]'
    given('acme/keras', withCard(card))
    expect(ids(await as().get(`/api/models?${query}`))).toEqual(expected)
  })

  test.each([
    'apps=ollama',
    'apps=ollama,vllm',
    'inference=warm',
    'inference_provider=all',
    'inference_provider=fal-ai&inference_provider=groq',
    'num_parameters=min:6B,max:128B',
  ])('the list has no model without %s', async (query) => {
    expect(ids(await as().get(`/api/models?${query}`))).toEqual([])
    // They are words of models alone.
    expect(ids(await as().get(`/api/datasets?${query}`))).toEqual(['acme/corpus'])
  })

  test.each([
    ['language=nl', ['acme/dutch']],
    ['filter=language:nl&filter=size_categories:n%3C1K', ['acme/dutch']],
    ['filter=benchmark:official', []],
  ])('datasets are filtered by %s', async (query, expected) => {
    given('acme/dutch', { type: 'dataset', ...withCard('language: nl\nsize_categories: [n<1K]') })
    expect(ids(await as().get(`/api/datasets?${query}`))).toEqual(expected)
  })

  test.each([
    ['linked=true', ['acme/both', 'acme/one']],
    ['linked=false', ['acme/both', 'acme/none', 'acme/one']],
    ['models=ALICE/two', ['acme/both', 'acme/one']],
    ['models=alice/two&models=alice/one', ['acme/both']],
    ['models=alice/one,alice/two&datasets=acme/corpus', ['acme/both']],
    ['datasets=acme/none', []],
  ])('Spaces are filtered by %s', async (query, expected) => {
    const space = (name: string, card: string) =>
      given(name, { type: 'space', sdk: 'gradio', ...withCard(`sdk: gradio\n${card}`) })
    space('acme/both', 'models: [alice/one, alice/two]\ndatasets: acme/corpus')
    space('acme/one', 'models: alice/two')
    space('acme/none', 'models: []')
    expect(ids(await as().get(`/api/spaces?sort=id&${query}`))).toEqual(expected)
  })

  test('pages stay complete while repos come and go', async () => {
    const query = '/api/models?sort=likes&limit=1&filter=region:us'
    const pages = await readPages(bob, query, {
      headers: { host: '127.0.0.1:7420' },
      meanwhile: async (count) => {
        if (count === 1) given('alice/late', {}, { likes: 99 })
        // The one that the cursor names may be gone.
        if (count === 2) await remove({ name: 'two' })
      },
    })
    const seen = ['acme/secret', 'alice/two', 'acme/three', 'alice/one']
    expect(pages.flatMap(ids)).toEqual(seen)
    const links = pages.map(({ headers }) => headers['link'])
    const isWhole = /^<http:\/\/127\.0\.0\.1:7420\/.*filter=region%3Aus/
    expect(links.map((link) => isWhole.test(String(link)))).toEqual([true, true, true, false])
    expect(links.at(-1)).toBeUndefined()
  })
})

describe('auth-check', () => {
  test('the right to download includes gated access', async () => {
    const repo = given('acme/tiny', {}, { gated: 'manual' })
    const check = () => carol.get('/api/models/acme/tiny/auth-check')
    expectRefused(await check(), 403, /not in the authorized list/, 'GatedRepo')
    expect((await carol.get('/api/models/acme/tiny')).status).toBe(200)
    const { id: userId } = world.users.carol
    const accessRequests = [{ userId, status: 'accepted' as const, at: world.clock.now() }]
    world.state.repos.put({ ...repo, accessRequests })
    expect((await check()).body).toEqual({})
  })
})

describe('a duplicate', () => {
  const duplicate = (payload: object, user = alice, name = 'acme/tiny') =>
    user.post(`/api/models/${name}/duplicate`, payload)

  test('a duplicate with an invalid name or without read access is refused', async () => {
    given('acme/tiny')
    given('acme/gated', {}, { gated: 'auto' })
    expectRefused(await duplicate({ repository: 'nobody/x' }), 404, /Namespace not found/)
    expectRefused(await duplicate({ repository: 'x' }), 404, /Namespace not found/)
    expectRefused(await duplicate({ repository: 'alice/' }), 400, /Invalid repo name/)
    expectRefused(await duplicate({}), 400, /repository/)
    const gated = await duplicate({ repository: 'carol/x' }, carol, 'acme/gated')
    expectRefused(gated, 403, /restricted/, 'GatedRepo')
    expect(told()).toEqual([])
  })

  test('a duplicate goes into a resource group of its namespace', async () => {
    const group = { id: 'a'.repeat(24), name: 'speech', members: [] }
    world.state.organizations.put({ ...world.organizations.acme, resourceGroups: [group] })
    given('alice/tiny')
    const to = (repository: string, resourceGroupId: string | null) =>
      duplicate({ repository, resourceGroupId }, alice, 'alice/tiny')
    expect((await to('acme/copy', group.id)).status).toBe(200)
    const info = await alice.get('/api/models/acme/copy?expand=resourceGroup')
    expect(info.body).toMatchObject({ resourceGroup: { id: group.id, name: 'speech' } })
    expectRefused(await to('acme/other', 'b'.repeat(24)), 404, /Resource group not found/)
    expectRefused(await to('alice/other', group.id), 404, /Resource group not found/)
    expect((await to('alice/other', null)).status).toBe(200)
    expect(told()).toHaveLength(2)
  })

  test('a duplicate under a taken name is refused with its URL', async () => {
    given('alice/tiny')
    given('alice/copy')
    const answer = await duplicate({ repository: 'alice/COPY' }, alice, 'alice/tiny')
    expectRefused(answer, 409, /already exists/)
    expect(answer.body).toMatchObject({ url: expect.stringMatching(/^http:.*\/alice\/copy$/) })
  })
})

test('a repo with a name like a git folder is found at all its URLs', async () => {
  given('alice/x.GIT')
  given('alice/x')
  expect((await as().get('/api/models/alice/x.GIT')).body).toMatchObject({ id: 'alice/x.GIT' })
  const { headers } = await as().get('/alice/x.GIT/raw/main/.gitattributes')
  const { sha } = (await as().get<{ sha: string }>('/api/models/alice/x.GIT')).body
  expect(headers['x-repo-commit']).toBe(sha)
})

test('bodies of some megabytes are read', async () => {
  const content = 'x'.repeat(3 * 1024 * 1024)
  expect((await create({ name: 'tiny', files: [{ path: 'a', content }] })).status).toBe(200)
  const paths = Array.from({ length: 1000 }, (_, n) => `${'x'.repeat(4000)}${n}`)
  const found = await alice.post('/api/models/alice/tiny/paths-info/main', { paths })
  expect([found.status, found.body]).toEqual([200, []])
  const check = (readme: string) => alice.post('/api/validate-yaml', { content: readme })
  expect((await check(content.slice(0, 1_000_000))).status).toBe(200)
  expect((await check(content)).status).toBe(413)
})

describe('the repos of an account', () => {
  const own = '/api/settings/repositories'

  test('repos that an app may not see are left out', async () => {
    given('alice/tiny')
    given('alice/secret', { visibility: 'private' })
    const client = createOAuthClient(world)
    const seen = async (scope: string) => {
      const { access_token: token } = await client.signInTo(world.apps.public, 'alice', scope)
      return callerWith(world, token).get(own)
    }
    expect(ids(await seen('openid read-repos')).toSorted()).toEqual(['alice/secret', 'alice/tiny'])
    expect((await seen('openid')).status).toBe(403)
  })

  test('repos are listed by storage or by change, in part and by kind', async () => {
    const ofSize = (size: number) => withCard('license: mit', { a: 'x'.repeat(size) })
    given('alice/small', ofSize(1))
    world.clock.advance(1000)
    given('alice/large', ofSize(5000))
    world.clock.advance(1000)
    given('alice/corpus', { type: 'dataset', ...ofSize(2000) })
    const listed = async (query: string) => ids(await alice.get(`${own}${query}`))
    expect(await listed('')).toEqual(['alice/large', 'alice/corpus', 'alice/small'])
    expect(await listed('?direction=asc&limit=2')).toEqual(['alice/small', 'alice/corpus'])
    expect(await listed('?sort=updatedAt')).toEqual(['alice/corpus', 'alice/large', 'alice/small'])
    expect(await listed('?sort=updatedAt&direction=asc&search=L')).toEqual([
      'alice/small',
      'alice/large',
      'alice/corpus',
    ])
    expect(await listed('?search=LAR')).toEqual(['alice/large'])
    expect(await listed('?type=dataset')).toEqual(['alice/corpus'])
    expect(await listed('?type=kernel')).toEqual([])
    for (const query of ['sort=name', 'type=paper', 'direction=up', 'limit=0']) {
      expect((await alice.get(`${own}?${query}`)).status).toBe(400)
    }
  })
})

test('tags of public repos are listed by their type', async () => {
  const card =
    'license: mit\npipeline_tag: summarization\nlanguage: nl\nlibrary_name: keras\ntags: [__proto__, nl]'
  given('alice/tiny', withCard(card))
  given('alice/secret', { visibility: 'private', license: 'gpl' })
  given('alice/corpus', { type: 'dataset', license: 'cc0-1.0' })
  const models = (await as().get<Record<string, object[]>>('/api/models-tags-by-type')).body
  expect(models).toMatchObject({
    license: [{ id: 'license:mit', label: 'mit', type: 'license' }],
    region: [{ id: 'region:us', label: 'us', type: 'region' }],
    pipeline_tag: [{ id: 'summarization', label: 'summarization', type: 'pipeline_tag' }],
    language: [{ id: 'nl', label: 'nl', type: 'language' }],
    library: [{ id: 'keras', label: 'keras', type: 'library' }],
  })
  expect(models['other']).toContainEqual({ id: '__proto__', label: '__proto__', type: 'other' })
  const datasets = (await as().get<Record<string, object[]>>('/api/datasets-tags-by-type')).body
  expect(datasets['license']).toEqual([
    { id: 'license:cc0-1.0', label: 'cc0-1.0', type: 'license' },
  ])
  const only = await as().get<object>('/api/datasets-tags-by-type?type=license')
  expect(Object.keys(only.body)).toEqual(['license'])
  expect((await as().get('/api/datasets-tags-by-type?type=pipeline_tag')).status).toBe(400)
  expect((await as().get('/api/models-tags-by-type?type=task_categories')).status).toBe(400)
})
