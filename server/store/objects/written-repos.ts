import { join } from 'node:path'
import { LooseFiles } from './loose-files.ts'
import { packLooseAside } from './loose-object.ts'
import type { ObjectType } from './object-id.ts'
import type { ObjectStore, RepoRefs } from './object-store.ts'
import type { ContentsFolder } from './contents-folder.ts'
import { reachable } from './reachable.ts'
import { Unfinished } from './unfinished.ts'
import { nextTurn, performance } from '../../core/timers.ts'

/** Time that objects are searched before other work gets its turn. */
const sliceMs = 5

interface WrittenRepo {
  /** Objects that are written with all that they need. */
  readonly commits: Set<string>
  turn: Promise<unknown>
}

/** Repos in memory, written to folders for a program that reads them: each time the objects that are new. */
export class WrittenRepos {
  readonly #place: ContentsFolder
  readonly #repos = new Map<string, WrittenRepo>()
  #unfinished: Unfinished | undefined

  constructor(place: ContentsFolder) {
    this.#place = place
  }

  /** Returns the folder of unfinished files. @throws {StateError} when the disk refuses it */
  unfinished(): Unfinished {
    this.#unfinished ??= new Unfinished(join(this.#place.path(), 'unfinished'))
    this.#unfinished.make()
    return this.#unfinished
  }

  /**
   * @returns a bare repo with all objects that the refs reach
   * @throws {StateError} when the disk refuses it
   */
  async folderFor({ id, refs }: RepoRefs, objects: ObjectStore): Promise<string> {
    const repo = this.#repos.get(id) ?? { commits: new Set<string>(), turn: Promise.resolve() }
    this.#repos.set(id, repo)
    const folder = join(this.#place.path(), `${id}.git`)
    // One after the other: the second skips the objects of the first.
    const turn = repo.turn.then(() =>
      this.#write(folder, objects, Object.values(refs), repo.commits),
    )
    repo.turn = turn.catch(() => undefined)
    await turn
    return folder
  }

  async #write(
    folder: string,
    objects: ObjectStore,
    ids: readonly string[],
    commits: Set<string>,
  ): Promise<void> {
    const files = new LooseFiles(folder, this.unfinished())
    files.make()
    const written: string[] = []
    let started = performance.now()
    for (const id of reachable(objects, ids, (id, type) =>
      // A folder is written after its contents, but a commit before its parents.
      type === 'tree' ? files.has(id) : commits.has(id),
    )) {
      const type = files.has(id) ? files.header(id).type : await writeOut(files, objects, id)
      if (type === 'commit') written.push(id)
      if (performance.now() - started < sliceMs) continue
      await nextTurn()
      started = performance.now()
    }
    for (const id of written) commits.add(id)
  }
}

async function writeOut(files: LooseFiles, objects: ObjectStore, id: string): Promise<ObjectType> {
  const object = objects.read(id)
  files.write(id, await packLooseAside(object))
  return object.type
}
