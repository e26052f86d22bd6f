import * as fc from 'fast-check'
import fs from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { installDisk, SimulatedDisk } from '../../simulate/platform/disk.ts'
import { createRandom } from '../../simulate/platform/random.ts'

// The same calls in a folder of the real disk and on a simulated one.

const root = '/simulated'
let disk: SimulatedDisk
let real: string
let restore: () => void

beforeAll(() => {
  real = fs.mkdtempSync(join(tmpdir(), 'simulated-disk-'))
  restore = installDisk(root, () => disk)
})

afterAll(() => {
  restore()
  fs.rmSync(real, { recursive: true, force: true })
})

/** Operations of other threads take effect in the order in which they begin. */
const inOrder = { later: (_name: string, act: () => void) => setImmediate(act) }

type Act = (folder: string, open: number[]) => unknown

const names = ['a', 'b', 'folder', 'folder/a', 'folder/b', 'folder/deep', 'a/below']
const name = fc.constantFrom(...names, 'n'.repeat(255), 'n'.repeat(256), 'ü'.repeat(128))
/** Of a rename, the kernel checks the length of the new name after the old one. */
const shortName = fc.constantFrom(...names)
const text = fc.string({ maxLength: 40 })
const flag = fc.constantFrom('r', 'r+', 'w', 'w+', 'wx', 'a', 'a+', 'ax')
const index = fc.nat({ max: 5 })
const place = fc.option(fc.nat({ max: 60 }), { nil: null })

/** Descriptors have other numbers on each disk, and inodes, too. */
const opened = (open: number[], at: number) => open[at % open.length] ?? -1
const factsOf = (stats: fs.Stats | undefined) =>
  stats && {
    size: stats.isFile() ? stats.size : 0,
    links: stats.isFile() ? stats.nlink : 0,
    mode: stats.mode,
    uid: stats.uid,
    kind: [stats.isFile(), stats.isDirectory(), stats.isSymbolicLink()],
  }

const acts: Record<string, fc.Arbitrary<Act>> = {
  open: fc.tuple(name, flag).map(([path, how]) => (folder, open) => {
    open.push(fs.openSync(join(folder, path), how, 0o600))
  }),
  write: fc.tuple(index, text, place).map(([at, data, position]) => (_folder, open) => {
    const bytes = Buffer.from(data)
    return fs.writeSync(opened(open, at), bytes, 0, bytes.length, position)
  }),
  read: fc.tuple(index, place).map(([at, position]) => (_folder, open) => {
    const bytes = Buffer.alloc(30)
    const count = fs.readSync(opened(open, at), bytes, 0, 30, position)
    return bytes.toString('hex', 0, count)
  }),
  truncate: fc.tuple(index, fc.nat({ max: 80 })).map(([at, size]) => (_folder, open) => {
    fs.ftruncateSync(opened(open, at), size)
  }),
  sync: index.map((at) => (_folder, open) => fs.fsyncSync(opened(open, at))),
  fstat: index.map((at) => (_folder, open) => factsOf(fs.fstatSync(opened(open, at)))),
  close: index.map((at) => (_folder, open) => {
    fs.closeSync(opened(open, at))
    open.splice(at % open.length, 1)
  }),
  writeFile: fc.tuple(name, text, flag).map(([path, data, how]) => (folder) => {
    fs.writeFileSync(join(folder, path), data, { mode: 0o600, flag: how })
  }),
  appendFile: fc.tuple(name, text).map(([path, data]) => (folder) => {
    fs.appendFileSync(join(folder, path), data)
  }),
  readFile: name.map((path) => (folder) => fs.readFileSync(join(folder, path), 'utf8')),
  readOpen: index.map((at) => (_folder, open) => fs.readFileSync(opened(open, at), 'utf8')),
  mkdir: fc.tuple(name, fc.boolean()).map(([path, recursive]) => (folder) => {
    return fs.mkdirSync(join(folder, path), { recursive, mode: 0o700 })?.slice(folder.length)
  }),
  rmdir: name.map((path) => (folder) => fs.rmdirSync(join(folder, path))),
  unlink: name.map((path) => (folder) => fs.unlinkSync(join(folder, path))),
  rm: fc.tuple(name, fc.boolean(), fc.boolean()).map(([path, recursive, force]) => (folder) => {
    fs.rmSync(join(folder, path), { recursive, force })
  }),
  rename: fc.tuple(shortName, shortName).map(([from, to]) => (folder) => {
    fs.renameSync(join(folder, from), join(folder, to))
  }),
  link: fc.tuple(name, name).map(([from, to]) => (folder) => {
    fs.linkSync(join(folder, from), join(folder, to))
  }),
  copyFile: fc.tuple(name, name, fc.constantFrom(0, 1)).map(([from, to, mode]) => (folder) => {
    fs.copyFileSync(join(folder, from), join(folder, to), mode)
  }),
  stat: fc.tuple(name, fc.boolean()).map(([path, throwIfNoEntry]) => (folder) => {
    return factsOf(fs.statSync(join(folder, path), { throwIfNoEntry }))
  }),
  lstat: name.map((path) => (folder) => factsOf(fs.lstatSync(join(folder, path)))),
  exists: name.map((path) => (folder) => fs.existsSync(join(folder, path))),
  access: name.map((path) => (folder) => fs.accessSync(join(folder, path))),
  realpath: name.map((path) => (folder) => {
    return fs.realpathSync(join(folder, path)).slice(folder.length)
  }),
  readdir: name.map((path) => (folder) => fs.readdirSync(join(folder, path)).toSorted()),
  readdirWithTypes: name.map((path) => (folder) => {
    const entries = fs.readdirSync(join(folder, path), { withFileTypes: true })
    return entries
      .map((entry) => `${entry.name} ${entry.isFile()} ${entry.isDirectory()}`)
      .toSorted()
  }),
  chmod: fc.tuple(name, fc.constantFrom(0o600, 0o644, 0o755)).map(([path, mode]) => (folder) => {
    fs.chmodSync(join(folder, path), mode)
  }),
  utimes: fc.tuple(name, fc.nat({ max: 2_000_000_000 })).map(([path, seconds]) => (folder) => {
    fs.utimesSync(join(folder, path), seconds, seconds)
    return fs.statSync(join(folder, path)).mtimeMs
  }),
}

function attempt(act: Act, folder: string, open: number[]): unknown {
  try {
    return act(folder, open)
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
    .toSorted(([a], [b]) => Buffer.compare(Buffer.from(String(a)), Buffer.from(String(b))))
}

const sequence = fc.array(
  fc.oneof(
    ...Object.entries(acts).map(([kind, act]) =>
      act.map((run) => ({ kind, run, toString: () => kind })),
    ),
  ),
  { minLength: 1, maxLength: 60, size: 'max' },
)

test('the same calls have the same results, errors and contents as on the real disk', () => {
  let count = 0
  fc.assert(
    fc.property(sequence, (steps) => {
      disk = new SimulatedDisk({ random: createRandom(1), events: inOrder, now: () => 0 })
      count += 1
      const folder = join(real, String(count))
      fs.mkdirSync(folder)
      const open: [number[], number[]] = [[], []]
      try {
        for (const { kind, run } of steps) {
          expect([kind, attempt(run, root, open[1])]).toEqual([kind, attempt(run, folder, open[0])])
        }
        expect(contentOf(root)).toEqual(contentOf(folder))
      } finally {
        for (const descriptor of open[0]) fs.closeSync(descriptor)
        fs.rmSync(folder, { recursive: true })
      }
    }),
    { numRuns: 300 },
  )
})
