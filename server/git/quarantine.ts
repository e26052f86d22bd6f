import { mkdirSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { fileError } from '../state/errors.ts'
import type { GitProgram } from './git-program.ts'

/** A pack that is larger is refused by git itself. */
const largestPack = 16 * 1024 ** 3

/** An object that a push brings, with the path at which it was found first; of a commit or the root that is empty. */
export interface NewObject {
  readonly id: string
  readonly path: string
}

/**
 * Where a push unpacks what it brings, until it is known whether that may stay: in a folder of its own, beside the repo,
 * which is only read.
 */
export class Quarantine {
  readonly folder: string
  readonly #program: GitProgram
  readonly #repo: string
  readonly #signal: AbortSignal

  /**
   * @param folder that is not there yet
   * @param repo a bare one, with the refs that are there
   * @throws {StateError} when the disk refuses it
   */
  constructor(
    program: GitProgram,
    { folder, repo, signal }: { folder: string; repo: string; signal: AbortSignal },
  ) {
    this.folder = folder
    this.#program = program
    this.#repo = repo
    this.#signal = signal
    try {
      mkdirSync(folder, { mode: 0o700 })
    } catch (error) {
      throw fileError('write', folder, error)
    }
  }

  /**
   * Takes a pack apart, with all that git checks of what is in one.
   * @throws {GitError} for what is none, or has in it what git would not write
   */
  async unpack(pack: AsyncIterable<Uint8Array>): Promise<void> {
    await this.#run(['unpack-objects', '-q', '--strict', `--max-input-size=${largestPack}`], pack)
  }

  /**
   * Lists what commits and tags need that no ref of the repo has led to.
   * @throws {GitError} when something of it is missing
   */
  async listNew(ids: readonly string[]): Promise<NewObject[]> {
    const args = ['rev-list', '--objects', '--stdin', '--not', '--all']
    const text = await this.#run(args, [Buffer.from(ids.map((id) => `${id}\n`).join(''))])
    return text
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => ({ id: line.slice(0, 40), path: line.slice(41) }))
  }

  /** To be called in the end, whatever became of it. */
  async remove(): Promise<void> {
    await rm(this.folder, { recursive: true, force: true, maxRetries: 3 })
  }

  #run(
    args: readonly string[],
    input: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  ): Promise<string> {
    return this.#program.read({
      args,
      input,
      folder: this.#repo,
      signal: this.#signal,
      variables: {
        GIT_OBJECT_DIRECTORY: this.folder,
        GIT_ALTERNATE_OBJECT_DIRECTORIES: inList(join(this.#repo, 'objects')),
        GIT_QUARANTINE_PATH: this.folder,
      },
    })
  }
}

/**
 * A path as one of a list: in quotes, since what parts the others may stand in its name.
 * @see git(1) "GIT_ALTERNATE_OBJECT_DIRECTORIES"
 */
function inList(path: string): string {
  return `"${path.replaceAll(/["\\]/g, String.raw`\$&`)}"`
}
