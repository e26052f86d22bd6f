import { parseCommit, parseTag } from './commit-codec.ts'
import type { GitObject } from './loose-object.ts'
import { parseTreePart } from './tree-codec.ts'
import { performance, sleep } from '../core/timers.ts'

/** How long unused objects are looked for before others have their turn, and for how long then. */
const [sliceMs, restMs] = [5, 20]

/** So many are read at the same time. */
const readTogether = 8

/** So many entries of a folder are looked at in one step. */
const entriesAtOnce = 1000

/** @returns `undefined` for what is not there */
type ReadObject = (id: string) => Promise<GitObject | undefined>

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
export async function* reach(
  read: ReadObject,
  ids: Iterable<string>,
  reached: Set<string>,
): AsyncGenerator<void, void, undefined> {
  // Beside what is reached: what is a file to one may be a folder to another.
  const opened = new Set(ids)
  const open = [...opened]
  for (const id of open) reached.add(id)
  while (open.length > 0) {
    const batch = open.splice(-readTogether)
    for (const object of await Promise.all(batch.map(read))) {
      for (const needs of needsOf(object)) {
        yield
        for (const { id, isBlob } of needs) {
          reached.add(id)
          if (isBlob || opened.has(id)) continue
          opened.add(id)
          open.push(id)
        }
      }
    }
  }
}

/**
 * Puts objects in an order in which each is before those of them that it needs: a removal in this order that is cut off
 * leaves none that lacks what was there.
 * @param order takes their ids
 */
export async function* usersFirst(
  read: ReadObject,
  ids: ReadonlySet<string>,
  order: string[],
): AsyncGenerator<void, void, undefined> {
  const needed: string[] = []
  const seen = new Set<string>()
  for (const start of ids) {
    if (seen.has(start)) continue
    seen.add(start)
    const path = [{ id: start, needs: yield* needsAmong(start) }]
    for (let last = path.at(-1); last !== undefined; last = path.at(-1)) {
      yield
      const next = last.needs.pop()
      if (next === undefined) {
        path.pop()
        needed.push(last.id)
      } else if (!seen.has(next)) {
        seen.add(next)
        path.push({ id: next, needs: yield* needsAmong(next) })
      }
    }
  }
  for (const id of needed.toReversed()) order.push(id)

  async function* needsAmong(id: string): AsyncGenerator<void, string[], undefined> {
    const among: string[] = []
    for (const needs of needsOf(await read(id))) {
      yield
      for (const need of needs) if (ids.has(need.id)) among.push(need.id)
    }
    return among
  }
}

/** A few at a time: a folder may have a hundred thousand entries. */
function* needsOf(object: GitObject | undefined): Generator<readonly Need[], void, undefined> {
  switch (object?.type) {
    case 'commit': {
      const { treeId, parentIds } = parseCommit(object.content)
      yield [treeId, ...parentIds].map((id) => ({ id, isBlob: false }))
      return
    }
    case 'tree':
      yield* needsOfTree(object.content)
      return
    case 'tag':
      yield [{ id: parseTag(object.content).objectId, isBlob: false }]
      return
    default:
  }
}

function* needsOfTree(content: Buffer): Generator<readonly Need[], void, undefined> {
  for (let start = 0; start < content.length;) {
    const { entries, end } = parseTreePart(content, start, entriesAtOnce)
    // What is in a submodule is in another repo.
    yield entries.flatMap(({ type, oid }) =>
      type === 'submodule' ? [] : [{ id: oid, isBlob: type === 'file' }],
    )
    start = end
  }
}

/**
 * Takes all steps, a few at a time, since others have to be answered meanwhile.
 * @returns whether it was not ended before
 */
export async function takeSteps(
  steps: Iterator<void> | AsyncIterator<void>,
  hasEnded: () => boolean,
): Promise<boolean> {
  // Waiting for the disk holds up nobody.
  let started = performance.eventLoopUtilization()
  while ((await steps.next()).done !== true) {
    if (hasEnded()) return false
    if (performance.eventLoopUtilization(started).active < sliceMs) continue
    await sleep(restMs)
    started = performance.eventLoopUtilization()
  }
  return !hasEnded()
}
