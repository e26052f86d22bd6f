import { mkdirSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { errorCode, fileError } from '../../store/errors.ts'
import { watchSize, sizeOnDisk } from './folder-size.ts'
import { GitError, type GitProgram, type GitRequest } from './git-program.ts'
import { printedLines } from './output-lines.ts'

/** Git itself refuses larger packs. */
const largestPack = 16 * 1024 ** 3

/**
 * Limits the memory of git for a single object, since a few bytes of a pack can expand to gigabytes. Git streams larger
 * files, but needs deltas as a whole: those of files that a push may have are far smaller.
 */
const bounds = {
  settings: ['core.bigFileThreshold=16m'],
  variables: { GIT_ALLOC_LIMIT: '64m' },
}

/** Object of a push, with its first path; empty for a commit or a root folder. */
export interface NewObject {
  readonly id: string
  readonly path: string
}

/**
 * Folder in which a push is unpacked and checked; the repo is only read.
 */
export class Quarantine {
  readonly folder: string
  readonly #program: GitProgram
  readonly #repo: string
  readonly #signal: AbortSignal
  readonly #mostBytes: number
  readonly #cpuSeconds: number
  /** Bytes of the pack that have come. */
  #packBytes = 0

  /**
   * @param folder path that does not exist yet
   * @param repo bare repo with the present refs
   * @throws {StateError} when the disk refuses it
   */
  constructor(
    program: GitProgram,
    {
      folder,
      repo,
      signal,
      mostBytes,
      cpuSeconds,
    }: {
      folder: string
      repo: string
      signal: AbortSignal
      /** Space on the disk. */
      mostBytes: number
      /** CPU time of each of its programs, beside a second for each MB of the pack. */
      cpuSeconds: number
    },
  ) {
    this.folder = folder
    this.#program = program
    this.#repo = repo
    this.#signal = signal
    this.#mostBytes = mostBytes
    this.#cpuSeconds = cpuSeconds
    try {
      mkdirSync(folder, { mode: 0o700 })
    } catch (error) {
      throw fileError('write', folder, error)
    }
  }

  /**
   * Unpacks a pack, with all checks of git. A small one may stand for gigabytes of files.
   * @throws {GitError} for an invalid pack, for objects that git would not write, and for too many bytes on the disk
   */
  async unpack(pack: AsyncIterable<Uint8Array>): Promise<void> {
    const args = ['unpack-objects', '-q', '--strict', `--max-input-size=${largestPack}`]
    const [ended, exceeded] = [new AbortController(), new AbortController()]
    const request = this.#request(args, this.#counted(pack))
    const signal = AbortSignal.any([this.#signal, exceeded.signal])
    const watching = watchSize(this.folder, this.#mostBytes, {
      signal: ended.signal,
      onExceeded: () => exceeded.abort(),
    })
    try {
      await this.#program.read({ ...request, signal })
    } catch (error) {
      if (exceeded.signal.aborted) throw this.#tooLarge()
      throw error
    } finally {
      ended.abort()
      await watching
    }
    if ((await sizeOnDisk(this.folder)) > this.#mostBytes) throw this.#tooLarge()
  }

  async *#counted(pack: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const bytes of pack) {
      this.#packBytes += bytes.length
      yield bytes
    }
  }

  #tooLarge(): GitError {
    const limit = `its objects take more than ${this.#mostBytes} bytes on the disk`
    return new GitError(
      'git unpack-objects was stopped',
      `${limit}: push fewer commits at a time, or raise config.caps.pushBytes`,
    )
  }

  /**
   * Lists the objects of commits and tags that no ref of the repo reaches.
   * @throws {GitError} when an object is missing
   */
  async *listNew(ids: readonly string[]): AsyncGenerator<NewObject, void, undefined> {
    const args = ['rev-list', '--objects', '--stdin', '--not', '--all']
    const input = [Buffer.from(ids.map((id) => `${id}\n`).join(''))]
    const { output, end } = await this.#program.run(this.#request(args, input))
    for await (const line of printedLines(output))
      yield { id: line.slice(0, 40), path: line.slice(41) }
    await end
  }

  /** Removes the folder; call it in any case. If the disk refuses it, a later run removes it. */
  async remove(): Promise<void> {
    try {
      await rm(this.folder, { recursive: true, force: true, maxRetries: 3 })
    } catch (error) {
      if (errorCode(error) === undefined) throw error
    }
  }

  #request(args: readonly string[], input: NonNullable<GitRequest['input']>): GitRequest {
    return {
      args,
      settings: bounds.settings,
      input,
      folder: this.#repo,
      signal: this.#signal,
      // A few bytes of deltas may stand for gigabytes that git builds one after the other.
      mostCpuMs: () => 1000 * this.#cpuSeconds + this.#packBytes / 1000,
      variables: {
        ...bounds.variables,
        GIT_OBJECT_DIRECTORY: this.folder,
        GIT_ALTERNATE_OBJECT_DIRECTORIES: inList(join(this.#repo, 'objects')),
        GIT_QUARANTINE_PATH: this.folder,
      },
    }
  }
}

/**
 * Quotes a path in a list, since it may contain the separator.
 * @see git(1) "GIT_ALTERNATE_OBJECT_DIRECTORIES"
 */
function inList(path: string): string {
  return `"${path.replaceAll(/["\\]/g, String.raw`\$&`)}"`
}
