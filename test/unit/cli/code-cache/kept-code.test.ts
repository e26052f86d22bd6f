import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { createKeptCode, sweepKeptCode } from '../../../../server/cli/code-cache/kept-code.ts'
import { temporaryDirectory } from '../../../helpers/temporary-directory.ts'

const below = ['hub-sandbox', 'code']
const source = { size: 12, mtimeMs: 1_700_000_000_000.5 }
const code = Buffer.from('what V8 has made of it')
const isRoot = process.getuid?.() === 0
const hasOwners = process.getuid !== undefined

async function written() {
  const base = temporaryDirectory()
  const place = { base, below }
  const kept = createKeptCode(place, 'key')
  expect(await kept.write('a.cjs', source, code)).toBe(true)
  return { base, kept, path: join(kept.folder, 'a.cjs'), again: () => createKeptCode(place, 'key') }
}

describe('compiled code', () => {
  test('is read by any later process as written', async () => {
    const { again } = await written()
    expect(again().read('a.cjs', source)).toEqual(code)
    expect(again().read('b.cjs', source)).toBeUndefined()
  })

  test.runIf(hasOwners)('is not accessible to other users', async () => {
    const { base, path } = await written()
    for (const folder of ['hub-sandbox', 'hub-sandbox/code', 'hub-sandbox/code/key']) {
      expect(statSync(join(base, folder)).mode & 0o777).toBe(0o700)
    }
    expect(statSync(path).mode & 0o777).toBe(0o600)
  })

  test.each([
    ['of another length', { ...source, size: 13 }],
    ['edited since', { ...source, mtimeMs: source.mtimeMs + 1 }],
  ])('of a source that is %s is not read', async (_name, now) => {
    const { kept } = await written()
    expect(kept.read('a.cjs', now)).toBeUndefined()
  })

  test('is not read if damaged anywhere or of another format', async () => {
    const { kept, path } = await written()
    const whole = readFileSync(path)
    for (let at = 0; at < whole.length; at += 1) {
      const damaged = Buffer.from(whole)
      damaged[at] = (damaged[at] ?? 0) ^ 1
      writeFileSync(path, damaged)
      expect(kept.read('a.cjs', source), `byte ${at}`).toBeUndefined()
      writeFileSync(path, whole.subarray(0, at))
      expect(kept.read('a.cjs', source), `${at} bytes`).toBeUndefined()
    }
    writeFileSync(path, 'what another program has put here, long enough to be anything at all')
    expect(kept.read('a.cjs', source)).toBeUndefined()
    expect(await kept.write('a.cjs', source, code)).toBe(true)
    expect(kept.read('a.cjs', source)).toEqual(code)
  })

  test('is neither read nor written through a link', async () => {
    const { kept, path, base } = await written()
    const elsewhere = join(base, 'elsewhere')
    renameSync(path, elsewhere)
    symlinkSync(elsewhere, path)
    expect(kept.read('a.cjs', source)).toBeUndefined()
    const before = readFileSync(elsewhere)
    expect(await kept.write('a.cjs', source, Buffer.from('new'))).toBe(true)
    expect(readFileSync(elsewhere)).toEqual(before)
    expect(kept.read('a.cjs', source)).toEqual(Buffer.from('new'))
  })

  test.each(['hub-sandbox', 'hub-sandbox/code', 'hub-sandbox/code/key'])(
    'is neither read nor written if %s is a link',
    async (folder) => {
      const { base, again } = await written()
      renameSync(join(base, folder), join(base, 'moved'))
      symlinkSync(join(base, 'moved'), join(base, folder))
      expect(again().read('a.cjs', source)).toBeUndefined()
      expect(await again().write('a.cjs', source, code)).toBe(false)
    },
  )

  test.runIf(hasOwners).each(['hub-sandbox', 'hub-sandbox/code', 'hub-sandbox/code/key'])(
    'is neither read nor written if others may write to %s',
    async (folder) => {
      const { base, again } = await written()
      chmodSync(join(base, folder), 0o777)
      expect(again().read('a.cjs', source)).toBeUndefined()
      expect(await again().write('a.cjs', source, code)).toBe(false)
    },
  )

  test
    .runIf(isRoot)
    .each(['', 'hub-sandbox', 'hub-sandbox/code/key', 'hub-sandbox/code/key/a.cjs'])(
    'is not read if "%s" belongs to another user',
    async (path) => {
      const { base, again } = await written()
      chownSync(join(base, path), 12_345, 12_345)
      const isFolder = !path.endsWith('.cjs')
      // What lies in a folder of one's own is one's own, whoever owns the one for all caches.
      expect(again().read('a.cjs', source)).toEqual(path === '' ? code : undefined)
      expect(await again().write('a.cjs', source, code)).toBe(!isFolder)
    },
  )

  test.runIf(isRoot)('leaves nothing in the home of another user', async () => {
    const home = temporaryDirectory()
    chownSync(home, 12_345, 12_345)
    const kept = createKeptCode({ base: join(home, '.cache'), below }, 'key')
    expect(await kept.write('a.cjs', source, code)).toBe(false)
    expect(readdirSync(home)).toEqual([])
  })

  test('is missing without an error if a file blocks the path', async () => {
    const base = temporaryDirectory()
    writeFileSync(join(base, 'hub-sandbox'), '')
    const kept = createKeptCode({ base, below }, 'key')
    expect(kept.read('a.cjs', source)).toBeUndefined()
    expect(await kept.write('a.cjs', source, code)).toBe(false)
  })

  test.each([
    ['a file is where caches go', (home: string) => writeFileSync(join(home, '.cache'), '')],
    ['a link leads to itself', (home: string) => symlinkSync('.cache', join(home, '.cache'))],
  ])('is not read without an error if %s', async (_name, stand) => {
    const home = temporaryDirectory()
    stand(home)
    const kept = createKeptCode({ base: join(home, '.cache'), below }, 'key')
    expect(kept.read('a.cjs', source)).toBeUndefined()
    expect(await kept.write('a.cjs', source, code)).toBe(false)
  })

  test('leaves no draft if it cannot be stored', async () => {
    const { kept, path } = await written()
    mkdirSync(join(kept.folder, 'b.cjs/inside'), { recursive: true })
    expect(await kept.write('b.cjs', source, code)).toBe(false)
    expect(readdirSync(dirname(path)).toSorted()).toEqual(['a.cjs', 'b.cjs'])
  })

  test('is complete for its reader while many write it', async () => {
    const { again } = await written()
    const codes = Array.from({ length: 20 }, (_, n) => Buffer.alloc(200_000, n))
    const writes = codes.map((bytes) => again().write('a.cjs', source, bytes))
    for (let round = 0; round < 20; round += 1) {
      const read = again().read('a.cjs', source)
      expect(read).toBeDefined()
      expect([code, ...codes].some((bytes) => read?.equals(bytes) === true)).toBe(true)
      await new Promise((resolve) => setImmediate(resolve))
    }
    expect(await Promise.all(writes)).toEqual(codes.map(() => true))
  })

  test('of unused programs is deleted, and so are drafts of killed processes', async () => {
    const { kept, path } = await written()
    const programs = dirname(kept.folder)
    const old = Array.from({ length: 10 }, (_, n) => join(programs, `old-${n}`))
    for (const [age, folder] of old.entries()) {
      mkdirSync(folder)
      utimesSync(folder, 1_000 - age, 1_000 - age)
    }
    writeFileSync(`${path}.draft.tmp`, '')
    await sweepKeptCode(kept.folder)
    expect(old.map((folder) => existsSync(folder))).toEqual(old.map((_, age) => age < 7))
    expect(readdirSync(kept.folder)).toEqual(['a.cjs'])
  })
})
