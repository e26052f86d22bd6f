import { createMemoryObjects } from '../../store/objects/memory-objects.ts'
import type { KeptObjects, ObjectStores } from '../../store/objects/object-store.ts'
import {
  type AnyCollection,
  type CollectionDefinition,
  type Entity,
  MemoryCollection,
} from '../../store/collection.ts'
import { definitions, type State } from '../../store/state.ts'

/**
 * Copies a state and the contents of its repos, to find out the effects of a change. A collection is copied when it is
 * first used, since a change affects few of them.
 */
export function privateCopy({ state, objects }: { state: State; objects: KeptObjects }): {
  state: State
  objects: ObjectStores
} {
  const copies = new Map<keyof State, AnyCollection>()
  const copied = new Proxy({} as State, {
    get(_target, key) {
      const name = key as keyof State
      const copy = copies.get(name) ?? copyOf(state, name)
      copies.set(name, copy)
      return copy
    },
  })
  return { state: copied, objects: createMemoryObjects(objects) }
}

function copyOf(state: State, name: keyof State): AnyCollection {
  // The names match, which the types of all collections together do not show.
  const definition = definitions[name] as CollectionDefinition<Entity, string, string>
  const copy = new MemoryCollection(name, definition, () => {})
  for (const entity of state[name].values()) copy.put(entity)
  return copy
}
