import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { type Sandbox, startSandbox } from '../../server/index.ts'
import { limitRounds } from '../helpers/limit-rounds.ts'

let sandbox: Sandbox
beforeAll(async () => {
  sandbox = await startSandbox()
}, 30_000)
afterEach(() => sandbox.reset())
afterAll(() => sandbox.close())

interface Ask {
  body?: unknown
  /** `''`: nobody. */
  token?: string
  host?: string
}

async function call(method: string, path: string, { body, token, host }: Ask = {}) {
  const bearer = token ?? 'hf_sandbox_alice'
  const root = new URL(sandbox.url)
  if (host !== undefined) root.hostname = host
  const response = await fetch(new URL(path, root), {
    method,
    redirect: 'manual',
    headers: {
      ...(bearer !== '' && { Authorization: `Bearer ${bearer}` }),
      ...(body !== undefined && { 'Content-Type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  const { status, headers } = response
  const isJson = headers.get('content-type')?.startsWith('application/json') === true
  return { status, headers, text, body: isJson ? JSON.parse(text) : undefined }
}
const get = (path: string, ask?: Ask) => call('GET', path, ask)
const create = (body: object, ask: Ask = {}) => call('POST', '/api/repos/create', { body, ...ask })
const namesOf = (answer: { body: { id: string }[] }) => answer.body.map(({ id }) => id)

/** An OAuth token of alice with these scopes, of an app of its own. */
async function tokenWith(scope: string): Promise<string> {
  const app = { name: 'Narrow', scopes: scope.split(' '), redirectUris: ['http://localhost/'] }
  const { clientId } = await sandbox.control<{ clientId: string }>('POST', 'apps', app)
  const asked = { user: 'alice', clientId, scope, organizations: ['acme'] }
  const { access_token: token } = await sandbox.control<{ access_token: string }>(
    'POST',
    'tokens',
    asked,
  )
  return token
}

/** The events of the hub that an act causes, as `scope action repo`. */
async function eventsOf(act: () => Promise<unknown>): Promise<string[]> {
  interface Fact {
    id: number
    type: string
    data: { scope: string; action: string; repo: { name: string } }
  }
  const list = async () => {
    const { items } = await sandbox.control<{ items: Fact[] }>('GET', 'facts?limit=500')
    return items.filter(({ type }) => type === 'hub.event')
  }
  const before = (await list()).length
  await act()
  const all = await list()
  return all
    .slice(0, all.length - before)
    .toReversed()
    .map(({ data: { scope, action, repo } }) => `${scope} ${action} ${repo.name}`)
}

describe('POST /api/repos/create', () => {
  test('a user creates a repo with a first commit', async () => {
    const created = await create({ name: 'tiny', type: 'dataset', license: 'mit', private: true })
    expect(created).toMatchObject({
      status: 200,
      body: {
        url: `${sandbox.url}/datasets/alice/tiny`,
        name: 'alice/tiny',
        id: expect.stringMatching(/^[0-9a-f]{24}$/),
      },
    })
    const { body } = await get('/api/datasets/alice/tiny')
    expect(body).toMatchObject({
      _id: created.body.id,
      id: 'alice/tiny',
      author: 'alice',
      private: true,
      sha: expect.stringMatching(/^[0-9a-f]{40}$/),
      cardData: { license: 'mit' },
      tags: ['license:mit', 'region:us'],
      siblings: [{ rfilename: '.gitattributes' }, { rfilename: 'README.md' }],
    })
    const { items } = await sandbox.control<{ items: object[] }>(
      'GET',
      'repos/dataset/alice/tiny/commits',
    )
    expect(items).toMatchObject([{ author: 'alice', title: 'initial commit' }])
  })

  test('a repo may belong to an organization, have variables and files', async () => {
    const files = [
      { path: 'app.py', content: 'print(1)\n', encoding: 'utf-8' },
      { path: 'data/x.txt', content: Buffer.from('x').toString('base64'), encoding: 'base64' },
    ]
    const variables = [{ key: 'MODE', value: 'fast' }]
    const space = { name: 'demo', organization: 'acme', type: 'space', sdk: 'gradio' }
    const made = await create({ ...space, files, variables })
    expect(made.body).toMatchObject({ name: 'acme/demo', url: `${sandbox.url}/spaces/acme/demo` })
    const { body } = await get('/api/spaces/acme/demo?blobs=true')
    expect(body).toMatchObject({
      sdk: 'gradio',
      subdomain: 'acme-demo',
      runtime: { stage: 'RUNNING', hardware: { current: 'cpu-basic', requested: 'cpu-basic' } },
      // As `git hash-object` has it.
      siblings: expect.arrayContaining([
        { rfilename: 'data/x.txt', blobId: 'c1b0730e0133447badcfd47fd144e254807b06e1', size: 1 },
      ]),
    })
  })

  test('a new repo has the default visibility of its organization', async () => {
    await sandbox.control('PATCH', 'organizations/acme', { defaultVisibility: 'private' })
    const isPrivate = async (body: {
      name: string
      organization?: string
      private?: boolean
      visibility?: string
    }) => {
      await create(body)
      const { organization = 'alice', name } = body
      return (await get(`/api/models/${organization}/${name}?expand=private`)).body.private
    }
    const acme = { organization: 'acme' }
    expect(await isPrivate({ name: 'one', ...acme })).toBe(true)
    expect(await isPrivate({ name: 'two', ...acme, private: false })).toBe(false)
    expect(await isPrivate({ name: 'three', ...acme, visibility: 'public' })).toBe(false)
    expect(await isPrivate({ name: 'four' })).toBe(false)
    const { organizations = [] } = await sandbox.export()
    expect(organizations.find(({ name }) => name === 'acme')?.defaultVisibility).toBe('private')
  })

  test('the creation emits one event', async () => {
    expect(await eventsOf(() => create({ name: 'tiny' }))).toEqual(['repo create alice/tiny'])
  })

  test.each<[string, object, Ask, number, RegExp]>([
    ['nobody', { name: 'x' }, { token: '' }, 401, /Invalid username or password/],
    ['a token that is none', { name: 'x' }, { token: 'hf_nothing' }, 401, /Invalid credentials/],
    ['another’s namespace', { name: 'x', organization: 'bob' }, {}, 403, /the namespace "bob"/],
    ['no namespace', { name: 'x', organization: 'nowhere' }, {}, 403, /the namespace "nowhere"/],
    ['a name that is none', { name: '../x' }, {}, 400, /Invalid repo name/],
    ['a Space without sdk', { name: 'x', type: 'space' }, {}, 400, /needs an sdk/],
    ['a protected model', { name: 'x', visibility: 'protected' }, {}, 400, /Only Spaces/],
    [
      'a type that is not emulated',
      { name: 'x', type: 'kernel' },
      {},
      501,
      /^Kernels are not emulated/,
    ],
    [
      'a file outside',
      { name: 'x', files: [{ path: '../y', content: '' }] },
      {},
      422,
      /Invalid path/,
    ],
    ['no name', {}, {}, 400, /name/],
  ])('%s is refused, and nothing is kept', async (_what, body, ask, status, text) => {
    const before = await get('/api/models?limit=1000')
    const events = await eventsOf(async () => {
      const refused = await create(body, ask)
      expect(refused).toMatchObject({ status, body: { error: expect.stringMatching(text) } })
      expect(refused.headers.get('x-error-message')).toBe(refused.body.error)
    })
    expect(events).toEqual([])
    expect((await get('/api/models?limit=1000')).body).toEqual(before.body)
  })

  test('a taken name is refused in any letter case, with its URL', async () => {
    await create({ name: 'tiny' })
    const again = await create({ name: 'TINY' }, { host: '127.0.0.1' })
    expect(again).toMatchObject({
      status: 409,
      body: {
        error: 'You already created this model repo',
        url: `${sandbox.url.replace('localhost', '127.0.0.1')}/alice/tiny`,
      },
    })
  })

  test('creating needs its scope, and an app may use the repos it created', async () => {
    const read = await create({ name: 'x' }, { token: await tokenWith('read-repos') })
    expect(read.status).toBe(403)
    expect(read.headers.get('www-authenticate')).toContain('scope="contribute-repos"')
    const token = await tokenWith('contribute-repos')
    expect((await create({ name: 'x', private: true }, { token })).status).toBe(200)
    expect((await get('/api/models/alice/x', { token })).status).toBe(200)
    expect((await get('/api/models/alice/draft-summarizer', { token })).status).toBe(404)
  })
})

describe('GET of a repo', () => {
  test('a repo is found at any revision', async () => {
    const { body } = await get('/api/datasets/acme/corpus/revision/main')
    expect(body.id).toBe('acme/corpus')
    expect((await get(`/api/datasets/acme/corpus/revision/${body.sha}`)).body).toEqual(body)
    expect(await get('/api/datasets/acme/corpus/revision/nowhere')).toMatchObject({
      status: 404,
      body: { error: 'Invalid rev id: nowhere' },
    })
  })

  test('expand returns the requested fields in every spelling', async () => {
    const { body } = await get('/api/models/alice/tiny-sentiment?expand=private')
    expect(body).toEqual({ _id: expect.any(String), id: 'alice/tiny-sentiment', private: false })
    const two = await get('/api/models/alice/tiny-sentiment?expand[]=likes&expand[]=sha')
    expect(Object.keys(two.body)).toEqual(['_id', 'id', 'likes', 'sha'])
    const card = '---\npipeline_tag: feature-extraction\n---\n'
    await create({ name: 'embedder', files: [{ path: 'README.md', content: card }] })
    const providers = async (name: string) =>
      (await get(`/api/models/alice/${name}?expand[]=inferenceProviderMapping`)).body
        .inferenceProviderMapping
    const embeds = { status: 'live', providerId: 'alice/embedder', task: 'feature-extraction' }
    expect(await providers('embedder')).toEqual({ 'hf-inference': embeds })
    expect(await providers('tiny-sentiment')).toBeUndefined()
    const unknown = await get('/api/models/alice/tiny-sentiment?expand=constructor')
    expect(unknown).toMatchObject({
      status: 400,
      body: { error: expect.stringMatching(/^"expand" must be one of \[author, baseModels, /) },
    })
  })

  test.each<[string, string, Ask, number, string | null]>([
    ['what is not there', '/api/models/alice/nothing', {}, 404, 'RepoNotFound'],
    ['what is not there, from nobody', '/api/models/a/b', { token: '' }, 401, 'RepoNotFound'],
    ['what has no namespace', '/api/models/gpt2', {}, 404, 'RepoNotFound'],
    ['what has no namespace, from nobody', '/api/models/gpt2', { token: '' }, 401, 'RepoNotFound'],
    [
      'a private one, from nobody',
      '/api/models/alice/draft-summarizer',
      { token: '' },
      401,
      'RepoNotFound',
    ],
    [
      'a private one, from another',
      '/api/models/alice/draft-summarizer',
      { token: 'hf_sandbox_bob' },
      404,
      'RepoNotFound',
    ],
  ])('hides %s', async (_what, path, ask, status, code) => {
    const hidden = await get(path, ask)
    expect(hidden.status).toBe(status)
    expect(hidden.headers.get('x-error-code')).toBe(code)
    const text = status === 401 ? 'Invalid username or password.' : 'Repository not found'
    expect(hidden.body).toEqual({ error: text })
  })

  test('a name of the prototype and an unknown type are not found', async () => {
    expect((await get('/api/models/constructor/toString')).status).toBe(404)
    expect((await get('/api/kernels/alice/x')).status).toBe(501)
  })
})

describe('POST /api/repos/move', () => {
  const move = (body: object, ask: Ask = {}) => call('POST', '/api/repos/move', { body, ...ask })

  test('a move emits one event, and the old name redirects', async () => {
    await create({ name: 'tiny', type: 'dataset' })
    const events = await eventsOf(async () => {
      const moved = await move({ fromRepo: 'alice/tiny', toRepo: 'acme/small', type: 'dataset' })
      expect(moved.status).toBe(200)
    })
    expect(events).toEqual(['repo move alice/tiny'])
    const old = await get('/api/datasets/Alice/tiny/revision/main?expand=sha&expand=likes')
    expect(old.status).toBe(307)
    const location = '/api/datasets/acme/small/revision/main?expand=sha&expand=likes'
    expect(old.headers.get('location')).toBe(location)
    expect(old.text).toBe(`Temporary Redirect. Redirecting to ${location}`)
    expect(old.headers.get('content-type')).toBe('text/plain; charset=utf-8')
    expect((await get(location)).body.id).toBe('acme/small')
    const put = { body: { private: true } }
    expect((await call('PUT', '/api/datasets/alice/tiny/settings', put)).status).toBe(307)
    // Who may not see it learns its new name no more than its old one.
    await call('PUT', '/api/datasets/acme/small/settings', put)
    const stranger = await get('/api/datasets/alice/tiny', { token: 'hf_sandbox_dave' })
    expect(stranger.status).toBe(404)
  })

  test.each<[string, object, Ask, number, RegExp]>([
    [
      'a name that is taken',
      { toRepo: 'acme/corpus' },
      {},
      409,
      /called acme\/corpus already exists/,
    ],
    ['to another’s namespace', { toRepo: 'bob/tiny' }, {}, 403, /needs the contributor right/],
    ['to nowhere', { toRepo: 'nowhere/tiny' }, {}, 404, /Namespace not found/],
    ['to a name that is none', { toRepo: 'alice/a--b' }, {}, 400, /Invalid repo name/],
    ['what is not there', { fromRepo: 'alice/none', toRepo: 'alice/x' }, {}, 404, /not found/],
    ['by nobody', { toRepo: 'alice/x' }, { token: '' }, 401, /Invalid username/],
    ['by another', { toRepo: 'bob/x' }, { token: 'hf_sandbox_dave' }, 403, /needs the/],
  ])('refuses %s', async (_what, change, ask, status, text) => {
    await create({ name: 'tiny', type: 'dataset' })
    const events = await eventsOf(async () => {
      const body = { fromRepo: 'alice/tiny', type: 'dataset', ...change }
      const refused = await move(body, ask)
      expect(refused).toMatchObject({ status, body: { error: expect.stringMatching(text) } })
    })
    expect(events).toEqual([])
  })

  test('an old name in a body is not found', async () => {
    await create({ name: 'tiny' })
    await move({ fromRepo: 'alice/tiny', toRepo: 'alice/small' })
    const again = await move({ fromRepo: 'alice/tiny', toRepo: 'alice/other' })
    expect(again.status).toBe(404)
    const gone = await call('DELETE', '/api/repos/delete', { body: { name: 'tiny' } })
    expect(gone.status).toBe(404)
    expect((await get('/api/models/alice/small')).status).toBe(200)
  })
})

describe('DELETE /api/repos/delete', () => {
  const remove = (body: object, ask: Ask = {}) =>
    call('DELETE', '/api/repos/delete', { body, ...ask })

  test('a deletion emits one event', async () => {
    await create({ name: 'tiny', organization: 'acme' })
    const events = await eventsOf(async () => {
      const gone = await remove({ name: 'tiny', organization: 'acme' })
      expect(gone).toMatchObject({ status: 200, text: 'OK' })
      expect(gone.headers.get('content-type')).toBe('text/plain; charset=utf-8')
    })
    expect(events).toEqual(['repo delete acme/tiny'])
    expect((await get('/api/models/acme/tiny')).status).toBe(404)
  })

  test.each<[string, object, Ask, number]>([
    ['what is not there', { name: 'nothing' }, {}, 404],
    [
      'another’s',
      { name: 'corpus', organization: 'acme', type: 'dataset' },
      { token: 'hf_sandbox_dave' },
      403,
    ],
    ['by nobody', { name: 'tiny-sentiment' }, { token: '' }, 401],
  ])('refuses %s', async (_what, body, ask, status) => {
    expect(
      await eventsOf(async () => expect((await remove(body, ask)).status).toBe(status)),
    ).toEqual([])
  })

  test('an app with write access only may not delete', async () => {
    const token = await tokenWith('write-repos')
    expect((await remove({ name: 'tiny-sentiment' }, { token })).status).toBe(403)
  })
})

describe('PUT settings', () => {
  const path = '/api/models/alice/tiny-sentiment/settings'
  const put = (body: object, ask: Ask = {}) => call('PUT', path, { body, ...ask })

  test('visibility and gating are changed with events', async () => {
    const events = await eventsOf(async () => {
      expect((await put({ gated: 'manual', visibility: 'private' })).status).toBe(200)
    })
    expect(events).toEqual(['repo.config update alice/tiny-sentiment'])
    expect(
      (await get('/api/models/alice/tiny-sentiment?expand=gated&expand=private')).body,
    ).toEqual({
      _id: expect.any(String),
      id: 'alice/tiny-sentiment',
      gated: 'manual',
      private: true,
    })
    expect(await eventsOf(() => put({ private: true }))).toEqual([])
    await put({ private: false, gated: false })
    expect((await get('/api/models/alice/tiny-sentiment')).body).toMatchObject({ gated: false })
  })

  test.each<[string, object, Ask, number]>([
    ['a protected model', { visibility: 'protected' }, {}, 400],
    ['a gate that is none', { gated: true }, {}, 400],
    ['another', { private: true }, { token: 'hf_sandbox_bob' }, 403],
    ['nobody', { private: true }, { token: '' }, 401],
  ])('refuses %s', async (_what, body, ask, status) => {
    expect((await put(body, ask)).status).toBe(status)
  })
})

describe('POST duplicate', () => {
  test('a duplicate has the contents that its creator may read', async () => {
    const path = '/api/datasets/acme/corpus/duplicate'
    const body = { repository: 'alice/copy', visibility: 'private' }
    const events = await eventsOf(async () => {
      const made = await call('POST', path, { body })
      expect(made).toMatchObject({
        status: 200,
        body: { url: `${sandbox.url}/datasets/alice/copy` },
      })
    })
    expect(events).toEqual(['repo create alice/copy'])
    const [copy, source] = [
      await get('/api/datasets/alice/copy?blobs=true'),
      await get('/api/datasets/acme/corpus?blobs=true'),
    ]
    expect(copy.body).toMatchObject({ private: true, siblings: source.body.siblings })
    expect((await call('POST', path, { body })).status).toBe(409)
    const elsewhere = { body: { repository: 'bob/copy' } }
    expect((await call('POST', path, elsewhere)).status).toBe(403)
    expect((await call('POST', path, { ...elsewhere, token: '' })).status).toBe(401)
  })
})

describe('lists', () => {
  test('lists have the visible repos, sorted, in pages without a gap', async () => {
    const mine = await get('/api/models')
    const anybodys = await get('/api/models', { token: '' })
    expect(namesOf(mine)).toContain('alice/draft-summarizer')
    expect(namesOf(anybodys)).not.toContain('alice/draft-summarizer')
    const likes = mine.body.map((repo: { likes: number }) => repo.likes)
    expect(likes).toEqual(likes.toSorted((a: number, b: number) => b - a))

    const seen: string[] = []
    const pages: (string | undefined)[] = []
    let next: string | undefined = '/api/models?limit=2&sort=id'
    const round = limitRounds()
    while (next !== undefined) {
      round()
      const page = await get(next)
      expect(page.body.length).toBeLessThanOrEqual(2)
      seen.push(...namesOf(page))
      const [, url] = /^<(http:[^>]+)>; rel="next"$/.exec(page.headers.get('link') ?? '') ?? []
      pages.push(url)
      next = url
    }
    const begin = `${sandbox.url}/api/models?limit=2&sort=id&cursor=`
    expect(pages.filter((url) => url?.startsWith(begin))).toHaveLength(pages.length - 1)
    expect(seen).toEqual(namesOf(mine).toSorted())
  })

  test.each<[string, (name: string) => boolean]>([
    ['author=ACME', (name) => name.startsWith('acme/')],
    ['search=tiny&search=SENT', (name) => name === 'alice/tiny-sentiment'],
    ['gated=true', (name) => name === 'acme/speech-large'],
  ])('filter by %s', async (query, fits) => {
    const all = namesOf(await get('/api/models'))
    const names = namesOf(await get(`/api/models?${query}`))
    expect(names.toSorted()).toEqual(all.filter(fits).toSorted())
    expect(names).not.toEqual([])
  })

  test('lists are filtered by fields of the card and return the requested fields', async () => {
    await create({ name: 'one', license: 'wtfpl' })
    expect(namesOf(await get('/api/models?filter=license:wtfpl'))).toEqual(['alice/one'])
    expect(namesOf(await get('/api/models?filter=license:wtfpl,region:us'))).toEqual(['alice/one'])
    expect(namesOf(await get('/api/models?filter=license:wtfpl&filter=nothing'))).toEqual([])
    const { body } = await get('/api/models?author=alice&search=one&expand=cardData')
    expect(body).toEqual([
      { _id: expect.any(String), id: 'alice/one', cardData: { license: 'wtfpl' } },
    ])
    const full = await get('/api/models?search=one&full=true&cardData=true')
    expect(full.body[0]).toMatchObject({ sha: expect.any(String), cardData: { license: 'wtfpl' } })
  })

  test.each(['limit=0', 'limit=x', 'sort=constructor', 'expand=nothing', 'gated=perhaps'])(
    'refuse ?%s',
    async (query) => {
      expect((await get(`/api/models?${query}`)).status).toBe(400)
    },
  )

  test('an unknown cursor begins at the first page', async () => {
    expect(namesOf(await get('/api/models?cursor=nonsense'))).toEqual(
      namesOf(await get('/api/models')),
    )
  })

  test('own repos have their storage size', async () => {
    const { body } = await get('/api/settings/repositories')
    expect(body).toContainEqual({
      id: 'alice/draft-summarizer',
      type: 'model',
      updatedAt: expect.stringMatching(/Z$/),
      visibility: 'private',
      storage: expect.any(Number),
      storagePercent: expect.any(Number),
    })
    const sum = body.reduce(
      (all: number, one: { storagePercent: number }) => all + one.storagePercent,
      0,
    )
    expect(sum).toBeCloseTo(100)
    expect((await get('/api/settings/repositories', { token: '' })).status).toBe(401)
    const theirs = await get('/api/organizations/acme/settings/repositories')
    expect(theirs.body.map(({ id }: { id: string }) => id)).toContain('acme/corpus')
    const stranger = await get('/api/organizations/acme/settings/repositories', {
      token: 'hf_sandbox_dave',
    })
    expect(stranger.status).toBe(403)
    for (const name of ['none', 'alice']) {
      expect((await get(`/api/organizations/${name}/settings/repositories`)).status).toBe(404)
    }
    const app = { token: await tokenWith('profile') }
    const unread = await get('/api/organizations/acme/settings/repositories', app)
    expect([unread.status, unread.body.error]).toEqual([
      403,
      'Listing repos with their storage needs the scope read-repos (or write-repos, manage-repos)',
    ])
  })

  test('tags of public repos are listed by type', async () => {
    await create({ name: 'secret', license: 'unlicense', private: true })
    const { body } = await get('/api/models-tags-by-type', { token: '' })
    expect(body.license).toContainEqual({ id: 'license:mit', label: 'mit', type: 'license' })
    expect(JSON.stringify(body)).not.toContain('unlicense')
  })
})

describe('auth-check', () => {
  const check = async (path: string, token: string) => {
    const { status, headers } = await get(path, { token })
    return [status, headers.get('x-error-code')]
  }

  test('read access includes the gate', async () => {
    const path = '/api/models/acme/speech-large/auth-check'
    expect(await check(path, 'hf_sandbox_alice')).toEqual([200, null])
    expect(await check(path, 'hf_sandbox_dave')).toEqual([403, 'GatedRepo'])
    expect(await check(path, '')).toEqual([401, 'GatedRepo'])
  })

  test('write access is checked', async () => {
    const path = '/api/models/alice/tiny-sentiment/auth-check/write'
    expect(await check(path, 'hf_sandbox_alice')).toEqual([200, null])
    expect(await check(path, 'hf_sandbox_bob')).toEqual([403, null])
    expect(await check(path, '')).toEqual([401, null])
  })
})
