import { type Static, Type } from 'typebox'
import { OneOf } from '../contract/one-of.ts'
import { encodings } from '../contract/words/hub.ts'
import { encodeCommit } from '../objects/commit-codec.ts'
import type { ObjectStores } from '../objects/object-store.ts'
import { encodeTree, treeEntry } from '../objects/tree-codec.ts'
import { type AnyCollection, defineCollection } from '../state/collection.ts'
import type { State } from '../state/state.ts'

const Oid = Type.String()

const BlobSchema = Type.Object({
  id: Oid,
  size: Type.Number(),
  encoding: OneOf(encodings),
  content: Type.String(),
})
type Blob = Static<typeof BlobSchema>

const TreeSchema = Type.Object({
  id: Oid,
  entries: Type.Array(
    Type.Object({
      name: Type.String(),
      type: OneOf(['file', 'directory']),
      oid: Oid,
      size: Type.Number(),
    }),
  ),
})
type Tree = Static<typeof TreeSchema>

const CommitSchema = Type.Object({
  id: Oid,
  treeId: Oid,
  parentIds: Type.Array(Oid),
  title: Type.String(),
  message: Type.String(),
  authorId: Type.Optional(Type.String()),
  authorName: Type.String(),
  date: Type.Number(),
})
type Commit = Static<typeof CommitSchema>

/** Up to format 2, contents of repos were records of the state. */
export const contentCollections = {
  blobs: defineCollection<Blob>()({ schema: BlobSchema }),
  trees: defineCollection<Tree>()({ schema: TreeSchema }),
  commits: defineCollection<Commit>()({ schema: CommitSchema }),
}

/** Stores for each repo the objects that its refs reach, with the same ids. */
export function upgradeObjects(
  state: State,
  objects: ObjectStores,
  retired: ReadonlyMap<string, AnyCollection>,
): void {
  for (const repo of state.repos.values()) {
    const target = objects.of(repo)
    const ids = new Set(Object.values(repo.refs))
    const record = (name: keyof typeof contentCollections, id: string): unknown => {
      const found = retired.get(name)?.get(id)
      if (found === undefined) throw new Error(`${repo.name}: ${name} "${id}" is missing`)
      return found
    }
    const keptAs = (id: string, written: string): void => {
      if (written !== id) throw new Error(`${repo.name}: what ${id} holds has the id ${written}`)
    }
    const writeFolder = (treeId: string): void => {
      if (target.has(treeId)) return
      const { entries } = record('trees', treeId) as Tree
      for (const { type, oid } of entries) {
        if (type === 'directory') writeFolder(oid)
        else if (!target.has(oid)) {
          const { content, encoding } = record('blobs', oid) as Blob
          keptAs(oid, target.write('blob', Buffer.from(content, encoding)))
        }
      }
      const modes = entries.map(({ name, type, oid }) =>
        treeEntry(name, type === 'directory' ? '40000' : '100644', oid),
      )
      keptAs(treeId, target.write('tree', encodeTree(modes)))
    }
    const commits: Commit[] = []
    // Iterating a set includes later additions. Existing objects were written by an interrupted start.
    for (const id of ids) {
      if (target.has(id)) continue
      const commit = record('commits', id) as Commit
      commits.push(commit)
      for (const parentId of commit.parentIds) ids.add(parentId)
    }
    // A commit is written before objects that refer to it, so that the next start finds a missing one.
    for (const commit of commits.toReversed()) {
      writeFolder(commit.treeId)
      keptAs(commit.id, target.write('commit', encodeRecord(commit)))
    }
  }
}

/** Bytes from which the id was computed. */
function encodeRecord({ authorName, date, title, message, ...commit }: Commit): Buffer {
  const email = `${authorName}@users.noreply.localhost`
  const who = { name: authorName, email, seconds: date / 1000, timeZone: '+0000' }
  return encodeCommit({
    ...commit,
    author: who,
    committer: who,
    headers: [],
    message: message === '' ? `${title}\n` : `${title}\n\n${message}\n`,
  })
}
