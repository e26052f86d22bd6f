import {
  cleanPerson,
  type CommitObject,
  encodeTag,
  parseTag,
  type Signature,
  type TagObject,
} from '../../store/objects/commit-codec.ts'
import type { ObjectStore } from '../../store/objects/object-store.ts'
import { sortTree, type TreeEntry } from '../../store/objects/tree-codec.ts'

export type { ObjectStore, TreeEntry }

/** Folder by its id. */
export interface Tree {
  readonly id: string
  readonly entries: readonly TreeEntry[]
}

/** Commit, in the words of the hub. */
export interface Commit {
  readonly id: string
  readonly treeId: string
  readonly parentIds: readonly string[]
  /** First line of git's message. */
  readonly title: string
  /** Rest of git's message. */
  readonly message: string
  /** Absent for the hub's own commits, and where a pushed commit names no user. */
  readonly authorId?: string
  /** Username at that time, `system` for the hub; any text in a pushed commit. */
  readonly authorName: string
  readonly authorEmail: string
  /** Milliseconds since 1970; whole seconds, as git keeps them. */
  readonly date: number
}

/** Annotation of a tag object. */
export interface TagAnnotation {
  readonly message: string
  readonly tagger: { readonly name: string; readonly email: string }
  /** Milliseconds since 1970; cut to the whole seconds that git keeps. */
  readonly date: number
  /** Offset such as `+0200`; absent = UTC. */
  readonly timeZone?: string
}

export type NewCommit = Omit<Commit, 'id' | 'authorEmail'>

const noReply = 'users.noreply.localhost'

/** Stores a file's content; existing content is not stored twice. */
export function writeBlob(objects: ObjectStore, bytes: Uint8Array): { id: string; size: number } {
  return { id: objects.write('blob', bytes), size: bytes.length }
}

/** @param entries in any order, names without `/` */
export function writeTree(objects: ObjectStore, entries: readonly TreeEntry[]): Tree {
  const sorted = sortTree(entries)
  return { id: objects.writeTree(sorted), entries: sorted }
}

/** @param commit its date is cut to the whole seconds that git keeps */
export function writeCommit(objects: ObjectStore, commit: NewCommit): Commit {
  const who: Signature = {
    name: cleanPerson(commit.authorName),
    email: emailOf(commit),
    seconds: Math.floor(commit.date / 1000),
    timeZone: '+0000',
  }
  const { treeId, parentIds, title, message } = commit
  const written: CommitObject = {
    treeId,
    parentIds,
    author: who,
    committer: who,
    headers: [],
    message: message === '' ? `${title}\n` : `${title}\n\n${message}\n`,
  }
  return describe(objects.writeCommit(written), written)
}

/** Stores an annotated tag of a commit. @returns its id */
export function writeTag(
  objects: ObjectStore,
  name: string,
  { id }: Commit,
  { message, tagger, date, timeZone = '+0000' }: TagAnnotation,
): string {
  const tag: TagObject = {
    objectId: id,
    objectType: 'commit',
    name,
    tagger: {
      name: cleanPerson(tagger.name),
      email: cleanPerson(tagger.email),
      seconds: Math.floor(date / 1000),
      timeZone,
    },
    headers: [],
    message: message.endsWith('\n') ? message : `${message}\n`,
  }
  return objects.write('tag', encodeTag(tag))
}

/** Reads a whole file; use {@link ObjectStore.openBlob} for a large one. */
export function readBlob(objects: ObjectStore, id: string): Buffer {
  return objects.read(id).content
}

export function readTree(objects: ObjectStore, id: string): Tree {
  return { id, entries: objects.readTree(id) }
}

/** Cached by the parsed object, which never changes: responses about a repo need the same few commits. */
const described = new WeakMap<CommitObject, Commit>()

export function readCommit(objects: ObjectStore, id: string): Commit {
  const parsed = objects.readCommit(id)
  const known = described.get(parsed)
  if (known !== undefined) return known
  const commit = describe(id, parsed)
  described.set(parsed, commit)
  return commit
}

/**
 * Follows annotated tags, which may point to other tags, to their target.
 * @param id of any object; other types than tags are returned unchanged
 * @throws as {@link ObjectStore.read}
 */
export function peelTags(objects: ObjectStore, id: string): string {
  for (let current = id; ;) {
    const { type, content } = objects.read(current)
    if (type !== 'tag') return current
    current = parseTag(content).objectId
  }
}

/** Builds the e-mail address of an author: it holds the user's id, since names change. */
export function emailOf({
  authorId,
  authorName,
}: Pick<NewCommit, 'authorId' | 'authorName'>): string {
  const name = cleanPerson(authorName)
  return authorId === undefined ? `${name}@${noReply}` : `${authorId}+${name}@${noReply}`
}

const ownEmail = new RegExp(`^([0-9a-f]{24})\\+.*@${noReply.replaceAll('.', String.raw`\.`)}$`)

function describe(id: string, commit: CommitObject): Commit {
  const { treeId, parentIds, author, committer } = commit
  const text = commit.message.replace(/^\n+/, '')
  const end = text.indexOf('\n')
  const authorId = ownEmail.exec(author.email)?.[1]
  return {
    id,
    treeId,
    parentIds,
    title: end === -1 ? text : text.slice(0, end),
    message: end === -1 ? '' : text.slice(end + 1).replace(/^\n|\n$/g, ''),
    ...(authorId !== undefined && { authorId }),
    authorName: author.name,
    authorEmail: author.email,
    date: committer.seconds * 1000,
  }
}
