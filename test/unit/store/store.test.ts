import { Buffer } from 'node:buffer'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test, vi } from 'vitest'
import { StateError } from '../../../server/store/errors.ts'
import { fileHandlePrototype, fillDisk } from '../../helpers/failing-disk.ts'
import { contents, note, openNotes, type Reader } from '../../helpers/notes-store.ts'
import { temporaryDirectory } from '../../helpers/temporary-directory.ts'

/** Units of the journal, without its header, marks and checksums. */
function journalLines(directory: string, number = 1): unknown[] {
  const text = readFileSync(join(directory, `journal-${number}.ndjson`), 'utf8')
  const lines = text.split('\n')
  expect(lines.pop()).toBe('')
  const units = lines.slice(1).filter((line) => !line.startsWith('{"synced":'))
  return units.map((line) => (JSON.parse(line) as unknown[]).slice(0, -1))
}

describe('committed', () => {
  test('committed() is undefined when nothing waits', async () => {
    const store = await openNotes({ directory: temporaryDirectory() })
    expect(store.committed()).toBeUndefined()
    store.collections.notes.put(note('1'))
    const committed = store.committed()
    expect(committed).toBeInstanceOf(Promise)
    await committed
    expect(store.committed()).toBeUndefined()
  })

  test('committed() resolves once the change is in the file', async () => {
    const directory = temporaryDirectory()
    const store = await openNotes({ directory })
    store.collections.notes.put(note('1'))
    await store.committed()
    expect(journalLines(directory)).toEqual([[['put', 'notes', note('1')]]])
  })

  test('the changes of one synchronous run are one line', async () => {
    const directory = temporaryDirectory()
    const store = await openNotes({ directory })
    const { notes, readers } = store.collections
    notes.put(note('1'))
    const early = store.committed()
    readers.put({ id: 'ann' })
    notes.delete('1')
    await early
    expect(store.committed()).toBeUndefined()
    await sleep(0)
    readers.clear()
    await store.committed()
    expect(journalLines(directory)).toEqual([
      [
        ['put', 'notes', note('1')],
        ['put', 'readers', { id: 'ann' }],
        ['delete', 'notes', '1'],
      ],
      [['clear', 'readers']],
    ])
  })

  test('a replaced record writes only its changed members', async () => {
    const directory = temporaryDirectory()
    const store = await openNotes({ directory })
    const { notes } = store.collections
    const first = notes.put(note('1', 'old', 'red'))
    const renamed = notes.put({ ...first, title: 'new' })
    const untitled = notes.put({ id: '1', tags: renamed.tags })
    notes.put({ ...untitled, title: 'back', tags: ['red'] })
    await store.committed()
    notes.put({ ...untitled, title: 'back', tags: ['blue'] })
    await store.committed()
    expect(journalLines(directory)).toEqual([
      [
        ['put', 'notes', note('1', 'old', 'red')],
        ['set', 'notes', '1', { title: 'new' }],
        ['set', 'notes', '1', {}, ['title']],
        ['set', 'notes', '1', { title: 'back', tags: ['red'] }],
      ],
      [['set', 'notes', '1', { tags: ['blue'] }]],
    ])
  })

  test('an unchanged record writes nothing', async () => {
    const directory = temporaryDirectory()
    const store = await openNotes({ directory })
    const { readers } = store.collections
    readers.put({ id: 'ann' })
    await store.committed()
    readers.put({ id: 'ann' })
    // As in JSON, a member that is undefined is none.
    const unset = { id: 'ann', city: undefined } as unknown as Reader
    readers.put(unset)
    expect(store.committed()).toBeUndefined()
    readers.put({ id: 'ann', city: 'Ulm' })
    readers.put(unset)
    await store.committed()
    expect(journalLines(directory)).toEqual([
      [['put', 'readers', { id: 'ann' }]],
      [
        ['set', 'readers', 'ann', { city: 'Ulm' }],
        ['set', 'readers', 'ann', {}, ['city']],
      ],
    ])
  })

  test('changes during a write share the next one', async () => {
    const directory = temporaryDirectory()
    const store = await openNotes({ directory })
    const request = async (id: string) => {
      await Promise.resolve()
      store.collections.notes.put(note(id))
      await store.committed()
    }
    await Promise.all(Array.from({ length: 50 }, (_, index) => request(`a${index}`)))
    const { journalWrites } = store.stats()
    expect(journalWrites).toBe(1)
    expect(journalLines(directory).flat()).toHaveLength(50)

    store.collections.notes.put(note('first'))
    const first = store.committed()
    await Promise.resolve()
    await new Promise(setImmediate)
    await Promise.all(Array.from({ length: 50 }, (_, index) => request(`b${index}`)))
    await first
    expect(store.stats().journalWrites).toBe(journalWrites + 2)
  })

  test('committed() waits for the change of its caller', async () => {
    const directory = temporaryDirectory()
    const store = await openNotes({ directory })
    const wrong: string[] = []
    const request = async (id: string, hops: number) => {
      for (let hop = 0; hop < hops; hop += 1) await Promise.resolve()
      store.collections.notes.put(note(id))
      await store.committed()
      const isThere = readFileSync(join(directory, 'journal-1.ndjson'), 'utf8').includes(`"${id}"`)
      if (!isThere) wrong.push(id)
    }
    for (let round = 0; round < 20; round += 1) {
      await Promise.all(Array.from({ length: 12 }, (_, hops) => request(`${round}.${hops}`, hops)))
    }
    expect(wrong).toEqual([])
  })
})

describe('the disk', () => {
  test('the disk is synced soon, however many writes follow', async () => {
    const store = await openNotes({ directory: temporaryDirectory() })
    const datasync = vi.spyOn(await fileHandlePrototype(), 'datasync')
    let pending: Promise<void> | undefined
    while (datasync.mock.calls.length === 0) {
      store.collections.notes.put(note('1'))
      await pending
      pending = store.committed()
    }
    await pending
    datasync.mockClear()
    await vi.waitFor(() => expect(datasync).toHaveBeenCalled(), { timeout: 10_000 })
  })

  test('synced() and close() sync the disk', async () => {
    const directory = temporaryDirectory()
    const store = await openNotes({ directory })
    const prototype = await fileHandlePrototype()
    const datasync = vi.spyOn(prototype, 'datasync')
    await store.synced()
    // The changes, and the mark that says that they are synced.
    expect(datasync).toHaveBeenCalledTimes(2)
    store.collections.notes.put(note('1'))
    const synced = store.synced()
    await synced
    expect(journalLines(directory)).toHaveLength(1)
    expect(datasync).toHaveBeenCalledTimes(4)
    datasync.mockRejectedValueOnce(Object.assign(new Error('EIO'), { code: 'EIO' }))
    await expect(store.synced()).rejects.toThrow(StateError)
    datasync.mockRestore()
    await store.close()
    await store.synced()
  })

  test('a failed sync is reported', async () => {
    const onProblem = vi.fn<(message: string) => void>()
    const store = await openNotes({ directory: temporaryDirectory(), onProblem })
    const error = Object.assign(new Error('EIO: i/o error'), { code: 'EIO' })
    vi.spyOn(await fileHandlePrototype(), 'datasync').mockRejectedValueOnce(error)
    store.collections.notes.put(note('1'))
    await store.committed()
    await vi.waitFor(() => expect(onProblem).toHaveBeenCalledOnce(), { timeout: 10_000 })
    expect(onProblem.mock.calls[0]?.[0]).toMatch(
      /^cannot sync .*journal-1\.ndjson: the disk reports an error \(EIO\)$/,
    )
  })
})

describe('a disk that refuses', () => {
  // A large write takes another way to the disk than a small one.
  test.each([
    [0, 'a few'],
    [7, 'a few'],
    [40, 'a few'],
    [40, '100,000'],
  ])('waiting callers get the error; %i bytes of %s do no harm later', async (keptBytes, size) => {
    const title = size === 'a few' ? 'refused' : 'r'.repeat(100_000)
    const directory = temporaryDirectory()
    const onProblem = vi.fn<(message: string) => void>()
    const store = await openNotes({ directory, onProblem })
    store.collections.notes.put(note('before'))
    await store.committed()

    const disk = await fillDisk(keptBytes)
    store.collections.notes.put(note('refused', title))
    const refused = store.committed()
    await expect(refused).rejects.toThrow(StateError)
    await expect(refused).rejects.toThrow(
      /cannot write .*journal-1\.ndjson: the disk is full \(ENOSPC\)/,
    )
    expect(onProblem).toHaveBeenCalledExactlyOnceWith(
      expect.stringContaining('the disk is full (ENOSPC); changes are kept in memory'),
    )
    expect(store.collections.notes.has('refused')).toBe(true)
    await expect(store.committed()).rejects.toThrow('ENOSPC')

    disk.repair()
    store.collections.notes.put(note('after'))
    await store.committed()
    expect(journalLines(directory)).toEqual(
      [note('before'), note('refused', title), note('after')].map((put) => [['put', 'notes', put]]),
    )
  })

  test('the next caller repeats a failed write', async () => {
    const directory = temporaryDirectory()
    const store = await openNotes({ directory, onProblem: () => undefined })
    const disk = await fillDisk()
    store.collections.notes.put(note('1'))
    await expect(store.committed()).rejects.toThrow('ENOSPC')
    disk.repair()
    await store.committed()
    expect(store.committed()).toBeUndefined()
    expect(journalLines(directory)).toHaveLength(1)
  })

  test('a failed write is repeated soon without a caller', async () => {
    const directory = temporaryDirectory()
    const store = await openNotes({ directory, onProblem: () => undefined })
    const disk = await fillDisk()
    store.collections.notes.put(note('1'))
    await vi.waitFor(() => expect(disk.failures).toBe(1))
    disk.repair()
    await vi.waitFor(() => expect(journalLines(directory)).toHaveLength(1), { timeout: 3000 })
  })

  test('snapshot and close fail, and the folder is unlocked', async () => {
    const directory = temporaryDirectory()
    const onProblem = vi.fn<(message: string) => void>()
    const store = await openNotes({ directory, onProblem })
    store.collections.notes.put(note('1'))
    await store.committed()
    const disk = await fillDisk()
    store.collections.notes.put(note('2'))
    await expect(store.renewSnapshot()).rejects.toThrow('ENOSPC')
    await expect(store.close()).rejects.toThrow('ENOSPC')
    disk.repair()
    const reopened = await openNotes({ directory })
    expect(contents(reopened).notes).toEqual([note('1')])
  })

  test('a full disk leaves the old snapshot and the whole journal', async () => {
    const directory = temporaryDirectory()
    const onProblem = vi.fn<(message: string) => void>()
    const store = await openNotes({ directory, onProblem })
    store.collections.notes.put(note('1'))
    await store.renewSnapshot()
    store.collections.notes.put(note('2'))
    await store.committed()
    // A folder where the new snapshot is to be written stands for whatever can go wrong there.
    mkdirSync(join(directory, 'state.json.tmp'))
    await expect(store.renewSnapshot()).rejects.toThrow(
      /cannot write .*state\.json: it is a folder/,
    )
    store.collections.notes.put(note('3'))
    await store.committed()
    expect(readdirSync(directory)).toEqual(
      expect.arrayContaining(['journal-2.ndjson', 'journal-3.ndjson', 'state.json']),
    )
    await store.close()
    expect(onProblem).toHaveBeenCalledExactlyOnceWith(expect.stringContaining('is not renewed'))
    rmdirSync(join(directory, 'state.json.tmp'))
    const reopened = await openNotes({ directory })
    expect(contents(reopened).notes).toEqual(['1', '2', '3'].map((id) => note(id)))
  })
})

describe('folder removed while in use', () => {
  const gone = /journal-1\.ndjson was removed or moved while the sandbox ran/

  test.each([
    ['removed', (directory: string) => rmSync(directory, { recursive: true })],
    ['moved', (directory: string) => renameSync(directory, `${directory}-moved`)],
  ])('changes fail after the folder is %s', async (_name, take) => {
    const directory = join(temporaryDirectory(), 'data')
    const onProblem = vi.fn<(message: string) => void>()
    const store = await openNotes({ directory, onProblem })
    take(directory)
    store.collections.notes.put(note('1'))
    await store.committed()
    await vi.waitFor(() => expect(onProblem).toHaveBeenCalled(), { timeout: 10_000 })
    expect(onProblem.mock.calls[0]?.[0]).toMatch(gone)
    store.collections.notes.put(note('2'))
    await expect(store.committed()).rejects.toThrow(gone)
    await expect(store.close()).rejects.toThrow(gone)
    expect(existsSync(directory)).toBe(false)
  })

  test('a recreated folder belongs to its new owner', async () => {
    const directory = join(temporaryDirectory(), 'data')
    const first = await openNotes({ directory, onProblem: () => undefined })
    first.collections.notes.put(note('of the first'))
    rmSync(directory, { recursive: true })
    const second = await openNotes({ directory })
    second.collections.notes.put(note('of the second'))
    await second.committed()
    await expect(first.renewSnapshot()).rejects.toThrow(gone)
    await expect(first.close()).rejects.toThrow(gone)
    expect(journalLines(directory)).toEqual([[['put', 'notes', note('of the second')]]])
    await second.close()
    const reopened = await openNotes({ directory })
    expect(contents(reopened).notes).toEqual([note('of the second')])
  })
})

describe('snapshot', () => {
  test('a snapshot is readable JSON with one record per line', async () => {
    const directory = temporaryDirectory()
    const store = await openNotes({ directory })
    store.collections.notes.put(note('1', 'A "title"\nof two lines', 'ü'))
    store.collections.notes.put(note('2'))
    await store.renewSnapshot()
    const text = readFileSync(join(directory, 'state.json'), 'utf8')
    expect(text.split('\n')).toHaveLength(9)
    expect(JSON.parse(text)).toEqual({
      crc32: expect.stringMatching(/^[0-9a-f]{8}$/),
      format: 1,
      journal: 2,
      collections: contents(store),
    })
    expect(store.stats()).toMatchObject({ snapshots: 1, snapshotBytes: Buffer.byteLength(text) })
    expect(readdirSync(directory).toSorted()).toEqual([
      'journal-2.ndjson',
      'lock.json',
      'state.json',
    ])
  })

  test('a snapshot is not renewed when nothing changed', async () => {
    const store = await openNotes({ directory: temporaryDirectory() })
    await store.renewSnapshot()
    store.collections.notes.put(note('1'))
    await Promise.all([store.renewSnapshot(), store.renewSnapshot()])
    expect(store.stats().snapshots).toBe(1)
  })

  test('a snapshot never splits a unit', async () => {
    const directory = temporaryDirectory()
    const store = await openNotes({ directory })
    store.collections.notes.put(note('1'))
    const renewed = store.renewSnapshot()
    store.collections.notes.put(note('2'))
    await renewed
    expect(journalLines(directory, 2)).toEqual([])
    await store.close()
    expect(contents(await openNotes({ directory })).notes).toEqual([note('1'), note('2')])
  })

  test('a snapshot waits for the unit that begins before it', async () => {
    const directory = temporaryDirectory()
    const store = await openNotes({ directory })
    store.collections.notes.put(note('1'))
    await store.committed()
    const renewed = store.renewSnapshot()
    store.collections.notes.delete('1')
    store.collections.notes.put(note('1'))
    store.collections.notes.put(note('2'))
    await renewed
    expect(journalLines(directory, 2)).toEqual([])
    await store.close()
    expect(contents(await openNotes({ directory })).notes).toEqual([note('1'), note('2')])
  })

  test('a snapshot has the moment of its request and loses no write', async () => {
    const directory = temporaryDirectory()
    const store = await openNotes({ directory })
    const { notes } = store.collections
    for (let id = 0; id < 2000; id += 1) notes.put(note(`${id}`, `title ${id}`, 'old'))
    await store.committed()

    const renewed = store.renewSnapshot()
    let writes = 0
    for (; store.stats().snapshots === 0 || writes < 100; writes += 1) {
      // Titles move from one note to another: replay must never see a note from the future.
      const id = 1999 - (writes % 1999)
      notes.delete(`${id}`)
      notes.put(note(`new ${writes}`, `title ${id}`, 'new'))
      notes.put(note(`${id}`, `title ${id} of ${writes}`, 'old', 'new'))
      notes.delete(`new ${writes}`)
      notes.put(note(`${id - 1}`, `title ${id - 1}`, 'new'))
      await store.committed()
    }
    await renewed
    await store.committed()

    const before = contents(store)
    expect(store.stats().snapshots).toBe(1)
    const copy = temporaryDirectory()
    for (const name of readdirSync(directory).filter((file) => file !== 'lock.json')) {
      writeFileSync(join(copy, name), readFileSync(join(directory, name)))
    }
    const reopened = await openNotes({ directory: copy })
    expect(contents(reopened)).toEqual(before)
    expect(reopened.collections.notes.group('tag', 'new')).toEqual(notes.group('tag', 'new'))
  })

  test('a snapshot is renewed when the journal outgrows both the limit and the snapshot', async () => {
    const directory = temporaryDirectory()
    const store = await openNotes({ directory, snapshotAfterBytes: 2000 })
    const { notes } = store.collections
    const grow = async (times: number) => {
      for (let count = 0; count < times; count += 1) {
        notes.put(note(`${notes.size}`, 'x'.repeat(100) + notes.size))
        await store.committed()
      }
    }
    await grow(10)
    expect(store.stats().snapshots).toBe(0)
    await grow(20)
    await vi.waitFor(() => expect(store.stats().snapshots).toBeGreaterThan(0))
    await grow(200)
    const limit = () => Math.max(2000, store.stats().snapshotBytes)
    await vi.waitFor(() => expect(store.stats().journalBytes).toBeLessThanOrEqual(limit()))
    // Each snapshot is about twice as large as the one before, so there are few of them.
    expect(store.stats().snapshots).toBeLessThan(10)
  })

  test('a failed automatic snapshot is reported', async () => {
    const directory = temporaryDirectory()
    const onProblem = vi.fn<(message: string) => void>()
    const store = await openNotes({ directory, snapshotAfterBytes: 100, onProblem })
    mkdirSync(join(directory, 'state.json.tmp'))
    store.collections.notes.put(note('1', 'x'.repeat(200)))
    await store.committed()
    await vi.waitFor(() => expect(onProblem).toHaveBeenCalledOnce())
    expect(onProblem.mock.calls[0]?.[0]).toMatch(/^the snapshot is not renewed: cannot write /)
  })
})

describe('close', () => {
  test('close() saves, unlocks and refuses further changes', async () => {
    const directory = temporaryDirectory()
    const store = await openNotes({ directory })
    store.collections.notes.put(note('1'))
    await Promise.all([store.close(), store.close()])
    expect(readdirSync(directory).toSorted()).toEqual(['journal-2.ndjson', 'state.json'])
    expect(() => store.collections.notes.put(note('2'))).toThrow('the state is closed')
    expect(store.collections.notes.size).toBe(1)
  })

  test('files and folder are readable by their owner only', async () => {
    const directory = join(temporaryDirectory(), 'made', 'here')
    const store = await openNotes({ directory })
    store.collections.notes.put(note('1'))
    await store.renewSnapshot()
    const modeOf = (path: string) => statSync(path).mode & 0o777
    expect(modeOf(directory)).toBe(0o700)
    for (const name of readdirSync(directory)) expect(modeOf(join(directory, name))).toBe(0o600)
  })
})

describe('isNew', () => {
  test('isNew is true until something was stored', async () => {
    const directory = temporaryDirectory()
    const opened: boolean[] = []
    for (let round = 0; round < 4; round += 1) {
      const store = await openNotes({ directory })
      opened.push(store.isNew)
      if (round === 1) store.collections.notes.put(note('1'))
      if (round === 2) store.collections.notes.clear()
      await store.close()
    }
    expect(opened).toEqual([true, true, false, false])
  })
})

describe('without a folder', () => {
  test('the store behaves the same without the disk', async () => {
    const store = await openNotes()
    expect(store.isNew).toBe(true)
    store.collections.notes.put(note('1', 'one'))
    expect(store.committed()).toBeUndefined()
    await store.renewSnapshot()
    store.updateLock({ url: 'http://localhost:4000' })
    expect(store.collections.notes.find('title', 'one')).toEqual(note('1', 'one'))
    expect(store.stats()).toEqual({
      journalBytes: 0,
      journalWrites: 0,
      snapshotBytes: 0,
      snapshots: 0,
    })
    await store.close()
    expect(() => store.collections.notes.put(note('2'))).toThrow('the state is closed')
  })
})
