import { beforeEach, expect, test } from 'vitest'
import { anonymous } from '../../../server/hub/access/principal.ts'
import { listRepos } from '../../../server/hub/repos/repo-list.ts'
import { deleteRepo } from '../../../server/hub/repos/repos.ts'
import { createHubWorld, type HubWorld } from './hub-world.ts'
import { limitRounds } from '../../helpers/limit-rounds.ts'

let world: HubWorld

beforeEach(async () => {
  world = await createHubWorld()
})

const list = (query: Parameters<typeof listRepos>[2]['query']) =>
  listRepos(world.deps, anonymous, { type: 'model', query, readCard: () => undefined })
const names = (page: Awaited<ReturnType<typeof list>>) => page.items.map(({ name }) => name)

/** All pages, and what happens between the first two. */
async function pages(
  query: Parameters<typeof list>[0],
  between: () => void = () => {},
): Promise<string[]> {
  const first = await list(query)
  const seen = names(first)
  between()
  let cursor = first.nextCursor
  const round = limitRounds()
  while (cursor !== undefined) {
    round()
    const page = await list({ ...query, cursor })
    seen.push(...names(page))
    cursor = page.nextCursor
  }
  return seen
}

test.each(['likes', 'id', 'createdAt', 'lastModified', 'mainSize', 'num_parameters'] as const)(
  'pages by %s have each repo once, also where all are alike',
  async (sort) => {
    for (let count = 0; count < 7; count += 1) world.repo(`acme/repo-${count}`)
    const all = names(await list({ sort }))
    expect(new Set(all).size).toBe(7)
    for (const limit of [1, 2, 3, 7, 8]) expect(await pages({ sort, limit })).toEqual(all)
  },
)

test('pages stay complete when the repo of the cursor is deleted or liked', async () => {
  const repos = [5, 4, 3, 2].map((likes) => world.repo(`acme/n${likes}`, { put: { likes } }))
  const gone = await pages({ limit: 2 }, () => deleteRepo(world.deps, { repo: repos[1]! }))
  expect(gone).toEqual(['acme/n5', 'acme/n4', 'acme/n3', 'acme/n2'])
  const liked = await pages({ limit: 1 }, () => world.state.repos.put({ ...repos[0]!, likes: 1 }))
  expect(liked.slice(0, 3)).toEqual(['acme/n5', 'acme/n3', 'acme/n2'])
})

test.each(['createdAt', 'lastModified', 'likes'] as const)(
  'repos that are alike by %s are listed from the newest, also when an older one is deleted',
  async (sort) => {
    // The clock of the world stands still.
    const made = Array.from({ length: 7 }, (_, count) => world.repo(`acme/repo-${count}`))
    const newestFirst = made.map(({ name }) => name).toReversed()
    expect(await pages({ sort, limit: 2 })).toEqual(newestFirst)
    const left = await pages({ sort, limit: 2 }, () => deleteRepo(world.deps, { repo: made[0]! }))
    expect(left).toEqual(newestFirst.slice(0, -1))
  },
)

test('a page has at most 1000 repos', async () => {
  const repo = world.repo('acme/r0')
  for (let count = 1; count < 1001; count += 1) {
    world.state.repos.put({ ...repo, id: `${count}`.padStart(24, '0'), name: `acme/r${count}` })
  }
  expect((await list({ limit: 5000 })).items).toHaveLength(1000)
  expect(await pages({})).toHaveLength(1001)
})
