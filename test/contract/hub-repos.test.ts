import { describe, expect, test } from 'vitest'
import type { FixturesFile } from '../../server/contract/fixtures-types.ts'
import { type Caller, callerAt, nextPage, readPages, type Received } from '../helpers/cast.ts'
import { sharedSandbox } from '../helpers/sandbox.ts'

const sandbox = sharedSandbox()
const alice = callerAt(sandbox, 'hf_sandbox_alice')
const bob = callerAt(sandbox, 'hf_sandbox_bob')
const dave = callerAt(sandbox, 'hf_sandbox_dave')
const anyone = callerAt(sandbox)
const unknown = callerAt(sandbox, 'hf_nothing')

type Info = Record<'_id' | 'id' | 'sha' | 'error' | 'inferenceProviderMapping', string> & {
  private: boolean
  siblings: object[]
}
interface Listed {
  id: string
  likes: number
  storagePercent: number
}
const get = (path: string, user = alice) => user.get<Info>(path)
const list = (path: string, user = alice) => user.get<Listed[]>(path)
const create = (body: object, user = alice) => user.post<Info>('/api/repos/create', body)
const namesOf = (answer: Received<{ id: string }[]>) => answer.body.map(({ id }) => id)

/** An app of alice's with these scopes. */
async function appWith(scope: string): Promise<Caller> {
  const app = { name: 'Narrow', scopes: scope.split(' '), redirectUris: ['http://localhost/'] }
  const { clientId } = await sandbox.control<{ clientId: string }>('POST', 'apps', app)
  const wanted = { user: 'alice', clientId, scope, organizations: ['acme'] }
  return callerAt(sandbox, (await sandbox.tokens.mint(wanted)).access_token)
}

/** The events of the hub that an act causes, as `scope action repo`. */
async function eventsOf(act: () => Promise<unknown>): Promise<string[]> {
  interface Fact {
    id: number
    type: string
    data: { scope: string; action: string; repo: { name: string } }
  }
  const facts = async () => {
    const { items } = await sandbox.control<{ items: Fact[] }>('GET', 'facts?limit=500')
    return items.filter(({ type }) => type === 'hub.event')
  }
  const before = (await facts()).length
  await act()
  const all = await facts()
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
    const path = 'repos/dataset/alice/tiny/commits'
    const { items } = await sandbox.control<{ items: object[] }>('GET', path)
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

  test.each<[string, object, Caller, number, RegExp]>([
    ['nobody', { name: 'x' }, anyone, 401, /Invalid username or password/],
    ['an unknown token', { name: 'x' }, unknown, 401, /Invalid credentials/],
    ['another’s namespace', { name: 'x', organization: 'bob' }, alice, 403, /the namespace "bob"/],
    ['no namespace', { name: 'x', organization: 'nowhere' }, alice, 403, /the namespace "nowhere"/],
    ['an invalid name', { name: '../x' }, alice, 400, /Invalid repo name/],
    ['a Space without sdk', { name: 'x', type: 'space' }, alice, 400, /needs an sdk/],
    ['a protected model', { name: 'x', visibility: 'protected' }, alice, 400, /Only Spaces/],
    [
      'a type that is not emulated',
      { name: 'x', type: 'kernel' },
      alice,
      501,
      /^Kernels are not emulated/,
    ],
    [
      'a file outside',
      { name: 'x', files: [{ path: '../y', content: '' }] },
      alice,
      422,
      /Invalid path/,
    ],
    ['no name', {}, alice, 400, /name/],
  ])('%s is refused, and nothing is kept', async (_what, body, user, status, text) => {
    const before = await get('/api/models?limit=1000')
    const events = await eventsOf(async () => {
      const refused = await create(body, user)
      expect(refused).toMatchObject({ status, body: { error: expect.stringMatching(text) } })
      expect(refused.headers['x-error-message']).toBe(refused.body.error)
    })
    expect(events).toEqual([])
    expect((await get('/api/models?limit=1000')).body).toEqual(before.body)
  })

  test('a taken name is refused in any letter case, with its URL', async () => {
    await create({ name: 'tiny' })
    const url = sandbox.url.replace('localhost', '127.0.0.1')
    const again = await create({ name: 'TINY' }, callerAt({ url }, 'hf_sandbox_alice'))
    expect(again).toMatchObject({
      status: 409,
      body: {
        error: 'You already created this model repo',
        url: `${url}/alice/tiny`,
      },
    })
  })

  test('creating needs its scope, and an app may use the repos it created', async () => {
    const read = await create({ name: 'x' }, await appWith('read-repos'))
    expect(read.status).toBe(403)
    expect(read.headers['www-authenticate']).toContain('scope="contribute-repos"')
    const app = await appWith('contribute-repos')
    expect((await create({ name: 'x', private: true }, app)).status).toBe(200)
    expect((await app.get('/api/models/alice/x')).status).toBe(200)
    expect((await app.get('/api/models/alice/draft-summarizer')).status).toBe(404)
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

  test('a list does not have what only the info of one repo has', async () => {
    for (const name of ['baseModels', 'childrenModelCount', 'usedStorage']) {
      expect((await get(`/api/models/alice/tiny-sentiment?expand[]=${name}`)).status).toBe(200)
      const refused = await get(`/api/models?expand[]=likes&expand[]=${name}`)
      expect(refused).toMatchObject({
        status: 400,
        body: { error: expect.stringMatching(/^"expand" must be one of \[author, cardData, /) },
      })
      expect(JSON.stringify(refused.body)).not.toContain(name)
    }
    for (const types of ['datasets', 'spaces']) {
      expect((await get(`/api/${types}?expand[]=usedStorage`)).status).toBe(200)
    }
  })

  test.each<[string, string, Caller]>([
    ['what is not there', '/api/models/alice/nothing', alice],
    ['what is not there, from nobody', '/api/models/a/b', anyone],
    ['what has no namespace', '/api/models/gpt2', alice],
    ['what has no namespace, from nobody', '/api/models/gpt2', anyone],
    ['a private one, from nobody', '/api/models/alice/draft-summarizer', anyone],
    ['a private one, from another', '/api/models/alice/draft-summarizer', bob],
  ])('hides %s', async (_what, path, user) => {
    const hidden = await user.get(path)
    const [status, error] =
      user === anyone ? [401, 'Invalid username or password.'] : [404, 'Repository not found']
    expect([hidden.status, hidden.body]).toEqual([status, { error }])
    expect(hidden.headers['x-error-code']).toBe('RepoNotFound')
  })

  test('a name of the prototype and an unknown type are not found', async () => {
    expect((await get('/api/models/constructor/toString')).status).toBe(404)
    expect((await get('/api/kernels/alice/x')).status).toBe(501)
  })
})

describe('POST /api/repos/move', () => {
  const move = (body: object, user = alice) => user.post<Info>('/api/repos/move', body)

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
    expect(old.headers['location']).toBe(location)
    expect(old.body).toBe(`Temporary Redirect. Redirecting to ${location}`)
    expect(old.headers['content-type']).toBe('text/plain; charset=utf-8')
    expect((await get(location)).body.id).toBe('acme/small')
    const settings = { private: true }
    expect((await alice.put('/api/datasets/alice/tiny/settings', settings)).status).toBe(307)
    // Who may not see it learns its new name no more than its old one.
    await alice.put('/api/datasets/acme/small/settings', settings)
    expect((await dave.get('/api/datasets/alice/tiny')).status).toBe(404)
  })

  test.each<[string, object, Caller, number, RegExp]>([
    [
      'a name that is taken',
      { toRepo: 'acme/corpus' },
      alice,
      409,
      /called acme\/corpus already exists/,
    ],
    ['to another’s namespace', { toRepo: 'bob/tiny' }, alice, 403, /needs the contributor right/],
    ['to nowhere', { toRepo: 'nowhere/tiny' }, alice, 404, /Namespace not found/],
    ['to an invalid name', { toRepo: 'alice/a--b' }, alice, 400, /Invalid repo name/],
    ['what is not there', { fromRepo: 'alice/none', toRepo: 'alice/x' }, alice, 404, /not found/],
    ['by nobody', { toRepo: 'alice/x' }, anyone, 401, /Invalid username/],
    ['by another', { toRepo: 'bob/x' }, dave, 403, /needs the/],
  ])('refuses %s', async (_what, change, user, status, text) => {
    await create({ name: 'tiny', type: 'dataset' })
    const events = await eventsOf(async () => {
      const body = { fromRepo: 'alice/tiny', type: 'dataset', ...change }
      const refused = await move(body, user)
      expect(refused).toMatchObject({ status, body: { error: expect.stringMatching(text) } })
    })
    expect(events).toEqual([])
  })

  test('an old name in a body is not found', async () => {
    await create({ name: 'tiny' })
    await move({ fromRepo: 'alice/tiny', toRepo: 'alice/small' })
    const again = await move({ fromRepo: 'alice/tiny', toRepo: 'alice/other' })
    expect(again.status).toBe(404)
    const gone = await alice.delete('/api/repos/delete', { name: 'tiny' })
    expect(gone.status).toBe(404)
    expect((await get('/api/models/alice/small')).status).toBe(200)
  })
})

describe('DELETE /api/repos/delete', () => {
  const remove = (body: object, user = alice) => user.delete('/api/repos/delete', body)

  test('a deletion emits one event', async () => {
    await create({ name: 'tiny', organization: 'acme' })
    const events = await eventsOf(async () => {
      const gone = await remove({ name: 'tiny', organization: 'acme' })
      expect(gone).toMatchObject({ status: 200, body: 'OK' })
      expect(gone.headers['content-type']).toBe('text/plain; charset=utf-8')
    })
    expect(events).toEqual(['repo delete acme/tiny'])
    expect((await get('/api/models/acme/tiny')).status).toBe(404)
  })

  test.each<[string, object, Caller, number]>([
    ['what is not there', { name: 'nothing' }, alice, 404],
    ['another’s', { name: 'corpus', organization: 'acme', type: 'dataset' }, dave, 403],
    ['by nobody', { name: 'tiny-sentiment' }, anyone, 401],
  ])('refuses %s', async (_what, body, user, status) => {
    expect(
      await eventsOf(async () => expect((await remove(body, user)).status).toBe(status)),
    ).toEqual([])
  })

  test('an app with write access only may not delete', async () => {
    const app = await appWith('write-repos')
    expect((await remove({ name: 'tiny-sentiment' }, app)).status).toBe(403)
  })
})

describe('PUT settings', () => {
  const path = '/api/models/alice/tiny-sentiment/settings'
  const put = (body: object, user = alice) => user.put(path, body)

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

  test('further settings are kept and returned', async () => {
    const settings = {
      discussionsSorting: 'reactions',
      orgMembersGated: true,
      gatedNotificationsEmail: 'alice@example.com',
      gatedNotificationsMode: 'bulk',
    }
    expect((await put(settings)).body).toMatchObject(settings)
    const changed = { ...settings, gatedNotificationsMode: 'real-time' }
    expect((await put({ gatedNotificationsMode: 'real-time' })).body).toMatchObject(changed)
    expect((await put({})).body).toMatchObject(changed)
    const { repos = [] } = (await get('/_sandbox/api/export')).body as FixturesFile
    expect(repos.find(({ name }) => name === 'alice/tiny-sentiment')?.settings).toEqual(changed)
  })

  test.each<[string, object, Caller, number]>([
    ['an unknown order', { discussionsSorting: 'oldest' }, alice, 400],
    ['an invalid address', { gatedNotificationsEmail: 'alice' }, alice, 400],
    ['a protected model', { visibility: 'protected' }, alice, 400],
    ['a gate that is none', { gated: true }, alice, 400],
    ['another', { private: true }, bob, 403],
    ['nobody', { private: true }, anyone, 401],
  ])('refuses %s', async (_what, body, user, status) => {
    expect((await put(body, user)).status).toBe(status)
  })
})

describe('POST duplicate', () => {
  test('a duplicate has the contents that its creator may read', async () => {
    const path = '/api/datasets/acme/corpus/duplicate'
    const body = { repository: 'alice/copy', visibility: 'private' }
    const events = await eventsOf(async () => {
      const made = await alice.post(path, body)
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
    expect((await alice.post(path, body)).status).toBe(409)
    const elsewhere = { repository: 'bob/copy' }
    expect((await alice.post(path, elsewhere)).status).toBe(403)
    expect((await anyone.post(path, elsewhere)).status).toBe(401)
  })
})

describe('lists', () => {
  test('lists have the visible repos, sorted, in pages without a gap', async () => {
    const mine = await list('/api/models')
    const anybodys = await list('/api/models', anyone)
    expect(namesOf(mine)).toContain('alice/draft-summarizer')
    expect(namesOf(anybodys)).not.toContain('alice/draft-summarizer')
    const likes = mine.body.map((repo) => repo.likes)
    expect(likes).toEqual(likes.toSorted((a, b) => b - a))

    const pages = await readPages<Listed[]>(alice, '/api/models?limit=2&sort=id')
    expect(pages.filter(({ body }) => body.length > 2)).toEqual([])
    const begin = `${sandbox.url}/api/models?limit=2&sort=id&cursor=`
    const linked = pages.filter((page) => nextPage(page)?.startsWith(begin))
    expect(linked).toHaveLength(pages.length - 1)
    expect(pages.flatMap(namesOf)).toEqual(namesOf(mine).toSorted())
  })

  test.each<[string, (name: string) => boolean]>([
    ['author=ACME', (name) => name.startsWith('acme/')],
    ['search=tiny&search=SENT', (name) => name === 'alice/tiny-sentiment'],
    ['gated=true', (name) => name === 'acme/speech-large'],
  ])('filter by %s', async (query, fits) => {
    const all = namesOf(await list('/api/models'))
    const names = namesOf(await list(`/api/models?${query}`))
    expect(names.toSorted()).toEqual(all.filter(fits).toSorted())
    expect(names).not.toEqual([])
  })

  test('lists are filtered by fields of the card and return the requested fields', async () => {
    await create({ name: 'one', license: 'wtfpl' })
    expect(namesOf(await list('/api/models?filter=license:wtfpl'))).toEqual(['alice/one'])
    expect(namesOf(await list('/api/models?filter=license:wtfpl,region:us'))).toEqual(['alice/one'])
    expect(namesOf(await list('/api/models?filter=license:wtfpl&filter=nothing'))).toEqual([])
    const { body } = await get('/api/models?author=alice&search=one&expand=cardData')
    expect(body).toEqual([
      { _id: expect.any(String), id: 'alice/one', cardData: { license: 'wtfpl' } },
    ])
    const full = await list('/api/models?search=one&full=true&cardData=true')
    expect(full.body[0]).toMatchObject({ sha: expect.any(String), cardData: { license: 'wtfpl' } })
  })

  test.each(['limit=0', 'limit=x', 'sort=constructor', 'expand=nothing', 'gated=perhaps'])(
    'refuse ?%s',
    async (query) => {
      expect((await get(`/api/models?${query}`)).status).toBe(400)
    },
  )

  test('an unknown cursor begins at the first page', async () => {
    expect(namesOf(await list('/api/models?cursor=nonsense'))).toEqual(
      namesOf(await list('/api/models')),
    )
  })

  test('own repos have their storage size', async () => {
    const { body } = await list('/api/settings/repositories')
    expect(body).toContainEqual({
      id: 'alice/draft-summarizer',
      type: 'model',
      updatedAt: expect.stringMatching(/Z$/),
      visibility: 'private',
      storage: expect.any(Number),
      storagePercent: expect.any(Number),
    })
    expect(body.reduce((all, { storagePercent }) => all + storagePercent, 0)).toBeCloseTo(100)
    expect((await anyone.get('/api/settings/repositories')).status).toBe(401)
    const theirPath = '/api/organizations/acme/settings/repositories'
    expect(namesOf(await list(theirPath))).toContain('acme/corpus')
    expect((await dave.get(theirPath)).status).toBe(403)
    for (const name of ['none', 'alice']) {
      expect((await get(`/api/organizations/${name}/settings/repositories`)).status).toBe(404)
    }
    const unread = await (await appWith('profile')).get<Info>(theirPath)
    expect([unread.status, unread.body.error]).toEqual([
      403,
      'Listing repos with their storage needs the scope read-repos (or write-repos, manage-repos)',
    ])
  })

  test('tags of public repos are listed by type', async () => {
    await create({ name: 'secret', license: 'unlicense', private: true })
    const { body } = await anyone.get<{ license: object[] }>('/api/models-tags-by-type')
    expect(body.license).toContainEqual({ id: 'license:mit', label: 'mit', type: 'license' })
    expect(JSON.stringify(body)).not.toContain('unlicense')
  })
})

describe('auth-check', () => {
  const check = async (path: string, user: Caller) => {
    const { status, headers } = await user.get(path)
    return [status, headers['x-error-code']]
  }

  test('read access includes the gate', async () => {
    const path = '/api/models/acme/speech-large/auth-check'
    expect(await check(path, alice)).toEqual([200, undefined])
    expect(await check(path, dave)).toEqual([403, 'GatedRepo'])
    expect(await check(path, anyone)).toEqual([401, 'GatedRepo'])
  })

  test('write access is checked', async () => {
    const path = '/api/models/alice/tiny-sentiment/auth-check/write'
    expect(await check(path, alice)).toEqual([200, undefined])
    expect(await check(path, bob)).toEqual([403, undefined])
    expect(await check(path, anyone)).toEqual([401, undefined])
  })
})
