import { setTimeout as sleep } from 'node:timers/promises'
import { parseCommit, parseTag } from './commit-codec.ts'
import type { GitObject } from './loose-object.ts'
import { parseTree } from './tree-codec.ts'

/** How long unused objects are looked for before others have their turn, and for how long then. */
const [sliceMs, restMs] = [5, 20]

/** @returns `undefined` for what is not there */
type ReadObject = (id: string) => GitObject | undefined

interface Need {
  readonly id: string
  /** Whether it may need others itself. */
  readonly isBlob: boolean
}

/**
 * Finds all that objects need, themselves included: what is missing has nothing behind it.
 * @param reached takes their ids
 * @throws as `read`: what a damaged one needs is not known
 */
export function* reach(
  read: ReadObject,
  ids: Iterable<string>,
  reached: Set<string>,
): Generator<void, void, undefined> {
  // A set also takes what is added while it is walked.
  const open = new Set(ids)
  for (const id of open) {
    yield
    reached.add(id)
    for (const need of needsOf(read(id))) {
      if (need.isBlob) reached.add(need.id)
      else if (!reached.has(need.id)) open.add(need.id)
    }
  }
}

/**
 * Puts objects in an order in which each is before those of them that it needs: whoever removes them so and is cut off
 * leaves none that lacks what was there.
 * @param order takes their ids
 */
export function* usersFirst(
  read: ReadObject,
  ids: ReadonlySet<string>,
  order: string[],
): Generator<void, void, undefined> {
  const needed: string[] = []
  const seen = new Set<string>()
  for (const start of ids) {
    if (seen.has(start)) continue
    seen.add(start)
    const path = [{ id: start, needs: needsAmong(start) }]
    for (let last = path.at(-1); last !== undefined; last = path.at(-1)) {
      yield
      const next = last.needs.pop()
      if (next === undefined) {
        path.pop()
        needed.push(last.id)
      } else if (!seen.has(next)) {
        seen.add(next)
        path.push({ id: next, needs: needsAmong(next) })
      }
    }
  }
  for (const id of needed.toReversed()) order.push(id)

  function needsAmong(id: string): string[] {
    return needsOf(read(id)).flatMap((need) => (ids.has(need.id) ? [need.id] : []))
  }
}

function needsOf(object: GitObject | undefined): readonly Need[] {
  switch (object?.type) {
    case 'commit': {
      const { treeId, parentIds } = parseCommit(object.content)
      return [treeId, ...parentIds].map((id) => ({ id, isBlob: false }))
    }
    case 'tree':
      // What is in a submodule is in another repo.
      return parseTree(object.content).flatMap(({ type, oid }) =>
        type === 'submodule' ? [] : [{ id: oid, isBlob: type === 'file' }],
      )
    case 'tag':
      return [{ id: parseTag(object.content).objectId, isBlob: false }]
    default:
      return []
  }
}

/**
 * Takes all steps, a few at a time, since others have to be answered meanwhile.
 * @returns whether it was not ended before
 */
export async function takeSteps(steps: Iterator<void>, hasEnded: () => boolean): Promise<boolean> {
  let started = performance.now()
  while (steps.next().done !== true) {
    if (hasEnded()) return false
    if (performance.now() - started < sliceMs) continue
    await sleep(restMs)
    started = performance.now()
  }
  return !hasEnded()
}
