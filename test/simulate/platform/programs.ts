import childProcess from 'node:child_process'
import { EventEmitter } from 'node:events'
import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { PassThrough, Writable } from 'node:stream'
import { promisify } from 'node:util'
import type { Scheduler } from './scheduler.ts'
import { type SimulatedDisk, systemError } from './simulated-disk.ts'

/** Captured before the simulated ones replace them. */
const { spawnSync } = childProcess
const { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } = fs

const found = spawnSync('git', ['--version'], { encoding: 'utf8' })

/** True if git is installed. */
export const hasGit = found.status === 0

interface SpawnOptions {
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
}

interface Place {
  readonly disk: () => SimulatedDisk
  readonly scheduler: () => Scheduler
}

/**
 * Replaces the functions of node:child_process that the product uses. The program git runs at one moment of the simulated time, on a
 * copy of the folders that it is given, and what it changes there is then changed on the simulated disk. To be called before
 * {@link installDisk}.
 */
export function installPrograms(place: Place): void {
  const execFile = {
    [promisify.custom]: async (program: string) => {
      if (!hasGit) throw systemError('ENOENT', `spawn ${program}`)
      return { stdout: found.stdout, stderr: '' }
    },
  }
  Object.assign(childProcess, {
    spawn: (program: string, args: readonly string[], options: SpawnOptions) =>
      new SimulatedGit(place, [program, ...args], options),
    execFile: Object.assign(() => {
      throw new Error('execFile with a callback is not simulated')
    }, execFile),
  })
  syncBuiltinESMExports()
}

interface Ended {
  readonly output: Uint8Array
  readonly words: string
  readonly exitCode: number
}

/** A run of git, as a child process of Node. */
class SimulatedGit extends EventEmitter {
  readonly stdin: Writable
  readonly stdout = new PassThrough()
  readonly stderr = new PassThrough()
  #signal: string | undefined
  #isOver = false

  constructor({ disk, scheduler }: Place, command: readonly string[], options: SpawnOptions) {
    super()
    const own = disk()
    const input: Buffer[] = []
    this.stdin = new Writable({
      write: (chunk: Buffer, _encoding, done) => {
        input.push(chunk)
        done()
      },
      final: (done) => {
        done()
        scheduler().later(`git ${command.join(' ')}`, () => {
          if (!this.#isOver) this.#end(runGit(own, command, options, Buffer.concat(input)))
        })
      },
    })
  }

  kill(signal: string): boolean {
    if (this.#isOver) return false
    this.#signal = signal
    this.stdin.destroy()
    this.#end({ output: Buffer.of(), words: '', exitCode: 0 })
    return true
  }

  #end({ output, words, exitCode }: Ended): void {
    this.#isOver = true
    let open = 2
    for (const stream of [this.stdout, this.stderr]) {
      stream.once('close', () => {
        open -= 1
        const signal = this.#signal ?? null
        if (open === 0) this.emit('close', signal === null ? exitCode : null, signal)
      })
    }
    this.stdout.end(output)
    this.stderr.end(words)
    // As Node, when a program has ended: nobody may read it.
    this.stdout.resume()
    this.stderr.resume()
  }
}

/** Runs git on a copy of its folders. */
function runGit(
  disk: SimulatedDisk,
  [program = '', ...args]: readonly string[],
  { cwd, env }: SpawnOptions,
  input: Buffer,
): Ended {
  const copy = mkdtempSync(join(tmpdir(), 'simulated-git-'))
  const inCopy = (text: string) => text.replaceAll(disk.root, copy + disk.root)
  try {
    const { GIT_OBJECT_DIRECTORY: written = join(cwd, 'objects') } = env
    const folders = [cwd, written, env['GIT_ALTERNATE_OBJECT_DIRECTORIES']?.slice(1, -1)]
    const before = new Set<string>()
    for (const path of disk.files()) {
      if (!folders.some((folder) => folder !== undefined && path.startsWith(`${folder}/`))) continue
      before.add(path)
      const { content, mtimeMs } = disk.peek(path)
      mkdirSync(dirname(copy + path), { recursive: true })
      writeFileSync(copy + path, content)
      utimesSync(copy + path, mtimeMs / 1000, mtimeMs / 1000)
    }
    for (const folder of [written, join(cwd, 'objects'), join(cwd, 'refs')])
      mkdirSync(copy + folder, { recursive: true })
    // Several threads find other deltas each time.
    const { stdout, stderr, status } = spawnSync(
      program,
      ['-c', 'pack.threads=1', ...args.map(inCopy)],
      {
        cwd: copy + cwd,
        env: Object.fromEntries(Object.entries(env).map(([name, text]) => [name, inCopy(text)])),
        input,
        maxBuffer: 2 ** 28,
      },
    )
    const words = stderr.toString().replaceAll(copy, '')
    bringChanges(disk, written, before, copy)
    return { output: stdout, words, exitCode: status ?? 128 }
  } catch (error) {
    // As the real one, which names the file.
    const { code, message } = error as NodeJS.ErrnoException
    if (code === undefined) throw error
    return { output: Buffer.of(), words: `fatal: ${message}`, exitCode: 128 }
  } finally {
    rmSync(copy, { recursive: true, force: true })
  }
}

/** Makes the changes of a folder on the simulated disk, one after the other: the process may die between any two. */
function bringChanges(
  disk: SimulatedDisk,
  folder: string,
  before: ReadonlySet<string>,
  copy: string,
): void {
  const after = new Set(
    readdirSync(copy + folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name).slice(copy.length))
      .toSorted(),
  )
  for (const path of after) {
    if (before.has(path)) continue
    fs.mkdirSync(dirname(path), { recursive: true })
    fs.writeFileSync(path, readFileSync(copy + path), { mode: 0o444 })
  }
  for (const path of before) {
    if (path.startsWith(`${folder}/`) && !after.has(path)) fs.rmSync(path)
  }
}
