import { describe, expect, test } from 'vitest'
import type { CollectionResponse } from '../../server/contract/hub-collections.ts'
import { createBucket } from '../../server/hub/buckets/buckets.ts'
import { deleteRepo, moveRepo } from '../../server/hub/repos/repos.ts'
import { follow } from '../../server/hub/people/follows.ts'
import { likeRepo } from '../../server/hub/people/likes.ts'
import type { Visibility } from '../../server/contract/words/hub-words.ts'
import { testApp } from '../helpers/app.ts'
import { type Caller, createCast, nextPage } from '../helpers/cast.ts'

const world = testApp()
const as = createCast(world, '/api/collections')
/** Administrator of the organization acme. */
const alice = as('alice')
/** Has no part in acme. */
const carol = as('carol')

const create = async (more: object = {}, user = alice) =>
  (await user.post<CollectionResponse>('', { title: 'My models', namespace: 'alice', ...more }))
    .body

const read = async (slug: string, user = alice) =>
  (await user.get<CollectionResponse>(`/${slug}`)).body

const repo = (name: string, visibility: Visibility = 'public') =>
  world.makeRepo(name, { visibility })

const add = (slug: string, id: string, more: object = {}, user = alice) =>
  user.post(`/${slug}/items`, { item: { type: 'model', id }, ...more })

const slugs = async (query = '', user = as()) =>
  (await user.get<CollectionResponse[]>(query)).body.map(({ slug }) => slug)

describe('a collection', () => {
  test('is created, read by everybody, changed and deleted by its owner', async () => {
    const made = await create({ description: 'The best' })
    expect(made).toEqual({
      slug: expect.stringMatching(/^alice\/my-models-[0-9a-f]{24}$/),
      title: 'My models',
      description: 'The best',
      owner: {
        _id: world.users.alice.id,
        name: 'alice',
        fullname: world.users.alice.fullname,
        avatarUrl: '/avatars/alice.svg',
        type: 'user',
        isPro: true,
        followerCount: 0,
        isUserFollowing: false,
        isHf: false,
        isHfAdmin: false,
        isMod: false,
      },
      shareUrl: `${world.deps.settings.baseUrl}/collections/${made.slug}`,
      items: [],
      lastUpdated: expect.stringMatching(/Z$/),
      private: false,
      theme: 'orange',
      upvotes: 0,
      isUpvotedByUser: false,
      gating: false,
      position: 0,
    })
    expect(await read(made.slug, as())).toEqual(made)
    const changes = { title: 'Café and crème!', theme: 'blue', private: true }
    expect((await carol.patch(`/${made.slug}`, changes)).status).toBe(403)
    const changed = await alice.patch(`/${made.slug}`, changes)
    expect(changed.body).toMatchObject({
      success: true,
      data: { ...changes, slug: expect.stringMatching(/^alice\/café-and-crème-/) },
    })
    // The id at the end is what counts.
    expect((await read(made.slug)).title).toBe('Café and crème!')
    expect((await carol.get(`/${made.slug}`)).status).toBe(404)
    expect((await alice.delete(`/${made.slug}`)).status).toBe(200)
    expect((await alice.get(`/${made.slug}`)).status).toBe(404)
  })

  test('has one title in its namespace; a second one is named in the refusal', async () => {
    const { slug } = await create()
    const again = await alice.post('', { title: 'my MODELS', namespace: 'alice' })
    expect([again.status, again.body]).toMatchObject([409, { slug }])
    expect(await create({ namespace: 'acme' })).toMatchObject({ owner: { type: 'org' } })
  })

  test.each([
    [{ title: '' }, 400],
    [{ title: 'x'.repeat(61) }, 400],
    [{ description: 'x'.repeat(151) }, 400],
    [{ namespace: 'nobody' }, 404],
    [{ namespace: 'bob' }, 403],
    [{ item: { type: 'model', id: 'alice/none' } }, 404],
  ])('is not created with %j', async (more, status) => {
    const body = { title: 'My models', namespace: 'alice', ...more }
    const answer = await alice.post('', body)
    expect([answer.status, world.state.hubCollections.size]).toEqual([status, 0])
  })

  test('is found below its owner only', async () => {
    const { slug } = await create()
    expect((await alice.get(`/acme/${slug.split('/')[1]}`)).status).toBe(404)
    expect((await alice.get('/alice/no-id')).status).toBe(404)
  })

  test('moves among those of its owner', async () => {
    const made = [
      await create({ title: 'A' }),
      await create({ title: 'B' }),
      await create({ title: 'C' }),
    ]
    const [a, b, c] = made.map(({ slug }) => slug)
    await alice.patch(`/${c}`, { position: 0 })
    const positions = async () =>
      Promise.all([a, b, c].map(async (slug) => (await read(slug ?? '')).position))
    expect(await positions()).toEqual([1, 2, 0])
    await alice.patch(`/${c}`, { position: 9 })
    expect(await positions()).toEqual([0, 1, 2])
  })
})

describe('items', () => {
  test('are added once, annotated, moved and removed', async () => {
    repo('alice/one')
    repo('alice/two')
    const { slug } = await create({ item: { type: 'model', id: 'alice/one' } })
    const added = await add(slug, 'Alice/TWO', { note: 'Try <this>' })
    expect([added.status, added.body]).toMatchObject([
      200,
      {
        items: [
          { type: 'model', id: 'alice/one', position: 0, author: 'alice', gated: false },
          {
            id: 'alice/two',
            position: 1,
            note: { text: 'Try <this>', html: 'Try &lt;this&gt;' },
          },
        ],
      },
    ])
    expect((await add(slug, 'alice/two')).status).toBe(409)
    expect((await add(slug, 'alice/none')).status).toBe(404)
    const [, second] = (await read(slug)).items.map(({ _id: id }) => id)
    const item = `/${slug}/items/${second}`
    expect((await alice.patch(item, { position: 0, note: '' })).status).toBe(200)
    const after = (await read(slug)).items
    expect(after.map(({ id }) => id)).toEqual(['alice/two', 'alice/one'])
    expect(after[0]).not.toHaveProperty('note')
    expect((await alice.delete(item)).status).toBe(200)
    expect((await alice.delete(item)).status).toBe(404)
    expect((await read(slug)).items.map(({ id }) => id)).toEqual(['alice/one'])
  })

  test('can be papers and collections', async () => {
    const other = await create({ title: 'Others' })
    const { slug } = await create()
    const addItem = (type: string, id: string) =>
      alice.post(`/${slug}/items`, { item: { type, id } })
    expect((await addItem('paper', '2307.09288')).status).toBe(200)
    expect((await addItem('paper', 'no-paper')).status).toBe(404)
    expect((await addItem('collection', other.slug)).status).toBe(200)
    // Clients send the id at the end of the slug, too.
    const id = other.slug.slice(-24)
    expect((await addItem('collection', id)).status).toBe(409)
    expect((await addItem('collection', 'f'.repeat(24))).status).toBe(404)
    expect((await addItem('dataset', 'alice/one')).status).toBe(404)
    expect((await read(slug)).items).toMatchObject([
      { type: 'paper', id: '2307.09288', publishedAt: '2023-07-01T00:00:00.000Z', upvotes: 0 },
      { type: 'collection', slug: other.slug, title: 'Others' },
    ])
  })

  test('have the members of their kind, and no others', async () => {
    const other = await create({ title: 'Others' })
    const { slug } = await create()
    const readme = '---\npipeline_tag: text-generation\n---\n'
    world.makeRepo('alice/one', { files: { 'README.md': readme } })
    world.makeRepo('alice/two', { type: 'dataset' })
    world.makeRepo('alice/demo', { type: 'space', sdk: 'docker' })
    createBucket(world.deps, { name: 'alice/files' })
    const items = [
      ['model', 'alice/one'],
      ['dataset', 'alice/two'],
      ['space', 'alice/demo'],
      ['bucket', 'alice/files'],
      ['paper', '2307.09288'],
      ['collection', other.slug],
    ]
    for (const [type, id] of items) await alice.post(`/${slug}/items`, { item: { type, id } })
    const of = (members: string) => ['_id', 'position', 'type', 'id', ...members.split(' ')]
    const repos = 'repoType author private'
    const liked = `${repos} likes isLikedByUser lastModified`
    const card = 'title emoji colorFrom colorTo sdk tags runtime'
    const expected = [
      `${liked} gated downloads authorData pipeline_tag availableInferenceProviders`,
      `${liked} gated downloads`,
      `${liked} authorData ${card} visibility createdAt pinned featured disabled`,
      `${repos} createdAt updatedAt size totalFiles cdnRegions`,
      'title upvotes publishedAt',
      'slug title owner lastUpdated theme upvotes isUpvotedByUser shareUrl numberItems',
    ]
    const found = (await read(slug)).items
    expect(found.map((item) => Object.keys(item).toSorted())).toEqual(
      expected.map((members) => of(members).toSorted()),
    )
    expect(found[0]).toMatchObject({
      availableInferenceProviders: [
        { provider: 'hf-inference', providerId: 'alice/one', task: 'conversational' },
      ],
    })
    expect(found[2]).toMatchObject({ runtime: expect.not.objectContaining({ storage: null }) })
  })

  test('tell what clients draw of them', async () => {
    const { alice: owner, carol: reader } = world.users
    const space = world.makeRepo('alice/demo', { type: 'space', sdk: 'static' })
    repo('alice/hidden', 'private')
    likeRepo(world.deps, { repo: space, userId: reader.id })
    follow(world.deps, { userId: reader.id, targetId: owner.id })
    const other = await create({ title: 'Others', item: { type: 'space', id: 'alice/demo' } })
    await add(other.slug, 'alice/hidden')
    const { slug } = await create({ item: { type: 'space', id: 'alice/demo' } })
    await alice.post(`/${slug}/items`, { item: { type: 'collection', id: other.slug } })
    const author = { name: 'alice', followerCount: 1, isUserFollowing: true, isHf: false }
    expect(await read(slug, carol)).toMatchObject({
      owner: author,
      shareUrl: `${world.deps.settings.baseUrl}/collections/${slug}`,
      items: [
        {
          id: 'alice/demo',
          isLikedByUser: true,
          authorData: author,
          title: 'demo',
          sdk: 'static',
          runtime: { stage: 'RUNNING' },
        },
        // One of its two items is private.
        { slug: other.slug, title: 'Others', owner: author, numberItems: 1 },
      ],
    })
    // A Space has a visibility, and no gate.
    const [listed] = (await read(slug, carol)).items
    expect(listed).toMatchObject({ visibility: 'public' })
    expect(listed).not.toHaveProperty('gated')
    expect((await read(slug, as())).items[0]).toMatchObject({
      isLikedByUser: false,
      authorData: { isUserFollowing: false },
    })
  })

  test('go with a collection that is deleted, and follow one to its new title', async () => {
    const other = await create({ title: 'Others' })
    const { slug } = await create({ item: { type: 'collection', id: other.slug } })
    await alice.patch(`/${other.slug}`, { title: 'Renamed' })
    expect((await read(slug)).items).toMatchObject([{ title: 'Renamed' }])
    await alice.delete(`/${other.slug}`)
    const [stored] = [...world.state.hubCollections.values()]
    expect(stored?.items).toEqual([])
  })

  test('that the caller may not see are neither shown nor added', async () => {
    repo('alice/open')
    repo('alice/hidden', 'private')
    const { slug } = await create()
    await add(slug, 'alice/hidden')
    await add(slug, 'alice/open')
    const shown = async (user: Caller) => (await read(slug, user)).items.map(({ id }) => id)
    expect(await shown(alice)).toEqual(['alice/hidden', 'alice/open'])
    expect(await shown(carol)).toEqual(['alice/open'])
    const theirs = await create({ namespace: 'carol' }, carol)
    expect((await add(theirs.slug, 'alice/hidden', {}, carol)).status).toBe(404)
  })

  test('follow a repo to its new name, and go with it', async () => {
    const made = repo('alice/one')
    const { slug } = await create({ item: { type: 'model', id: 'alice/one' } })
    const actorId = world.users.alice.id
    const moved = moveRepo(world.deps, { repo: made, toName: 'alice/new', actorId })
    expect((await read(slug)).items.map(({ id }) => id)).toEqual(['alice/new'])
    deleteRepo(world.deps, { repo: moved, actorId })
    expect((await read(slug)).items).toEqual([])
  })
})

describe('the list', () => {
  test('filters by owner, item and text, and shows four items', async () => {
    for (let index = 0; index < 5; index += 1) repo(`alice/m${index}`)
    const mine = await create()
    for (let index = 0; index < 5; index += 1) await add(mine.slug, `alice/m${index}`)
    const theirs = await create({ namespace: 'acme', title: 'Speech', description: 'Sound' })
    expect(await slugs('?owner=Alice')).toEqual([mine.slug])
    expect(await slugs('?owner=alice&owner=acme')).toHaveLength(2)
    expect(await slugs('?item=models/alice/M1')).toEqual([mine.slug])
    expect(await slugs('?item=datasets/alice/m1')).toEqual([])
    expect(await slugs('?q=sound')).toEqual([theirs.slug])
    const [listed] = (await as().get<CollectionResponse[]>('?owner=alice')).body
    expect(listed?.items).toHaveLength(4)
    expect(listed).not.toHaveProperty('position')
  })

  test('has ten collections a page, and at most 10,000', async () => {
    for (let count = 0; count < 12; count += 1) await create({ title: `Title ${count}` })
    expect((await as().get<CollectionResponse[]>('')).body).toHaveLength(10)
    expect((await as().get<CollectionResponse[]>('?limit=10000')).body).toHaveLength(12)
    expect((await as().get('?limit=10001')).status).toBe(400)
  })

  test('has pages, the latest change first', async () => {
    const made: string[] = []
    for (const title of ['A', 'B', 'C']) {
      made.push((await create({ title })).slug)
      world.clock.advance(1000)
    }
    await alice.patch(`/${made[0]}`, { theme: 'pink' })
    const first = await as().get<CollectionResponse[]>('?limit=2')
    expect(first.body.map(({ title }) => title)).toEqual(['A', 'C'])
    const second = await as().get<CollectionResponse[]>(nextPage(first) ?? '')
    expect(second.body.map(({ title }) => title)).toEqual(['B'])
    expect(second.headers).not.toHaveProperty('link')
  })

  test('has what changed in one millisecond from the newest, also when an older one is deleted', async () => {
    const titles = ['A', 'B', 'C', 'D', 'E', 'F']
    const made: string[] = []
    for (const title of titles) made.push((await create({ title })).slug)
    const titlesOf = ({ body }: { body: unknown }) =>
      (body as CollectionResponse[]).map(({ title }) => title)
    expect(titlesOf(await as().get(''))).toEqual(titles.toReversed())
    for (const sort of ['lastModified', 'upvotes']) {
      const first = await as().get(`?sort=${sort}&limit=3`)
      const seen = titlesOf(first)
      await alice.delete(`/${made.shift()}`)
      seen.push(...titlesOf(await as().get(nextPage(first) ?? '')))
      expect(seen).toEqual(titles.slice(-made.length).toReversed())
    }
  })

  test('shows private collections to their owner, and to apps with the scope', async () => {
    const { slug } = await create({ private: true })
    const app = (scopes: string[]) => as('alice', { kind: 'oauth', clientId: 'any', scopes })
    expect(await slugs('', as())).toEqual([])
    expect(await slugs('', alice)).toEqual([slug])
    expect(await slugs('', app(['read-repos']))).toEqual([])
    expect(await slugs('', app(['read-collections']))).toEqual([slug])
    const write = (user: Caller) => user.patch(`/${slug}`, { theme: 'blue' })
    expect((await write(app(['read-collections']))).status).toBe(403)
    expect((await write(app(['write-collections']))).status).toBe(200)
    expect((await write(as())).status).toBe(401)
  })
})

describe('a batch of changes', () => {
  const batch = (slug: string, payload: object, user = alice) =>
    user.post(`/${slug}/items/batch`, payload)
  const update = (_id: string, data: object) => ({ action: 'update', _id, data })

  test('is made in its order, all or none', async () => {
    for (const name of ['alice/a', 'alice/b', 'alice/c']) repo(name)
    const { slug } = await create()
    for (const name of ['alice/a', 'alice/b', 'alice/c']) await add(slug, name)
    const [a = '', b = '', c = ''] = (await read(slug)).items.map(({ _id }) => _id)
    const changes = [update(c, { position: 0, note: 'Last' }), update(a, { position: 2 })]
    expect((await batch(slug, changes)).status).toBe(200)
    const order = async () => (await read(slug)).items.map(({ id }) => id)
    expect(await order()).toEqual(['alice/c', 'alice/b', 'alice/a'])
    const unknown = [update(b, { position: 0 }), update('0'.repeat(24), { note: 'x' })]
    expect((await batch(slug, unknown)).status).toBe(404)
    expect(await order()).toEqual(['alice/c', 'alice/b', 'alice/a'])
  })

  test.each([
    [{}, 400],
    [[null], 400],
    [[{ action: 'delete', _id: '0'.repeat(24), data: {} }], 400],
    [[{ action: 'update', _id: '0'.repeat(24), data: { position: -1 } }], 400],
    [[], 200],
  ])('has a status for %j', async (payload, status) => {
    const { slug } = await create()
    expect((await batch(slug, payload)).status).toBe(status)
    expect((await batch(slug, payload, carol)).status).toBe(status === 200 ? 403 : status)
  })
})

describe('an upvote', () => {
  test('counts once for each user and sorts the list', async () => {
    const [first, second] = [await create({ title: 'A' }), await create({ title: 'B' })]
    for (const _ of [1, 2]) {
      expect((await carol.post(`/${first.slug}/upvote`)).status).toBe(200)
    }
    expect(await read(first.slug, carol)).toMatchObject({ upvotes: 1, isUpvotedByUser: true })
    expect(await read(first.slug, alice)).toMatchObject({ upvotes: 1, isUpvotedByUser: false })
    expect(await slugs('?sort=upvotes')).toEqual([first.slug, second.slug])
    const page = await as().get('?sort=upvotes&limit=1')
    expect(await slugs(nextPage(page))).toEqual([second.slug])
    for (const _ of [1, 2]) {
      expect((await carol.delete(`/${first.slug}/upvote`)).status).toBe(200)
    }
    expect(await read(first.slug)).toMatchObject({ upvotes: 0 })
  })

  test('ends with the collection', async () => {
    const { slug } = await create()
    await carol.post(`/${slug}/upvote`)
    await alice.delete(`/${slug}`)
    expect(world.state.marks.size).toBe(0)
  })

  test.each([
    ['nobody', () => as(), false, 401],
    ['a user who does not see it', () => carol, true, 404],
  ])('is refused from %s', async (_, user, isPrivate, status) => {
    const { slug } = await create({ private: isPrivate })
    expect((await user().post(`/${slug}/upvote`)).status).toBe(status)
    expect(world.state.marks.size).toBe(0)
  })
})

describe('a resource group', () => {
  test('decides who sees a private collection', async () => {
    const { acme } = world.organizations
    const bob = as('bob')
    const groupId = 'a'.repeat(24)
    const group = { id: groupId, name: 'inner', members: [] }
    world.state.organizations.put({ ...acme, resourceGroups: [group] })
    const { slug } = await create({ namespace: 'acme', private: true })
    expect((await bob.get(`/${slug}`)).status).toBe(200)
    const assign = (resourceGroupId: unknown, user = alice) =>
      user.post(`/${slug}/resource-group`, { resourceGroupId })
    expect((await assign('b'.repeat(24))).status).toBe(404)
    expect((await assign('x')).status).toBe(400)
    expect((await assign(7)).status).toBe(400)
    const assigned = { id: slug.slice(-24), slug, title: 'My models', private: true }
    expect((await assign(groupId)).body).toEqual({ ...assigned, addedBy: 'alice' })
    const path = `/${slug}/resource-group`
    expect((await alice.get(path)).body).toEqual({ id: groupId, name: 'inner', numUsers: 0 })
    const groups = await world.as('alice').get('/api/organizations/acme/resource-groups')
    expect(groups.body).toMatchObject([{ resources: [{ type: 'collection', ...assigned }] }])
    expect((await bob.get(`/${slug}`)).status).toBe(404)
    expect((await alice.get(`/${slug}`)).status).toBe(200)
    expect((await assign(null, bob)).status).toBe(404)
    expect((await assign(null)).status).toBe(200)
    expect((await alice.get(path)).status).toBe(404)
    expect((await bob.get(`/${slug}`)).status).toBe(200)
  })

  test('of a user does not exist', async () => {
    const { slug } = await create()
    const body = { resourceGroupId: 'a'.repeat(24) }
    expect((await alice.post(`/${slug}/resource-group`, body)).status).toBe(404)
    expect((await alice.post('', { ...body, title: 'B', namespace: 'alice' })).status).toBe(404)
  })
})
