import * as fc from 'fast-check'
import fs from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { diskOf, installForTests, root } from './disk-for-tests.ts'

// The same calls in a folder of the real disk and on a simulated one.

const machine = installForTests()
let real: string

beforeAll(() => {
  real = fs.mkdtempSync(join(tmpdir(), 'simulated-disk-'))
})

afterAll(() => fs.rmSync(real, { recursive: true, force: true }))

/** Open file, by descriptor or handle. */
interface Opened {
  write(bytes: Buffer, position: number | null): unknown
  read(bytes: Buffer, position: number | null): unknown
  readFile(): unknown
  writeFile(text: string): unknown
  truncate(size: number): unknown
  sync(): unknown
  datasync(): unknown
  stat(): unknown
  close(): unknown
}

/** Form of the functions: synchronous or promises. */
interface Form {
  open(path: string, flag: string): Promise<Opened>
  call(name: string, ...given: unknown[]): unknown
}

type Functions = Record<string, (...given: unknown[]) => unknown>

const forms: Record<string, Form> = {
  synchronous: {
    async open(path, flag) {
      const descriptor = fs.openSync(path, flag, 0o600)
      return {
        write: (bytes, position) => fs.writeSync(descriptor, bytes, 0, bytes.length, position),
        read: (bytes, position) => fs.readSync(descriptor, bytes, 0, bytes.length, position),
        readFile: () => fs.readFileSync(descriptor, 'utf8'),
        writeFile: (text) => fs.writeFileSync(descriptor, text),
        truncate: (size) => fs.ftruncateSync(descriptor, size),
        sync: () => fs.fsyncSync(descriptor),
        datasync: () => fs.fdatasyncSync(descriptor),
        stat: () => fs.fstatSync(descriptor),
        close: () => fs.closeSync(descriptor),
      }
    },
    call: (name, ...given) => (fs as unknown as Functions)[`${name}Sync`]!(...given),
  },
  promises: {
    async open(path, flag) {
      const handle = await fs.promises.open(path, flag, 0o600)
      return {
        write: async (bytes, position) =>
          (await handle.write(bytes, 0, bytes.length, position)).bytesWritten,
        read: async (bytes, position) =>
          (await handle.read(bytes, 0, bytes.length, position)).bytesRead,
        readFile: () => handle.readFile('utf8'),
        writeFile: (text) => handle.writeFile(text),
        truncate: (size) => handle.truncate(size),
        sync: () => handle.sync(),
        datasync: () => handle.datasync(),
        stat: () => handle.stat(),
        close: () => handle.close(),
      }
    },
    call: (name, ...given) => (fs.promises as unknown as Functions)[name]!(...given),
  },
}

interface Place {
  readonly form: Form
  readonly folder: string
  readonly open: Opened[]
}
type Act = (place: Place) => unknown

const names = ['a', 'b', 'folder', 'folder/a', 'folder/b', 'folder/deep', 'a/below']
const name = fc.constantFrom(...names, 'n'.repeat(255), 'n'.repeat(256), 'ü'.repeat(128))
/** Of a rename, the kernel checks the length of the new name after the old one. */
const shortName = fc.constantFrom(...names)
const text = fc.string({ maxLength: 40 })
const flag = fc.constantFrom('r', 'r+', 'w', 'w+', 'wx', 'a', 'a+', 'ax')
const position = fc.option(fc.nat({ max: 60 }), { nil: null })

function factsOf(found: unknown) {
  const stats = found as fs.Stats | undefined
  return (
    stats && {
      size: stats.isFile() ? stats.size : 0,
      links: stats.isFile() ? stats.nlink : 0,
      mode: stats.mode,
      uid: stats.uid,
      kind: [stats.isFile(), stats.isDirectory(), stats.isSymbolicLink()],
    }
  )
}

/** Calls a function with a path, and others with two. */
const ofPath = (called: string, ...given: fc.Arbitrary<unknown>[]) =>
  fc.tuple(name, ...given).map(
    ([path, ...rest]): Act =>
      ({ form, folder }) =>
        form.call(called, join(folder, path), ...rest),
  )
const ofTwo = (called: string, path: fc.Arbitrary<string>, ...given: fc.Arbitrary<unknown>[]) =>
  fc.tuple(path, path, ...given).map(
    ([from, to, ...rest]): Act =>
      ({ form, folder }) =>
        form.call(called, join(folder, from), join(folder, to), ...rest),
  )
/** Calls a function of one of the open files. */
const ofOpen = <T>(given: fc.Arbitrary<T>, act: (opened: Opened, given: T) => unknown) =>
  fc.tuple(fc.nat({ max: 5 }), given).map(([at, value]): Act => ({ open }) => {
    const opened = open[at % open.length]
    return opened === undefined ? 'none' : act(opened, value)
  })
const then = (act: fc.Arbitrary<Act>, change: (found: unknown, place: Place) => unknown) =>
  act.map(
    (run): Act =>
      async (place) =>
        change(await run(place), place),
  )

const acts: Record<string, fc.Arbitrary<Act>> = {
  open: fc.tuple(name, flag).map(([path, how]): Act => async ({ form, folder, open }) => {
    open.push(await form.open(join(folder, path), how))
  }),
  write: ofOpen(fc.tuple(text, position), (opened, [data, at]) =>
    opened.write(Buffer.from(data), at),
  ),
  read: ofOpen(position, async (opened, at) => {
    const bytes = Buffer.alloc(30)
    return bytes.toString('hex', 0, Number(await opened.read(bytes, at)))
  }),
  readOpen: ofOpen(text, (opened) => opened.readFile()),
  writeOpen: ofOpen(text, (opened, data) => opened.writeFile(data)),
  truncate: ofOpen(fc.nat({ max: 80 }), (opened, size) => opened.truncate(size)),
  sync: ofOpen(text, (opened) => opened.sync()),
  datasync: ofOpen(text, (opened) => opened.datasync()),
  fstat: ofOpen(text, async (opened) => factsOf(await opened.stat())),
  close: fc.nat({ max: 5 }).map((at): Act => async ({ open }) => {
    const [closed] = open.splice(at % Math.max(open.length, 1), 1)
    await closed?.close()
  }),
  writeFile: ofPath('writeFile', text, fc.record({ mode: fc.constant(0o600), flag })),
  appendFile: ofPath('appendFile', text),
  readFile: ofPath('readFile', fc.constant('utf8')),
  mkdir: then(
    ofPath('mkdir', fc.record({ recursive: fc.boolean(), mode: fc.constant(0o700) })),
    (made, { folder }) => (made as string | undefined)?.slice(folder.length),
  ),
  rmdir: ofPath('rmdir'),
  unlink: ofPath('unlink'),
  rm: ofPath('rm', fc.record({ recursive: fc.boolean(), force: fc.boolean() })),
  rename: ofTwo('rename', shortName),
  link: ofTwo('link', name),
  copyFile: ofTwo('copyFile', name, fc.constantFrom(0, fs.constants.COPYFILE_EXCL)),
  stat: then(ofPath('stat'), factsOf),
  lstat: then(ofPath('lstat'), factsOf),
  statIfThere: name.map(
    (path): Act =>
      ({ folder }) =>
        factsOf(fs.statSync(join(folder, path), { throwIfNoEntry: false })),
  ),
  exists: name.map(
    (path): Act =>
      ({ folder }) =>
        fs.existsSync(join(folder, path)),
  ),
  access: ofPath('access'),
  realpath: then(ofPath('realpath'), (path, { folder }) => String(path).slice(folder.length)),
  readdir: then(ofPath('readdir'), (found) => (found as string[]).toSorted()),
  readdirWithTypes: then(ofPath('readdir', fc.constant({ withFileTypes: true })), (found) =>
    (found as fs.Dirent[])
      .map((entry) => `${entry.name} ${entry.isFile()} ${entry.isDirectory()}`)
      .toSorted(),
  ),
  chmod: ofPath('chmod', fc.constantFrom(0o600, 0o644, 0o755)),
  utimes: fc
    .tuple(name, fc.nat({ max: 2_000_000_000 }))
    .map(([path, seconds]): Act => async ({ form, folder }) => {
      await form.call('utimes', join(folder, path), seconds, seconds)
      return fs.statSync(join(folder, path)).mtimeMs
    }),
}

async function attempt(act: Act, place: Place): Promise<unknown> {
  try {
    return await act(place)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? error
  }
}

function contentOf(folder: string): unknown {
  return fs
    .readdirSync(folder, { withFileTypes: true })
    .map((entry) => {
      const path = join(folder, entry.name)
      return [entry.name, entry.isDirectory() ? contentOf(path) : fs.readFileSync(path, 'utf8')]
    })
    .toSorted(([a], [b]) => (String(a) < String(b) ? -1 : 1))
}

/** Later versions of Node remove names that are too long, and find nothing below a file; the disk is that of Node 20. */
const ofNode20: readonly string[] = process.version.startsWith('v20.') ? [] : ['rm', 'statIfThere']

const sequence = fc.array(
  fc.oneof(
    ...Object.entries(acts)
      .filter(([kind]) => !ofNode20.includes(kind))
      .map(([kind, act]) => act.map((run) => ({ kind, run, toString: () => kind }))),
  ),
  { minLength: 1, maxLength: 60, size: 'max' },
)

test.for(Object.keys(forms))(
  'the same %s calls have the same results, errors and contents as on the real disk',
  async (kindOfForm) => {
    const form = forms[kindOfForm]!
    let count = 0
    await fc.assert(
      fc.asyncProperty(sequence, async (steps) => {
        machine.disk = diskOf(count)
        count += 1
        const there: Place = { form, folder: join(real, `${kindOfForm} ${count}`), open: [] }
        const here: Place = { form, folder: root, open: [] }
        fs.mkdirSync(there.folder)
        try {
          for (const { kind, run } of steps) {
            const expected = await attempt(run, there)
            expect([kind, await attempt(run, here)]).toEqual([kind, expected])
          }
          expect(contentOf(root)).toEqual(contentOf(there.folder))
        } finally {
          for (const opened of there.open) await opened.close()
          fs.rmSync(there.folder, { recursive: true })
        }
      }),
      { numRuns: 200 },
    )
  },
)
