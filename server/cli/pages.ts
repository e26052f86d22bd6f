import { readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { packageRoot } from '../core/package-root.ts'

/** Page of the documentation. */
export interface Page {
  /** Name of the file, or of the folder of a README.md, with a few exceptions. */
  name: string
  title: string
  /** From the root of the package, with slashes. */
  path: string
  text: string
}

/** Folders of the package with documentation. */
const folders = ['server', 'fixtures', 'renderer', 'electron', 'test']
/** Folders whose folders are samples, with a README.md each, which "init --sample" lists. */
export const sampleFolders = ['test/kits', 'test/recipes'] as const

/** Reads the pages of the package, by name. README.md is the page `readme`. */
export function readPages(root = packageRoot): Page[] {
  const found = folders.flatMap((folder) => markdownIn(root, folder))
  return ['README.md', ...found]
    .map((path) => {
      const text = readFileSync(join(root, path), 'utf8')
      return { name: nameOf(path), title: headingOf(text), path, text }
    })
    .toSorted((a, b) => a.name.localeCompare(b.name))
}

/** Returns the text of the first heading. */
export function headingOf(text: string): string {
  return /^# (.+)$/m.exec(text)?.[1] ?? ''
}

/** Returns the pages below a folder, without those of samples. */
function markdownIn(root: string, folder: string): string[] {
  let entries
  try {
    entries = readdirSync(join(root, folder), { withFileTypes: true })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
  return entries.flatMap((entry) => {
    const path = `${folder}/${entry.name}`
    if (entry.name.endsWith('.md')) return [path]
    const isSample = sampleFolders.some((parent) => parent === folder)
    return entry.isDirectory() && !isSample ? markdownIn(root, path) : []
  })
}

/** Names of pages whose folder has another: a page keeps its name when the code moves. */
const names = new Map([
  ['README.md', 'readme'],
  ['server/cli/README.md', 'commands'],
  ['server/client/README.md', 'handle'],
  ['server/lab/checks/README.md', 'advice'],
  ['server/store/README.md', 'state'],
])

function nameOf(path: string): string {
  const isOfFolder = basename(path) === 'README.md'
  return names.get(path) ?? (isOfFolder ? basename(dirname(path)) : basename(path, '.md'))
}
