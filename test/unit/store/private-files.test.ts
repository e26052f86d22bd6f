import {
  chmodSync,
  chownSync,
  lchownSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { checkFolder } from '../../../server/cli/doctor/check-machine.ts'
import { keepCertificate } from '../../../server/app/certificate.ts'
import { acquireLock, FolderError } from '../../../server/store/lock.ts'
import { findFolderProblem } from '../../../server/store/private-files.ts'
import { openNotes } from '../../helpers/notes-store.ts'
import { temporaryDirectory } from '../../helpers/temporary-directory.ts'

const stranger = 12_345
const isRoot = process.getuid?.() === 0
const hasOwners = process.getuid !== undefined

/** A folder as a user makes one, below a private one. */
function makeFolder(mode = 0o700): string {
  const folder = join(temporaryDirectory(), 'data')
  mkdirSync(folder)
  chmodSync(folder, mode)
  return folder
}

const names = ['localhost']

/** Every way into a data folder refuses it alike. */
async function expectRefusal(folder: string, words: RegExp): Promise<void> {
  await expect(acquireLock(folder)).rejects.toThrow(FolderError)
  await expect(acquireLock(folder)).rejects.toThrow(words)
  await expect(openNotes({ directory: folder })).rejects.toThrow(words)
  await expect(keepCertificate(folder, names)).rejects.toThrow(words)
  expect(await checkFolder(folder)).toContainEqual(
    expect.objectContaining({ level: 'fail', text: expect.stringMatching(words) as string }),
  )
}

async function expectUse(folder: string): Promise<void> {
  const lock = await acquireLock(folder)
  expect(findFolderProblem(folder)).toBeUndefined()
  lock.release()
}

describe.skipIf(!hasOwners)('a data folder', () => {
  test.each([0o777, 0o770, 0o720, 0o702, 0o1777])(
    'that others can write (mode %o) is refused with the fix',
    async (mode) => {
      const folder = makeFolder(mode)
      await expectRefusal(folder, /Others on this machine can write to /)
      await expect(acquireLock(folder)).rejects.toThrow(`chmod go-w ${folder}`)
      chmodSync(folder, mode & 0o755)
      await expectUse(folder)
    },
  )

  test.each([0o700, 0o750, 0o755])(
    'that others can read at most (mode %o) is used',
    async (mode) => {
      await expectUse(makeFolder(mode))
    },
  )

  test('that is made by the sandbox is private', async () => {
    const folder = join(temporaryDirectory(), 'new', 'data')
    const lock = await acquireLock(folder)
    expect(statSync(folder).mode & 0o777).toBe(0o700)
    lock.release()
  })

  test('with a folder in it that others can write is refused', async () => {
    const folder = makeFolder()
    mkdirSync(join(folder, 'repos'))
    chmodSync(join(folder, 'repos'), 0o777)
    await expectRefusal(folder, /can write to .*repos/)
  })

  test.skipIf(!isRoot)('of another user is refused, with the fix', async () => {
    const folder = makeFolder()
    chownSync(folder, stranger, stranger)
    await expectRefusal(folder, /belongs to another user \(12345\)/)
    await expect(acquireLock(folder)).rejects.toThrow('Start the sandbox as that user')
  })

  test.skipIf(!isRoot)('that is reached by a link of another user is refused', async () => {
    const folder = makeFolder()
    const link = join(temporaryDirectory(), 'link')
    symlinkSync(folder, link)
    await expectUse(link)
    lchownSync(link, stranger, stranger)
    await expectRefusal(link, /a link that belongs to another user/)
  })

  test.skipIf(!isRoot)('with a file or a link of another user in it is refused', async () => {
    for (const plant of [
      (path: string) => writeFileSync(path, 'x'),
      (path: string) => symlinkSync('/nowhere', path),
    ]) {
      const folder = makeFolder()
      const path = join(folder, 'certificate-key.pem')
      plant(path)
      lchownSync(path, stranger, stranger)
      // eslint-disable-next-line no-await-in-loop -- one after the other, to tell which failed
      await expectRefusal(folder, /certificate-key\.pem belongs to another user/)
    }
  })

  test.skipIf(!isRoot)('is that of root for root alone', () => {
    const folder = makeFolder()
    expect(findFolderProblem(folder, 0)).toBeUndefined()
    expect(findFolderProblem(folder, stranger)?.problem).toContain('another user (0)')
  })

  test('that is a mounted volume may have another owner', () => {
    expect(findFolderProblem('/proc', stranger)).toBeUndefined()
  })
})

describe('files of a data folder', () => {
  const victim = () => {
    const path = join(temporaryDirectory(), 'victim')
    writeFileSync(path, 'precious')
    return path
  }

  test('are refused where the certificate is a link, and replaced where its key alone is one', async () => {
    for (const [name, expected] of [
      ['certificate.pem', expect.stringContaining('it is a link')],
      ['certificate-key.pem', { isFile: true }],
    ] as const) {
      const [folder, target] = [makeFolder(), victim()]
      const path = join(folder, name)
      symlinkSync(target, path)
      // eslint-disable-next-line no-await-in-loop -- one after the other, to tell which failed
      const outcome = await keepCertificate(folder, names).catch(String)
      const seen = name === 'certificate.pem' ? outcome : { isFile: lstatSync(path).isFile() }
      expect(seen).toEqual(expected)
      expect(readFileSync(target, 'utf8')).toBe('precious')
    }
  })

  test.each(['certificate-key.pem.tmp', 'lock.json.tmp', 'state.json.tmp', 'journal-2.ndjson'])(
    'are written beside a link at %s, and never through it',
    async (name) => {
      const [folder, target] = [makeFolder(), victim()]
      symlinkSync(target, join(folder, name))
      await keepCertificate(folder, names)
      const store = await openNotes({ directory: folder }).catch((error: unknown) => error as Error)
      if (!(store instanceof Error)) {
        store.collections.notes.put({ id: '1', text: 'x' } as never)
        store.updateLock({ url: 'http://localhost:1' })
        await store.renewSnapshot()
        await store.close()
      }
      expect(readFileSync(target, 'utf8')).toBe('precious')
    },
  )

  test.each(['lock.json', 'state.json', 'journal-1.ndjson'])(
    'are refused where %s is a link, with the fix',
    async (name) => {
      const [folder, target] = [makeFolder(), victim()]
      symlinkSync(target, join(folder, name))
      await expect(openNotes({ directory: folder })).rejects.toThrow(/is a link.*remove it/)
      expect(readFileSync(target, 'utf8')).toBe('precious')
    },
  )
})
