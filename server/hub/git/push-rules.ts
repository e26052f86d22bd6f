import { mostFolderBytes } from '../files/trees.ts'
import { readmePath } from '../rules/readme-check.ts'
import { fileRules } from '../rules/file-rules.ts'
import { type FileProblem, findFileProblem, findLostPointer } from '../uploads/file-problems.ts'
import type { Deps } from '../deps.ts'
import { parseCommit, parseTag } from '../../store/objects/commit-codec.ts'
import type { LooseFiles } from '../../store/objects/loose-files.ts'
import { GitFormatError, type ObjectType } from '../../store/objects/object-id.ts'
import type { ObjectStore } from '../../store/objects/object-store.ts'
import { parseTree, type TreeEntry } from '../../store/objects/tree-codec.ts'
import type { Repo } from '../../store/entities/hub-entities.ts'
import type { NewObject } from './quarantine.ts'
import { TreeMeter } from './tree-extent.ts'

/** Limits of objects that are read as a whole. */
const mostBytes: Record<Exclude<ObjectType, 'blob'>, number> = {
  commit: 1024 * 1024,
  tag: 1024 * 1024,
  tree: mostFolderBytes,
}

/** Limit of files of one kind that are listed by name. */
const mostNamed = 50

const rule = '-'.repeat(73)

/** Reason that an object of a push is refused. */
export type Offence = { readonly id: string; readonly path: string } & (
  | FileProblem
  | { readonly kind: 'readme' | 'unreadable'; readonly problem: string }
)

/** Objects of a push and of its repo. */
export interface PushPlace {
  readonly deps: Pick<Deps, 'state'>
  readonly repo: Repo
  /** Objects of the push. */
  readonly brought: LooseFiles
  /** Objects of the repo. */
  readonly objects: ObjectStore
}

/**
 * Finds objects that the hub refuses: large and binary files outside Git LFS, pointers to objects that were never uploaded to this repo (each later clone would fail), and objects that it cannot read, such as names that are not UTF-8.
 * @throws whatever `news` does
 */
export async function findOffences(
  place: PushPlace,
  news: AsyncIterable<NewObject>,
): Promise<Offence[]> {
  const offences: Offence[] = []
  const meter = new TreeMeter(place.objects, (id) => readTree(place, id))
  for await (const object of news) {
    const offence = await look(place, meter, object)
    if (offence !== undefined) offences.push(offence)
  }
  return offences
}

/** Returns the ids of new READMEs at the root of commits. */
export function findNewReadmes(place: PushPlace, commitIds: readonly string[]): string[] {
  const { brought } = place
  const ids = commitIds.flatMap((commitId) => {
    // A branch that points to another type is refused when it would move.
    if (!brought.has(commitId) || brought.header(commitId).type !== 'commit') return []
    const { treeId } = parseCommit(readBrought(place, commitId))
    const found = readTree(place, treeId).find(({ name }) => name === readmePath)
    const isFile = found?.type === 'file' && found.mode !== '120000'
    return isFile && brought.has(found.oid) ? [found.oid] : []
  })
  return [...new Set(ids)]
}

async function look(
  place: PushPlace,
  meter: TreeMeter,
  { id, path }: NewObject,
): Promise<Offence | undefined> {
  const { brought, deps, objects, repo } = place
  // An object that the repo had before was checked then, apart from what it points to.
  if (!brought.has(id)) {
    const problem = findLostPointer(deps, repo, {
      size: objects.size(id),
      read: () => readAny(place, id),
    })
    return problem && { ...problem, id, path }
  }
  const { type, size } = brought.header(id)
  if (type === 'blob') {
    const problem = await findFileProblem(deps, repo, {
      size,
      read: () => brought.read(id).content,
      readStart: async (bytes) => (await brought.readWhole(id)).content.subarray(0, bytes),
    })
    return problem && { ...problem, id, path }
  }
  if (type === 'tree' && meter.hasRead(id)) return undefined
  try {
    const problem = lookAtWhole(place, meter, { id, type })
    return problem === undefined ? undefined : { kind: 'unreadable', id, path, problem }
  } catch (error) {
    if (!(error instanceof GitFormatError)) throw error
    return { kind: 'unreadable', id, path, problem: error.message }
  }
}

/** @throws {GitFormatError} */
function lookAtWhole(
  place: PushPlace,
  meter: TreeMeter,
  { id, type }: { id: string; type: Exclude<ObjectType, 'blob'> },
): string | undefined {
  if (type === 'tree') {
    readTree(place, id)
    return undefined
  }
  const content = readBrought(place, id)
  if (type === 'commit') return meter.findExcess(parseCommit(content).treeId)
  parseTag(content)
  return undefined
}

function readTree(place: PushPlace, id: string): readonly TreeEntry[] {
  return place.brought.has(id) ? parseTree(readBrought(place, id)) : place.objects.readTree(id)
}

/** @throws {GitFormatError} for what is too large */
function readBrought({ brought }: PushPlace, id: string): Buffer {
  const { type, size } = brought.header(id)
  if (type !== 'blob' && size > mostBytes[type]) {
    throw new GitFormatError(`it has ${size} bytes, and a ${type} may have ${mostBytes[type]}`)
  }
  return brought.read(id).content
}

/** Reads an object of the repo that may be a pointer; other types than blobs are none. */
function readAny({ objects }: PushPlace, id: string): Buffer {
  const { type, content } = objects.read(id)
  return type === 'blob' ? content : Buffer.of()
}

/**
 * Describes the refusal of a push, line by line.
 * @param refOf returns the ref that contains an object
 */
export function describeOffences(
  offences: readonly Offence[],
  refOf: (id: string) => string,
): string[] {
  const chapter = (
    kind: Offence['kind'],
    head: readonly string[],
    end: readonly string[] = [],
  ): string[] => {
    const found = offences.filter((offence) => offence.kind === kind)
    if (found.length === 0) return []
    const named = found
      .slice(0, mostNamed)
      .map((offence) => ` - ${describe(offence)} (ref: ${refOf(offence.id)})`)
    const more = found.length - named.length
    return [rule, ...head, ...named, ...(more > 0 ? [` - and ${more} more`] : []), rule, ...end]
  }
  return [
    ...chapter('large', [...fileRules.large.words, '', 'Offending files:']),
    ...chapter('binary', [...fileRules.binary.words, '', 'Offending files:']),
    ...chapter('pointer', [
      ...fileRules.pointer.words,
      'Please upload them first: git lfs push --all origin',
      '',
      'Offending files:',
    ]),
    ...chapter(
      'readme',
      ['Sorry, your push was rejected during YAML metadata verification:'],
      [
        'Please find the documentation at:',
        'https://huggingface.co/docs/hub/model-cards#model-card-metadata',
        rule,
      ],
    ),
    ...chapter('unreadable', [
      'Your push was rejected because it contains what this Hub cannot read.',
      '',
      'Offending folders, commits and tags:',
    ]),
  ]
}

/** Describes one object, without control characters: paths come from strangers and go to a terminal. */
function describe(offence: Offence): string {
  const path = offence.path.replaceAll(/\p{Cc}/gu, '?')
  if (offence.kind === 'large' || offence.kind === 'binary') return path
  if (offence.kind === 'pointer') return `${path}: ${offence.oid}`
  if (offence.kind === 'readme') return `Error: ${offence.problem.replaceAll(/\p{Cc}/gu, ' ')}`
  const where = path === '' ? offence.id : path
  return `${where}: ${offence.problem.replaceAll(/\p{Cc}/gu, '?')}`
}
