import { describe, expect, test } from 'vitest'
import type { QuickSearchResponse, TrendingResponse } from '../../server/contract/hub-search.ts'
import type { Static } from 'typebox'
import { testApp } from '../helpers/app.ts'

const world = testApp()
const { as } = world

const find = async (query: string, user = as('alice')) =>
  (await user.get<QuickSearchResponse>(`/api/quicksearch?${query}`)).body
const namesOf = (list: readonly { id: string }[]) => list.map(({ id }) => id)

describe('the quick search', () => {
  test('finds repos, accounts and collections by name, counting all', async () => {
    for (const name of ['one', 'two']) world.makeRepo(`acme/tiny-${name}`)
    world.makeRepo('acme/TINY-set', { type: 'dataset' })
    world.makeRepo('acme/other')
    await as('alice').post('/api/collections', { title: 'Tiny things', namespace: 'alice' })
    const found = await find('q=tiny&limit=1')
    expect(found).toMatchObject({
      q: 'tiny',
      models: [{ id: 'acme/tiny-one', private: false, trendingWeight: 0 }],
      modelsCount: 2,
      datasets: [{ id: 'acme/TINY-set' }],
      spaces: [],
      spacesCount: 0,
      collections: [{ title: 'Tiny things' }],
      users: [],
      papers: [],
      kernels: [],
    })
    expect((await find('q=ALICE')).users).toMatchObject([{ user: 'alice' }])
    expect((await find('q=acme')).orgs).toMatchObject([{ name: 'acme' }])
    expect((await as().post('/api/quicksearch', { q: 'tiny', limit: 1 })).body).toEqual({
      ...found,
    })
  })

  test('neither shows nor counts what the caller may not see', async () => {
    world.makeRepo('acme/secret-model', { visibility: 'private' })
    const gone = world.makeRepo('acme/secret-gone')
    world.state.repos.put({ ...gone, disabled: true })
    await as('alice').post('/api/collections', {
      title: 'Secret',
      namespace: 'alice',
      private: true,
    })
    const seen = async (user = as('alice')) => {
      const { models, modelsCount, collectionsCount } = await find('q=secret', user)
      return [namesOf(models), modelsCount, collectionsCount]
    }
    expect(await seen()).toEqual([['acme/secret-model'], 1, 1])
    expect(await seen(as('carol'))).toEqual([[], 0, 0])
    expect(await seen(as())).toEqual([[], 0, 0])
  })

  test('filters by kind, owner and name', async () => {
    world.makeRepo('acme/tiny')
    world.makeRepo('alice/tiny')
    world.makeRepo('bob/tiny', { gated: 'manual' })
    world.makeRepo('acme/tiny', { type: 'dataset' })
    const models = async (query: string, user = as('alice')) =>
      namesOf((await find(`q=tiny&${query}`, user)).models).toSorted()
    expect(await models('type=dataset')).toEqual([])
    expect(await models('type=dataset&type=model')).toHaveLength(3)
    expect(await models('namespace=ACME')).toEqual(['acme/tiny'])
    expect(await models('namespace=nobody')).toEqual([])
    expect(await models('reposFilter=own')).toEqual(['alice/tiny'])
    expect(await models('reposFilter=own&reposFilter=own_orgs')).toEqual([
      'acme/tiny',
      'alice/tiny',
    ])
    expect(await models('reposFilter=own', as())).toEqual([])
    expect(await models('reposFilter=skip_gated')).toEqual(['acme/tiny', 'alice/tiny'])
    expect(await models('exclude=models/acme/tiny')).toEqual(['alice/tiny', 'bob/tiny'])
    expect((await find('q=&orgsFilter=own', as('carol'))).orgs).toEqual([])
  })

  test.each(['limit=0', 'limit=21', 'limit=x'])('refuses %s', async (query) => {
    expect((await as().get(`/api/quicksearch?${query}`)).status).toBe(400)
  })
})

describe('trending repos', () => {
  const trending = async (query = '') => {
    const { body } = await as('alice').get<Static<typeof TrendingResponse>>(`/api/trending${query}`)
    return namesOf(body.recentlyTrending.map(({ repoData }) => repoData))
  }

  test('are the public ones, the most liked first', async () => {
    const liked = world.makeRepo('acme/liked')
    world.makeRepo('acme/unliked')
    world.makeRepo('acme/space', { type: 'space', sdk: 'gradio' })
    world.makeRepo('acme/secret', { visibility: 'private' })
    await as('alice').post('/api/models/acme/liked/like')
    expect(await trending('?type=model')).toEqual([liked.name, 'acme/unliked'])
    expect(await trending('?limit=1')).toEqual([liked.name])
    expect(await trending()).toHaveLength(3)
    expect((await as().get('/api/trending?type=bucket')).status).toBe(400)
  })
})
