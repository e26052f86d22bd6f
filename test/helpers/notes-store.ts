import { Type } from 'typebox'
import { onTestFinished } from 'vitest'
import { defineCollection } from '../../server/store/collection.ts'
import { openStore, type Store, type StoreOptions } from '../../server/store/store.ts'

export interface Note {
  id: string
  title?: string
  tags: string[]
}

export interface Reader {
  id: string
  city?: string
}

export const definitions = {
  notes: defineCollection<Note>()({
    schema: Type.Object({
      id: Type.String(),
      title: Type.Optional(Type.String()),
      tags: Type.Array(Type.String()),
    }),
    unique: { title: (note) => note.title },
    groups: { tag: (note) => note.tags },
  }),
  readers: defineCollection<Reader>()({
    schema: Type.Object({ id: Type.String(), city: Type.Optional(Type.String()) }),
    groups: { city: (reader) => reader.city },
  }),
}

export type NotesStore = Store<typeof definitions>

/** A small store to try the engine with. A test that leaves it open has it closed. */
export async function openNotes(options: Partial<StoreOptions> = {}): Promise<NotesStore> {
  const store = await openStore(definitions, { formatVersion: 1, ...options })
  // A test that has broken the disk has looked at the error itself.
  onTestFinished(() => store.close().catch(() => undefined))
  return store
}

export function note(id: string, title?: string, ...tags: string[]): Note {
  return { id, tags, ...(title === undefined ? {} : { title }) }
}

/** All that a store has, in order. */
export function contents({ collections }: NotesStore) {
  return { notes: [...collections.notes.values()], readers: [...collections.readers.values()] }
}
