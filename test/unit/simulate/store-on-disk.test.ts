import fs from 'node:fs'
import { expect, test } from 'vitest'
import { openStore } from '../../../server/store/store.ts'
import { contents, definitions, note, type NotesStore } from '../../helpers/notes-store.ts'
import { diskOf, installForTests, root, seeds } from './disk-for-tests.ts'

const machine = installForTests()
const directory = `${root}/data`

/** Opens the store as another process, whose predecessor is dead. */
function start(): Promise<NotesStore> {
  // The lock names this process, which lives.
  fs.rmSync(`${directory}/lock.json`, { force: true })
  return openStore(definitions, { formatVersion: 1, directory, onProblem: () => undefined })
}

/** Starts on a new disk. */
function startNew(seed: number | string): Promise<NotesStore> {
  machine.disk = diskOf(seed)
  return start()
}

const idsOf = (store: NotesStore) => contents(store).notes.map(({ id }) => id)

test('the store finds every committed change after a kill', async () => {
  for (const seed of seeds(30)) {
    const store = await startNew(seed)
    for (const id of ['1', '2', '3']) {
      store.collections.notes.put(note(id))
      await store.committed()
    }
    machine.disk = machine.disk.crash('kill')
    expect(idsOf(await start())).toEqual(['1', '2', '3'])
  }
})

test('the store finds every synced change after a power cut', async () => {
  for (const seed of seeds(100)) {
    const store = await startNew(seed)
    for (const id of ['1', '2', '3']) {
      store.collections.notes.put(note(id))
      await store.synced()
    }
    machine.disk = machine.disk.crash('power cut')
    expect(idsOf(await start())).toEqual(['1', '2', '3'])
  }
})

/** Dies within an operation of a renewal of the snapshot; false if it has fewer operations. */
async function renewUntil(
  seed: number,
  operation: number,
  kind: 'kill' | 'power cut',
): Promise<boolean> {
  const store = await startNew(`${seed} ${operation}`)
  const sure = ['1', '2', '3']
  for (const id of sure) store.collections.notes.put(note(id, `title ${id}`))
  await store.synced()
  const dies = new Promise<true>((resolve) => {
    machine.disk.dieAfter(operation, () => resolve(true))
  })
  const renews = store.renewSnapshot()
  store.collections.notes.put(note('4'))
  const commits = store.committed()?.then(
    () => kind === 'kill' && sure.push('4'),
    () => undefined,
  )
  const hasDied = await Promise.race([dies, Promise.all([renews, commits]).then(() => false)])
  // Before the death, the change may have been committed, but its caller has not learned of it.
  await Promise.resolve()
  machine.disk = machine.disk.crash(kind)
  expect(idsOf(await start())).toEqual(expect.arrayContaining(sure))
  return hasDied
}

test.for(['kill', 'power cut'] as const)(
  'the store finds every change after a %s within each operation of a snapshot renewal',
  async (kind) => {
    for (const seed of seeds(10)) {
      let operations = 0
      while (await renewUntil(seed, operations, kind)) operations += 1
      // A new segment, a new snapshot, and the old segment is gone.
      expect(operations).toBeGreaterThan(8)
    }
  },
)
