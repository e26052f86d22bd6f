import { createHash } from 'node:crypto'
import type { State } from '../state/state.ts'
import type { Blob, Commit, Tree } from '../state/entities/hub.ts'

/** A git object store: commits, trees and files under the ids that git itself computes. */
export type ObjectStore = Pick<State, 'blobs' | 'trees' | 'commits'>
export type TreeEntry = Tree['entries'][number]
export type NewCommit = Omit<Commit, 'id'>

/** Keeps a file's content; what is there already is not stored twice. */
export function writeBlob(objects: ObjectStore, bytes: Uint8Array): Blob {
  const id = gitObjectId('blob', bytes)
  return objects.blobs.get(id) ?? objects.blobs.put({ id, size: bytes.length, ...encode(bytes) })
}

/** @param entries in any order, names without `/` */
export function writeTree(objects: ObjectStore, entries: readonly TreeEntry[]): Tree {
  const sorted = entries.toSorted((a, b) => Buffer.compare(sortKey(a), sortKey(b)))
  const id = gitObjectId('tree', encodeTree(sorted))
  return objects.trees.get(id) ?? objects.trees.put({ id, entries: sorted })
}

/** @param commit its date is cut to the whole seconds that git keeps */
export function writeCommit(objects: ObjectStore, commit: NewCommit): Commit {
  const dated = { ...commit, date: Math.floor(commit.date / 1000) * 1000 }
  const id = gitObjectId('commit', encodeCommit(dated))
  return objects.commits.get(id) ?? objects.commits.put({ ...dated, id })
}

export function readBlob(objects: ObjectStore, id: string): Buffer {
  const { content, encoding } = known(objects.blobs.get(id), 'blob', id)
  return Buffer.from(content, encoding)
}

export function readTree(objects: ObjectStore, id: string): Tree {
  return known(objects.trees.get(id), 'tree', id)
}

export function readCommit(objects: ObjectStore, id: string): Commit {
  return known(objects.commits.get(id), 'commit', id)
}

/** SHA-1 of `<type> <size>\0<content>`, as `git hash-object` computes it. */
export function gitObjectId(type: 'blob' | 'tree' | 'commit', content: Uint8Array): string {
  return createHash('sha1').update(`${type} ${content.length}\0`).update(content).digest('hex')
}

/** @param entries sorted as git does */
export function encodeTree(entries: readonly TreeEntry[]): Buffer {
  return Buffer.concat(
    entries.flatMap(({ name, type, oid }) => [
      Buffer.from(`${type === 'directory' ? '40000' : '100644'} ${name}\0`),
      Buffer.from(oid, 'hex'),
    ]),
  )
}

export function encodeCommit(commit: NewCommit): Buffer {
  const { authorName } = commit
  const who = `${authorName} <${authorName}@users.noreply.localhost> ${commit.date / 1000} +0000`
  const lines = [
    `tree ${commit.treeId}`,
    ...commit.parentIds.map((parent) => `parent ${parent}`),
    `author ${who}`,
    `committer ${who}`,
    '',
    commit.title,
    ...(commit.message === '' ? [] : ['', commit.message]),
  ]
  return Buffer.from(`${lines.join('\n')}\n`)
}

/** Git sorts a folder as if its name ended in a slash. */
function sortKey({ name, type }: TreeEntry): Buffer {
  return Buffer.from(type === 'directory' ? `${name}/` : name)
}

/** Text stays readable in the state's files; whatever is not exactly UTF-8 is kept as base64. */
function encode(bytes: Uint8Array): Pick<Blob, 'content' | 'encoding'> {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  const text = buffer.toString('utf-8')
  return Buffer.from(text, 'utf-8').equals(buffer)
    ? { encoding: 'utf-8', content: text }
    : { encoding: 'base64', content: buffer.toString('base64') }
}

/** Objects are never removed, so an id taken from another object leads somewhere. */
function known<T>(object: T | undefined, kind: string, id: string): T {
  if (object === undefined) throw new Error(`the ${kind} ${id} is missing from the state`)
  return object
}
