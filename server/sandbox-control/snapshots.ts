import type { ReplacedState, SnapshotItem } from '../contract/control-sandbox.ts'
import { messageOf } from '../core/background.ts'
import { Refusal } from '../core/refusal.ts'
import type { ServerDeps } from '../core/server-deps.ts'
import { type KeptState, keptStateProblem } from '../state/kept-state.ts'
import { createFolderShelf, createMemoryShelf } from './snapshot-shelf.ts'

/** States kept under a name. They outlive a reset, and with a data folder the process. */
export interface Snapshots {
  /** @throws {Refusal} `conflict` when the name is taken */
  create(name?: string): Promise<string>
  list(): Promise<SnapshotItem[]>
  /**
   * Puts it in the place of the present state, all of it or nothing.
   * @throws {Refusal} `not_found`; `conflict` when it cannot be that of this version, which changes nothing
   */
  restore(name: string): Promise<ReplacedState>
  /** @throws {Refusal} as {@link restore} */
  read(name: string): Promise<KeptState>
  /** @throws {Refusal} `not_found` */
  remove(name: string): Promise<void>
  /** Keeps a state that was made elsewhere. */
  keep(name: string | undefined, state: KeptState): Promise<string>
}

export function createSnapshots(
  deps: Pick<ServerDeps, 'captureState' | 'replaceState' | 'dataDirectory' | 'settings'>,
): Snapshots {
  const { dataDirectory } = deps
  const shelf =
    dataDirectory === undefined
      ? createMemoryShelf()
      : createFolderShelf(`${dataDirectory}/snapshots`)

  async function freeName(): Promise<string> {
    const taken = new Set((await shelf.list()).map(({ name }) => name))
    for (let number = 1; ; number += 1)
      if (!taken.has(`snapshot-${number}`)) return `snapshot-${number}`
  }

  async function keep(name: string | undefined, kept: KeptState): Promise<string> {
    const text = JSON.stringify(kept)
    const chosen = name ?? (await freeName())
    const most = deps.settings.caps.snapshots
    if (dataDirectory === undefined && (await shelf.list()).length >= most) {
      throw new Refusal(
        'conflict',
        `There are ${most} snapshots in memory: delete one, or raise config.caps.snapshots.`,
      )
    }
    if (!(await shelf.add(chosen, text))) {
      throw new Refusal('conflict', `There is a snapshot ${chosen} already.`)
    }
    return chosen
  }

  async function read(name: string): Promise<KeptState> {
    const text = await shelf.read(name)
    if (text === undefined) throw new Refusal('not_found', `There is no snapshot ${name}.`)
    let kept: unknown
    try {
      kept = JSON.parse(text)
    } catch (error) {
      throw unusable(name, `it is not JSON: ${messageOf(error)}`)
    }
    const problem = await keptStateProblem(kept)
    if (problem !== undefined) throw unusable(name, problem)
    return kept as KeptState
  }

  return {
    read,
    keep,
    list: () => shelf.list(),
    create: (name) => keep(name, deps.captureState()),
    async restore(name) {
      return deps.replaceState(await read(name), name)
    },
    async remove(name) {
      if (!(await shelf.remove(name))) {
        throw new Refusal('not_found', `There is no snapshot ${name}.`)
      }
    },
  }
}

function unusable(name: string, problem: string): Refusal {
  return new Refusal('conflict', `The snapshot ${name} cannot be used: ${problem}.`)
}
