import { beforeEach, describe, expect, test } from 'vitest'
import { privateCopy } from '../../../../server/lab/triggers/private-copy.ts'
import { openDiscussion } from '../../../../server/hub/discussions/discussions.ts'
import type { Discussion } from '../../../../server/store/entities/hub-entities.ts'
import type { State } from '../../../../server/store/state.ts'
import { createHubWorld, type HubWorld } from '../../hub/hub-world.ts'

let world: HubWorld
let copied: State
let discussions: Discussion[]

beforeEach(async () => {
  world = await createHubWorld()
  const repo = world.repo('acme/corpus')
  discussions = ['One', 'Two', 'Three'].map(
    (title) =>
      openDiscussion(world.deps, { repo, title: `${title}.`, actorId: world.users.dave.id })
        .discussion,
  )
  copied = privateCopy(world.deps).state
})

function titles(state: State) {
  const group = state.discussions.group('repo', discussions[0]!.repoId)
  expect(group).toHaveLength(state.discussions.groupSize('repo', discussions[0]!.repoId))
  expect([...state.discussions.values()]).toEqual(group)
  expect(state.discussions.size).toBe(group.length)
  expect([state.discussions.first(), state.discussions.last()]).toEqual([group[0], group.at(-1)])
  return group.map(({ title }) => title)
}

describe('a private copy of the state', () => {
  test('keeps its changes to itself, each in its place', () => {
    const [one, two, three] = discussions as [Discussion, Discussion, Discussion]
    expect(titles(copied)).toEqual(['One.', 'Two.', 'Three.'])
    copied.discussions.put({ ...two, title: 'Changed' })
    copied.discussions.put({ ...three, id: 'f'.repeat(24), num: 4, title: 'New' })
    expect(copied.discussions.delete(one.id)).toBe(true)
    expect(copied.discussions.delete(one.id)).toBe(false)
    expect(titles(copied)).toEqual(['Changed', 'Three.', 'New'])
    expect(copied.discussions.get(one.id)).toBeUndefined()
    expect(copied.discussions.find('number', `${two.repoId}/1`)).toBeUndefined()
    expect(copied.discussions.find('number', `${two.repoId}/2`)?.title).toBe('Changed')
    expect(titles(world.state)).toEqual(['One.', 'Two.', 'Three.'])
  })

  test('keeps unique what is unique', () => {
    const [one, two] = discussions as [Discussion, Discussion]
    expect(() => copied.discussions.put({ ...two, num: one.num })).toThrow('has it')
    copied.discussions.delete(one.id)
    expect(copied.discussions.put({ ...two, num: one.num }).num).toBe(1)
  })

  test('can be cleared alone', () => {
    copied.discussions.clear()
    expect(copied.discussions.size).toBe(0)
    expect(titles(world.state)).toHaveLength(3)
  })

  test('shares the contents of repos, and keeps new ones to itself', () => {
    const repo = world.repo('acme/weights')
    const there = world.objects(repo).write('blob', Buffer.from('there'))
    const objects = privateCopy(world.deps).objects.of(repo)
    expect(objects.has(there)).toBe(true)
    const made = objects.write('blob', Buffer.from('made'))
    expect([objects.has(made), world.objects(repo).has(made)]).toEqual([true, false])
  })
})
