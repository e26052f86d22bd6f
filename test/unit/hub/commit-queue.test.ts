import { array, assert, integer, property } from 'fast-check'
import { expect, test } from 'vitest'
import { CommitQueue } from '../../../server/hub/files/commit-queue.ts'
import type { Commit } from '../../../server/hub/files/git-objects.ts'

const commitOf = (date: number, id: number) => ({ id: String(id), date }) as unknown as Commit

function drain(queue: CommitQueue): Commit[] {
  const taken: Commit[] = []
  for (let next = queue.take(); next !== undefined; next = queue.take()) taken.push(next)
  return taken
}

test('the newest commit comes first, and of equal dates the one that was added first', () => {
  assert(
    property(array(integer({ min: 0, max: 5 })), (dates) => {
      const queue = new CommitQueue()
      const commits = dates.map(commitOf)
      for (const commit of commits) queue.add(commit)
      expect(drain(queue)).toEqual(commits.toSorted((a, b) => b.date - a.date))
    }),
  )
})
