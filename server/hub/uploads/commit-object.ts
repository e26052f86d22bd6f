import { isObject } from '../../core/is-object.ts'
import { own } from '../../core/own.ts'
import { type ContentShelf, contentsOfCommit } from './commit-contents.ts'
import { readJson, UnknownMembers } from './commit-json.ts'
import {
  type ParsedCommit,
  invalidPart,
  knownMembers,
  type OperationKey,
  readHeader,
  readOperation,
  requireOperations,
} from './commit-operations.ts'

/** Members with the operations of a commit. Deletions come first: what a commit adds, it keeps. */
const lists = {
  deletedEntries: 'deletedEntry',
  deletedFiles: 'deletedFile',
  deletedFolders: 'deletedFolder',
  files: 'file',
  lfsFiles: 'lfsFile',
} satisfies Record<string, OperationKey>

/** Bytes outside the strings: enough for 20,000 files. */
const mostStructureBytes = 512 * 1024

/**
 * Reads a commit that is one JSON object, as older clients send it: the members of the header beside a list for each kind
 * of operation.
 * @param shelf as {@link readCommitLines}
 * @throws {Refusal} `invalid` naming the member, or for a commit without operations; `unprocessable` for an invalid path
 */
export async function readCommitObject(bytes: Buffer, shelf: ContentShelf): Promise<ParsedCommit> {
  const where = 'The commit'
  const value = readJson({ where, bytes, mostStructureBytes })
  if (!isObject(value)) throw invalidPart({ where }, 'it is not a JSON object')
  const unknown = new UnknownMembers()
  unknown.look('the commit', value, [...knownMembers.header, ...Object.keys(lists)])
  const header = readHeader({ where, value })
  const operations: ParsedCommit['operations'] = []
  const keep = contentsOfCommit(shelf)
  for (const [member, key] of Object.entries(lists)) {
    const list = own(value, member) ?? []
    if (!Array.isArray(list)) throw invalidPart({ where }, `${member} is no list`)
    for (const [index, item] of list.entries() as ArrayIterator<[number, unknown]>) {
      const part = { where: `The commit's ${member}[${index}]` }
      if (!isObject(item)) throw invalidPart(part, 'it is not a JSON object')
      unknown.look(`${member}[${index}]`, item, knownMembers[key])
      operations.push(await readOperation(key, { ...part, value: item }, keep))
    }
  }
  requireOperations(operations)
  return { ...header, operations, passedOver: unknown.describe() }
}
