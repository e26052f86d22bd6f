import { copyFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { errorCode } from '../../../server/store/errors.ts'
import { type Note, type NotesStore, openNotes } from '../../helpers/notes-store.ts'
import { temporaryDirectory } from '../../helpers/temporary-directory.ts'

type Step =
  | { kind: 'put'; note: Note }
  | { kind: 'delete'; id: string }
  | { kind: 'clear' | 'commit' | 'pause' | 'renew' | 'renew meanwhile' | 'reopen' | 'kill' }

const ids = ['1', '2', '3', '4', '5']
const titles = ['a', 'b', 'c']
const tags = ['red', 'blue']

const noteOf = fc.record(
  {
    id: fc.constantFrom(...ids),
    title: fc.constantFrom(...titles),
    tags: fc.array(fc.constantFrom(...tags), { maxLength: 2 }),
  },
  { requiredKeys: ['id', 'tags'] },
)
const kind = (...kinds: Exclude<Step['kind'], 'put' | 'delete'>[]) =>
  fc.record({ kind: fc.constantFrom(...kinds) })
const stepOf: fc.Arbitrary<Step> = fc.oneof(
  { weight: 12, arbitrary: fc.record({ kind: fc.constant('put' as const), note: noteOf }) },
  {
    weight: 4,
    arbitrary: fc.record({ kind: fc.constant('delete' as const), id: fc.constantFrom(...ids) }),
  },
  { weight: 4, arbitrary: kind('commit', 'pause') },
  { weight: 3, arbitrary: kind('renew', 'renew meanwhile', 'reopen', 'kill') },
  { weight: 1, arbitrary: kind('clear') },
)

/** The plainest thing that could work: no index, no file. */
class Model {
  notes: Note[] = []

  put(note: Note): boolean {
    const isTaken = this.notes.some(
      ({ id, title }) => id !== note.id && title !== undefined && title === note.title,
    )
    if (isTaken) return false
    const place = this.notes.findIndex(({ id }) => id === note.id)
    this.notes = place < 0 ? [...this.notes, note] : this.notes.with(place, note)
    return true
  }

  delete(id: string): boolean {
    const rest = this.notes.filter((note) => note.id !== id)
    const isFound = rest.length < this.notes.length
    this.notes = rest
    return isFound
  }
}

function expectSame({ collections: { notes } }: NotesStore, model: Model): void {
  expect([...notes.values()]).toEqual(model.notes)
  expect([...notes.newestFirst()]).toEqual(model.notes.toReversed())
  expect(notes.size).toBe(model.notes.length)
  expect(notes.first()).toEqual(model.notes[0])
  expect(notes.last()).toEqual(model.notes.at(-1))
  for (const id of ids) expect(notes.get(id)).toEqual(model.notes.find((note) => note.id === id))
  for (const title of titles) {
    expect(notes.find('title', title)).toEqual(model.notes.find((note) => note.title === title))
  }
  for (const tag of tags) {
    const group = model.notes.filter((note) => note.tags.includes(tag))
    expect(notes.group('tag', tag)).toEqual(group)
    expect(notes.groupSize('tag', tag)).toBe(group.length)
  }
}

/**
 * What a process killed right now leaves. Of whatever is under way at most one step ends meanwhile, since the
 * next one needs this thread; with the snapshot, last by name, copied last, that makes no difference.
 */
function copyFiles(directory: string): string {
  const copy = temporaryDirectory()
  for (const name of readdirSync(directory).toSorted()) {
    if (name === 'lock.json') continue
    try {
      copyFileSync(join(directory, name), join(copy, name))
    } catch (error) {
      if (errorCode(error) !== 'ENOENT') throw error
    }
  }
  return copy
}

function isPut(notes: NotesStore['collections']['notes'], note: Note): boolean {
  try {
    return notes.put(note) === note
  } catch {
    return false
  }
}

async function run(steps: readonly Step[], isOnDisk: boolean): Promise<void> {
  let directory = temporaryDirectory()
  const open = () => openNotes({ ...(isOnDisk ? { directory } : {}), snapshotAfterBytes: 400 })
  let store = await open()
  const model = new Model()

  async function reopen(kind: 'reopen' | 'kill'): Promise<void> {
    const old = store
    if (kind === 'kill') {
      await old.committed()
      directory = copyFiles(directory)
    } else {
      await old.close()
    }
    store = await open()
    await old.close()
  }

  for (const step of steps) {
    const { notes } = store.collections
    let outcome: [actual: boolean, expected: boolean] | undefined
    if (step.kind === 'put') outcome = [isPut(notes, step.note), model.put(step.note)]
    else if (step.kind === 'delete') outcome = [notes.delete(step.id), model.delete(step.id)]
    else if (step.kind === 'clear') notes.clear()
    else if (step.kind === 'commit') await store.committed()
    else if (step.kind === 'pause') await Promise.resolve()
    else if (step.kind === 'renew') await store.renewSnapshot()
    else if (step.kind === 'renew meanwhile') void store.renewSnapshot()
    else if (isOnDisk) await reopen(step.kind)
    if (step.kind === 'clear') model.notes = []
    expect(outcome?.[0]).toBe(outcome?.[1])
    expectSame(store, model)
  }
  if (isOnDisk) await reopen('reopen')
  expectSame(store, model)
  await store.close()
}

describe('any sequence of steps', () => {
  const steps = fc.array(stepOf, { maxLength: 60 })

  test('the store equals a plain list through every reopening and kill', async () => {
    const property = fc.asyncProperty(steps, (list) => run(list, true))
    await expect(fc.assert(property, { numRuns: 60 })).resolves.toBeUndefined()
  }, 60_000)

  test('the store without a folder equals a plain list', async () => {
    const property = fc.asyncProperty(steps, (list) => run(list, false))
    await expect(fc.assert(property, { numRuns: 100 })).resolves.toBeUndefined()
  }, 60_000)
})
