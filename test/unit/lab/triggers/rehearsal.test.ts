import { beforeEach, describe, expect, test } from 'vitest'
import { rehearse } from '../../../../server/lab/triggers/rehearsal.ts'
import { openDiscussion } from '../../../../server/hub/discussions/discussions.ts'
import type { Discussion } from '../../../../server/state/entities/hub.ts'
import type { State } from '../../../../server/state/state.ts'
import { createHubWorld, type HubWorld } from '../../hub/hub-world.ts'

let world: HubWorld
let rehearsal: State
let discussions: Discussion[]

beforeEach(async () => {
  world = await createHubWorld()
  const repo = world.repo('acme/corpus')
  discussions = ['One', 'Two', 'Three'].map(
    (title) =>
      openDiscussion(world.deps, { repo, title: `${title}.`, actorId: world.users.dave.id })
        .discussion,
  )
  rehearsal = rehearse(world.deps).state
})

function titles(state: State) {
  const group = state.discussions.group('repo', discussions[0]!.repoId)
  expect(group).toHaveLength(state.discussions.groupSize('repo', discussions[0]!.repoId))
  expect([...state.discussions.values()]).toEqual(group)
  expect(state.discussions.size).toBe(group.length)
  expect([state.discussions.first(), state.discussions.last()]).toEqual([group[0], group.at(-1)])
  return group.map(({ title }) => title)
}

describe('a rehearsed state', () => {
  test('shows what is there, as it was changed, in its place', () => {
    const [one, two, three] = discussions as [Discussion, Discussion, Discussion]
    expect(titles(rehearsal)).toEqual(['One.', 'Two.', 'Three.'])
    rehearsal.discussions.put({ ...two, title: 'Changed' })
    rehearsal.discussions.put({ ...three, id: 'f'.repeat(24), num: 4, title: 'New' })
    expect(rehearsal.discussions.delete(one.id)).toBe(true)
    expect(rehearsal.discussions.delete(one.id)).toBe(false)
    expect(titles(rehearsal)).toEqual(['Changed', 'Three.', 'New'])
    expect(rehearsal.discussions.get(one.id)).toBeUndefined()
    expect(rehearsal.discussions.find('number', `${two.repoId}/1`)).toBeUndefined()
    expect(rehearsal.discussions.find('number', `${two.repoId}/2`)?.title).toBe('Changed')
    expect(titles(world.state)).toEqual(['One.', 'Two.', 'Three.'])
  })

  test('follows what happens meanwhile', () => {
    world.state.discussions.put({ ...discussions[0]!, title: 'Happened' })
    expect(titles(rehearsal)).toEqual(['Happened', 'Two.', 'Three.'])
  })

  test('keeps unique what is unique, across both', () => {
    const [one, two] = discussions as [Discussion, Discussion]
    expect(() => rehearsal.discussions.put({ ...two, num: one.num })).toThrow('has it')
    rehearsal.discussions.delete(one.id)
    expect(rehearsal.discussions.put({ ...two, num: one.num }).num).toBe(1)
  })

  test('can be cleared alone', () => {
    rehearsal.discussions.clear()
    expect(rehearsal.discussions.size).toBe(0)
    expect(titles(world.state)).toHaveLength(3)
  })
})
