import { type ObjectStore, readBlob, readTree } from './git-objects.ts'

/** Longer files are ignored. */
const mostRuleBytes = 1024 * 1024

/**
 * Reads files of one name, such as `.gitattributes`, from the folders of a commit. As in git, links are ignored.
 * @returns reads the file of a folder, whose path is empty or ends in a slash
 */
export function ruleFiles(
  objects: ObjectStore,
  treeId: string,
  name: string,
): (folder: string) => string | undefined {
  const trees = new Map<string, string | undefined>([['', treeId]])
  const entryIn = (tree: string | undefined, wanted: string) =>
    tree === undefined
      ? undefined
      : readTree(objects, tree).entries.find((entry) => entry.name === wanted)
  const treeOf = (folder: string): string | undefined => {
    if (trees.has(folder)) return trees.get(folder)
    const start = folder.lastIndexOf('/', folder.length - 2) + 1
    const entry = entryIn(treeOf(folder.slice(0, start)), folder.slice(start, -1))
    const tree = entry?.type === 'directory' ? entry.oid : undefined
    trees.set(folder, tree)
    return tree
  }
  return (folder) => {
    const entry = entryIn(treeOf(folder), name)
    if (entry?.type !== 'file' || entry.mode === '120000') return undefined
    return readBlob(objects, entry.oid).toString('utf8', 0, mostRuleBytes)
  }
}
