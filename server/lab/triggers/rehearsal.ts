import {
  type Collection,
  type CollectionDefinition,
  type Entity,
  MemoryCollection,
} from '../../state/collection.ts'
import { createMemoryObjects } from '../../objects/memory-objects.ts'
import type { KeptObjects, ObjectStores } from '../../objects/object-store.ts'
import { definitions, type State } from '../../state/state.ts'
import type { Definitions } from '../../state/store.ts'

/**
 * Creates a state on top of another one that keeps all changes to itself, to find out the effects of a change.
 */
export function rehearse({ state, objects }: { state: State; objects: KeptObjects }): {
  state: State
  objects: ObjectStores
} {
  return {
    state: new Rehearsal(state) as unknown as State,
    objects: createMemoryObjects(objects),
  }
}

/** Creates collections on demand, since a change affects few of them. */
class Rehearsal {
  readonly #base: State
  readonly #overlays = new Map<string, Overlay>()

  constructor(base: State) {
    this.#base = base
  }

  static {
    for (const [name, definition] of Object.entries<Definitions[string]>(definitions)) {
      Object.defineProperty(this.prototype, name, {
        get(this: Rehearsal) {
          return this.#overlays.get(name) ?? this.#overlay(name, definition)
        },
      })
    }
  }

  #overlay(name: string, definition: Definitions[string]): Overlay {
    // `Object.entries` loses the types; the names still match.
    const base = this.#base[name as keyof State] as unknown as Collection<Entity, string, string>
    const overlay = new Overlay(name, definition, base)
    this.#overlays.set(name, overlay)
    return overlay
  }
}

class Overlay implements Collection<Entity, string, string> {
  readonly #base: Collection<Entity, string, string>
  readonly #definition: CollectionDefinition<Entity, string, string>
  readonly #own: Collection<Entity, string, string>
  /** Ids of the base that are replaced by an own entity, or deleted. */
  readonly #covered = new Set<string>()

  constructor(
    name: string,
    definition: CollectionDefinition<Entity, string, string>,
    base: Collection<Entity, string, string>,
  ) {
    this.#base = base
    this.#definition = definition
    this.#own = new MemoryCollection(name, definition, () => {})
  }

  get size(): number {
    return this.#base.size - this.#covered.size + this.#own.size
  }

  get(id: string): Entity | undefined {
    return this.#own.get(id) ?? (this.#covered.has(id) ? undefined : this.#base.get(id))
  }

  has(id: string): boolean {
    return this.get(id) !== undefined
  }

  put(entity: Entity): Entity {
    for (const [index, keyOf] of Object.entries(this.#definition.unique ?? {})) {
      const key = keyOf(entity)
      const holder = key === undefined ? undefined : this.find(index, key)
      if (holder !== undefined && holder.id !== entity.id) {
        throw new Error(`"${entity.id}" cannot have the ${index} "${key}", "${holder.id}" has it`)
      }
    }
    this.#cover(entity.id)
    return this.#own.put(entity)
  }

  delete(id: string): boolean {
    const existed = this.has(id)
    this.#cover(id)
    this.#own.delete(id)
    return existed
  }

  clear(): void {
    for (const { id } of this.#base.values()) this.#covered.add(id)
    this.#own.clear()
  }

  values(): IterableIterator<Entity> {
    return this.#merge(this.#base.values(), this.#own.values()).values()
  }

  newestFirst(): IterableIterator<Entity> {
    return [...this.values()].toReversed().values()
  }

  first(): Entity | undefined {
    return this.values().next().value
  }

  last(): Entity | undefined {
    return [...this.values()].at(-1)
  }

  find(index: string, key: string): Entity | undefined {
    const own = this.#own.find(index, key)
    if (own !== undefined) return own
    const found = this.#base.find(index, key)
    return found === undefined || this.#covered.has(found.id) ? undefined : found
  }

  group(index: string, key: string): Entity[] {
    return this.#merge(this.#base.group(index, key), this.#own.group(index, key))
  }

  groupSize(index: string, key: string): number {
    return this.group(index, key).length
  }

  /** Puts own entities in the place of those they replace; new ones follow. */
  #merge(base: Iterable<Entity>, own: Iterable<Entity>): Entity[] {
    const rest = new Map([...own].map((entity) => [entity.id, entity]))
    const merged: Entity[] = []
    for (const entity of base) {
      const shown = this.#covered.has(entity.id) ? rest.get(entity.id) : entity
      if (shown !== undefined) merged.push(shown)
      rest.delete(entity.id)
    }
    return [...merged, ...rest.values()]
  }

  #cover(id: string): void {
    if (this.#base.has(id)) this.#covered.add(id)
  }
}
