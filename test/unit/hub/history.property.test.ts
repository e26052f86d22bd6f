import { strict as assert } from 'node:assert'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type ObjectStore, writeCommit } from '../../../server/hub/files/git-objects.ts'
import { findMergeBase, listCommits, pageOfCommits } from '../../../server/hub/files/history.ts'
import { lastCommits } from '../../../server/hub/files/last-commits.ts'
import { applyOperations } from '../../../server/hub/commits/commits.ts'
import { createMemoryObjects } from '../../../server/store/objects/memory-objects.ts'

const paths = ['a', 'dir/a', 'dir/b', 'dir/deep/a'] as const
const listed = [...paths, 'dir', 'dir/deep']

/** A commit on earlier ones, which are named by their places before it. */
interface Step {
  parents: number[]
  /** Few, so that some are the same and some run backwards. */
  date: number
  /** Content number of each path; 0 = no file. */
  contents: number[]
}
interface Made extends Step {
  id: string
}

const steps = fc.array(
  fc.record<Step>({
    parents: fc.uniqueArray(fc.integer({ min: 1, max: 3 }), { maxLength: 3 }),
    date: fc.integer({ min: 1, max: 6 }),
    contents: fc.array(fc.integer({ min: 0, max: 2 }), { minLength: 4, maxLength: 4 }),
  }),
  { minLength: 1, maxLength: 14 },
)
const questions = fc.array(
  fc.record({
    at: fc.nat(),
    paths: fc.subarray(listed),
    offset: fc.nat(6),
    limit: fc.integer({ min: 1, max: 6 }),
  }),
  { minLength: 1, maxLength: 20 },
)

function write(objects: ObjectStore, given: readonly Step[]): Made[] {
  const made: Made[] = []
  for (const [index, { parents, date, contents }] of given.entries()) {
    const before = parents.filter((back) => back <= index).map((back) => index - back)
    const treeId = applyOperations(
      objects,
      undefined,
      paths.flatMap((path, at) =>
        contents[at] === 0 ? [] : [{ kind: 'add' as const, path, content: `${contents[at]}` }],
      ),
    )
    const { id } = writeCommit(objects, {
      treeId,
      parentIds: before.flatMap((at) => made[at]?.id ?? []),
      // The same tree, parents and date make the same commit.
      title: `${index}`,
      message: '',
      authorName: 'a',
      date: date * 1000,
    })
    made.push({ id, parents: before, date, contents })
  }
  return made
}

function ancestors(all: readonly Made[], head: number): Set<number> {
  const found = new Set([head])
  for (const at of found) for (const parent of all[at]?.parents ?? []) found.add(parent)
  return found
}

/** Each once, none before its children, and of those that may come the newest. */
function assertOrder(all: readonly Made[], head: number, ids: readonly string[]): void {
  const left = ancestors(all, head)
  for (const id of ids) {
    const free = [...left].filter(
      (at) => ![...left].some((child) => all[child]?.parents.includes(at)),
    )
    const newest = Math.max(...free.map((at) => all[at]?.date ?? 0))
    const next = free.find((at) => all[at]?.id === id)
    assert.equal(next === undefined ? undefined : all[next]?.date, newest)
    left.delete(next ?? -1)
  }
  assert.equal(left.size, 0)
}

/** Files at a path or below it; empty = missing. */
function held({ contents }: Made, path: string): string {
  return paths
    .flatMap((file, at) =>
      contents[at] !== 0 && (file === path || file.startsWith(`${path}/`))
        ? [`${file}=${contents[at]}`]
        : [],
    )
    .join()
}

function lastOf(all: readonly Made[], at: number, path: string): string | undefined {
  const commit = all[at]
  if (commit === undefined || held(commit, path) === '') return undefined
  const same = commit.parents.find((parent) => {
    const before = all[parent]
    return before !== undefined && held(before, path) === held(commit, path)
  })
  return same === undefined ? commit.id : lastOf(all, same, path)
}

describe('cached facts of a history', () => {
  test('the facts do not depend on earlier requests', () => {
    const property = fc.property(steps, questions, (given, asked) => {
      const warm = createMemoryObjects().of({ id: 'warm' })
      const all = write(warm, given)
      for (const { at, paths: wanted, offset, limit } of asked) {
        const head = at % all.length
        const id = all[head]?.id ?? ''
        const cold = createMemoryObjects().of({ id: 'cold' })
        write(cold, given)
        const ids = Array.from(listCommits(warm, id), (commit) => commit.id)
        assertOrder(all, head, ids)
        assert.deepEqual(
          ids,
          Array.from(listCommits(cold, id), (commit) => commit.id),
        )
        const page = pageOfCommits(warm, id, { offset, limit })
        assert.equal(page.total, ids.length)
        assert.deepEqual(
          page.commits.map((commit) => commit.id),
          ids.slice(offset, offset + limit),
        )
        const expected = wanted.flatMap((path) => {
          const last = lastOf(all, head, path)
          return last === undefined ? [] : [[path, last] as const]
        })
        const found = Array.from(
          lastCommits(warm, id, wanted),
          ([path, last]) => [path, last.id] as const,
        )
        assert.deepEqual(new Map(found), new Map(expected))
      }
    })
    expect(() => fc.assert(property, { numRuns: 300 })).not.toThrow()
  })
})

test('the merge base of two commits is a common ancestor that no other one has', () => {
  const property = fc.property(steps, fc.nat(), fc.nat(), (given, one, other) => {
    const objects = createMemoryObjects().of({ id: 'repo' })
    const all = write(objects, given)
    const [a, b] = [one % all.length, other % all.length]
    const ofBoth = [...ancestors(all, a)].filter((at) => ancestors(all, b).has(at))
    const best = ofBoth.filter(
      (at) => !ofBoth.some((next) => next !== at && ancestors(all, next).has(at)),
    )
    const newest = Math.max(...best.map((at) => all[at]?.date ?? 0))
    const found = findMergeBase(objects, all[a]?.id ?? '', all[b]?.id ?? '')
    const at = all.findIndex(({ id }) => id === found?.id)
    if (best.length === 0) assert.equal(found, undefined)
    else assert.deepEqual([best.includes(at), all[at]?.date], [true, newest])
  })
  expect(() => fc.assert(property, { numRuns: 500 })).not.toThrow()
})
