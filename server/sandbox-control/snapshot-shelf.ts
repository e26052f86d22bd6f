import { readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { makeFolder } from '../state/make-folder.ts'

interface ShelfItem {
  name: string
  createdAt: string
  size: number
}

/** Where texts are kept under names. */
export interface Shelf {
  /** @returns false when the name is taken */
  add(name: string, text: string): Promise<boolean>
  read(name: string): Promise<string | undefined>
  /** @returns false when there was nothing */
  remove(name: string): Promise<boolean>
  /** Oldest first. */
  list(): Promise<ShelfItem[]>
}

export function createMemoryShelf(): Shelf {
  const texts = new Map<string, { text: string; createdAt: string }>()
  return {
    async add(name, text) {
      if (texts.has(name)) return false
      texts.set(name, { text, createdAt: new Date().toISOString() })
      return true
    },
    read: async (name) => texts.get(name)?.text,
    remove: async (name) => texts.delete(name),
    list: async () =>
      [...texts].map(([name, { text, createdAt }]) => ({
        name,
        createdAt,
        size: Buffer.byteLength(text),
      })),
  }
}

/** One file for each, which only their user can read: they hold tokens. Names are checked by the route. */
export function createFolderShelf(folder: string): Shelf {
  const fileOf = (name: string) => join(folder, `${name}.json`)
  return {
    async add(name, text) {
      makeFolder(folder)
      try {
        await writeFile(fileOf(name), text, { mode: 0o600, flag: 'wx' })
        return true
      } catch (error) {
        if (isCode(error, 'EEXIST')) return false
        throw error
      }
    },
    async read(name) {
      return ifThere(() => readFile(fileOf(name), 'utf8'))
    },
    async remove(name) {
      const gone = await ifThere(async () => {
        await rm(fileOf(name))
        return true
      })
      return gone ?? false
    },
    async list() {
      const files = (await ifThere(() => readdir(folder))) ?? []
      const items = await Promise.all(
        files
          .filter((file) => file.endsWith('.json'))
          .map(async (file) => {
            const { size, birthtimeMs, mtime } = await stat(join(folder, file))
            // Some file systems do not know when a file was made.
            const createdAt = (birthtimeMs > 0 ? new Date(birthtimeMs) : mtime).toISOString()
            return { name: file.slice(0, -'.json'.length), createdAt, size }
          }),
      )
      return items.toSorted((a, b) => a.createdAt.localeCompare(b.createdAt))
    },
  }
}

async function ifThere<T>(read: () => Promise<T>): Promise<T | undefined> {
  try {
    return await read()
  } catch (error) {
    if (isCode(error, 'ENOENT')) return undefined
    throw error
  }
}

function isCode(error: unknown, code: string): boolean {
  return (error as NodeJS.ErrnoException).code === code
}
