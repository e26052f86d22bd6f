import { expect, test } from 'vitest'
import { Journal } from '../../../server/store/journal.ts'
import { Segment } from '../../../server/store/segment.ts'
import { note, openNotes } from '../../helpers/notes-store.ts'
import { temporaryDirectory } from '../../helpers/temporary-directory.ts'

const create = (directory: string) => Segment.create(directory, { format: 1, journal: 1 })

test('closing a segment waits for a sync that has begun', async () => {
  const segment = await create(temporaryDirectory())
  const syncs = [segment.sync(), segment.sync()]
  await segment.close()
  await expect(Promise.all(syncs)).resolves.toEqual([undefined, undefined])
})

test('a sync of a closed segment has nothing left to do', async () => {
  const segment = await create(temporaryDirectory())
  await segment.close()
  await expect(segment.sync()).resolves.toBeUndefined()
})

test('a sync that waits for other data succeeds although the journal rotates meanwhile', async () => {
  const directory = temporaryDirectory()
  const waiting: (() => void)[] = []
  let isSlow = true
  const journal = new Journal({
    directory,
    format: 1,
    segment: await create(directory),
    units: 0,
    bytesBefore: 0,
    before: {
      written: () => undefined,
      // Only the first sync has to wait.
      synced: () => (isSlow ? new Promise<void>((resolve) => waiting.push(resolve)) : undefined),
    },
    onWritten: () => undefined,
    onProblem: (message) => {
      throw new Error(message)
    },
  })
  const synced = journal.synced()
  await expect.poll(() => waiting.length).toBe(1)
  isSlow = false
  await journal.rotate().rotated
  for (const resolve of waiting) resolve()
  await expect(synced).resolves.toBeUndefined()
  await journal.close()
})

test('a sync that fails is repeated without another write, and reported once', async () => {
  const problems: string[] = []
  let failures = 3
  let syncs = 0
  const store = await openNotes({
    directory: temporaryDirectory(),
    before: {
      written: () => undefined,
      synced() {
        syncs += 1
        failures -= 1
        return failures < 0 ? undefined : Promise.reject(new Error('the disk is full'))
      },
    },
    onProblem: (message) => problems.push(message),
  })
  store.collections.notes.put(note('1'))
  await store.committed()
  await expect.poll(() => syncs, { timeout: 10_000 }).toBe(4)
  expect(problems).toEqual([expect.stringMatching(/^cannot sync .+: the disk is full$/)])
  await store.close()
})
