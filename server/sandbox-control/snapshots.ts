import type { SnapshotItem } from '../contract/control-sandbox.ts'
import type { Clock } from '../core/clock.ts'
import { Refusal } from '../core/refusal.ts'
import type { ServerDeps } from '../core/server-deps.ts'
import type { Entity } from '../state/collection.ts'
import type { State } from '../state/state.ts'
import { createFolderShelf, createMemoryShelf } from './snapshot-shelf.ts'

/** States kept under a name. They outlive a reset, and with a data folder the process. */
export interface Snapshots {
  /** @throws {Refusal} `conflict` when the name is taken */
  create(name?: string): Promise<string>
  list(): Promise<SnapshotItem[]>
  /** @throws {Refusal} `not_found` */
  restore(name: string): Promise<void>
  /** @throws {Refusal} `not_found` */
  read(name: string): Promise<KeptState>
  /** @throws {Refusal} `not_found` */
  remove(name: string): Promise<void>
  /** Keeps a state that was made elsewhere. */
  keep(name: string | undefined, state: KeptState): Promise<string>
}

/** Every entity of every collection, and where the clock stood. */
export interface KeptState {
  clock: { frozenAt: number } | { offsetMs: number }
  collections: Record<string, Entity[]>
}

/** The sandbox's own facts (which run this is, which fixtures it started with) belong to no state. */
const notKept = new Set(['meta'])

export function createSnapshots(
  deps: Pick<ServerDeps, 'state' | 'clock' | 'replaceState' | 'dataDirectory'>,
): Snapshots {
  const { state, clock, dataDirectory } = deps
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
    if (!(await shelf.add(chosen, text))) {
      throw new Refusal('conflict', `There is a snapshot ${chosen} already.`)
    }
    return chosen
  }

  async function read(name: string): Promise<KeptState> {
    const text = await shelf.read(name)
    if (text === undefined) throw new Refusal('not_found', `There is no snapshot ${name}.`)
    return JSON.parse(text) as KeptState
  }

  return {
    read,
    keep,
    list: () => shelf.list(),
    create: (name) => keep(name, captureState(state, clock.read())),
    async restore(name) {
      restoreState(deps, await read(name))
    },
    async remove(name) {
      if (!(await shelf.remove(name))) {
        throw new Refusal('not_found', `There is no snapshot ${name}.`)
      }
    },
  }
}

export function captureState(
  state: State,
  { frozen, now, offsetMs }: { frozen: boolean; now: number; offsetMs: number },
): KeptState {
  return {
    clock: frozen ? { frozenAt: now } : { offsetMs },
    collections: Object.fromEntries(
      Object.entries(state)
        .filter(([name]) => !notKept.has(name))
        .map(([name, collection]) => [name, [...collection.values()]]),
    ),
  }
}

/** Puts a kept state in the place of the present one. */
export function restoreState(
  deps: Pick<ServerDeps, 'state' | 'clock' | 'replaceState'>,
  kept: KeptState,
): void {
  deps.replaceState(() => {
    fillState(deps.state, kept)
    setClock(deps.clock, kept.clock)
  })
}

/** @param clock runs on real time */
export function setClock(clock: Clock, kept: KeptState['clock']): void {
  if ('frozenAt' in kept) {
    clock.freeze()
    clock.set(kept.frozenAt)
  } else clock.advance(kept.offsetMs)
}

export function fillState(state: State, { collections }: KeptState): void {
  for (const [name, collection] of Object.entries(state)) {
    // What was kept came out of this collection.
    const put = collection.put.bind(collection) as (entity: Entity) => unknown
    for (const entity of collections[name] ?? []) put(entity)
  }
}
