import type { Conclusion } from '../../store/objects/object-store.ts'
import { MissingObjectError } from '../../store/objects/object-store.ts'
import { StateError } from '../../store/errors.ts'
import type { Repo } from '../../store/entities/hub-entities.ts'
import { contentsOf } from '../files/contents.ts'
import { type ObjectStore, readBlob } from '../files/git-objects.ts'
import { type FindLarge, largeFilesOf } from '../files/lfs-files.ts'
import { findPath, type PathEntry } from '../files/trees.ts'
import type { HubDeps } from '../hub-deps.ts'
import { chooseGguf, listGgufFiles } from './gguf-files.ts'
import { type GgufHeader, readGgufHeader } from './gguf-header.ts'
import { countParameters, filesOfIndex, lengthBytes, lengthOfHeader } from './safetensors-header.ts'

type WeightsDeps = Pick<HubDeps, 'state' | 'objects'>

/** Parameters of a model by their type, as the hub returns them. */
export interface Safetensors {
  readonly parameters: Readonly<Record<string, number>>
  readonly total: number
}

/** Longer headers are not read. */
const longestHeader = 32 * 1024 * 1024
const longestIndex = 8 * 1024 * 1024
const mostParts = 1000
const firstRead = 256 * 1024

interface Kept<T> {
  readonly value: T | undefined
}
const ggufHeaders: Conclusion<Kept<GgufHeader>> = {
  name: 'gguf',
  sizeOf: ({ value }) => 500 + 2 * (value?.chat_template?.length ?? 0),
}
const preferredFiles: Conclusion<Kept<string>> = {
  name: 'gguf file',
  sizeOf: ({ value = '' }) => 100 + 2 * value.length,
}
const parameterCounts: Conclusion<Kept<Map<string, number>>> = {
  name: 'safetensors',
  sizeOf: () => 500,
}

/** Files of a commit whose bytes can be read. */
interface Weights {
  readonly objects: ObjectStore
  readonly lfs: WeightsDeps['objects']['lfs']
  readonly findLarge: FindLarge
  readonly treeId: string
}

/** Reads the header of the GGUF file that a repo has or prefers; `undefined` without a readable one. */
export function ggufOf(deps: WeightsDeps, repo: Repo, treeId: string): GgufHeader | undefined {
  const weights = weightsOf(deps, repo, treeId)
  const path = preferredGguf(weights)
  return path === undefined ? undefined : ggufHeaderOf(weights, path)
}

/** Looks through the names of a commit once: every response about a repo asks for it. */
function preferredGguf({ objects, treeId }: Weights): string | undefined {
  const known = objects.recall(preferredFiles, treeId)
  if (known !== undefined) return known.value
  const paths = contentsOf(objects, treeId).map(({ path }) => path)
  const value = chooseGguf(listGgufFiles(paths))?.path
  objects.remember(preferredFiles, treeId, { value })
  return value
}

/** Counts the parameters in the safetensors files of a model; `undefined` without readable ones. */
export function safetensorsOf(
  deps: WeightsDeps,
  repo: Repo,
  treeId: string,
): Safetensors | undefined {
  const weights = weightsOf(deps, repo, treeId)
  const parts = partsOf(weights)
  if (parts.length === 0) return undefined
  const sums = new Map<string, number>()
  for (const path of parts) {
    const counts = countsOf(weights, path)
    if (counts === undefined) return undefined
    for (const [type, count] of counts) sums.set(type, (sums.get(type) ?? 0) + count)
  }
  const total = [...sums.values()].reduce((sum, count) => sum + count, 0)
  return { parameters: Object.fromEntries(sums), total }
}

function weightsOf(deps: WeightsDeps, repo: Repo, treeId: string): Weights {
  const objects = deps.objects.of(repo)
  return { objects, lfs: deps.objects.lfs, findLarge: largeFilesOf(deps, repo), treeId }
}

/** Lists the files of the model: those of the index, else the only one. */
function partsOf({ objects, treeId }: Weights): readonly string[] {
  const index = findPath(objects, treeId, 'model.safetensors.index.json')
  if (index?.type === 'file' && index.size <= longestIndex) {
    return filesOfIndex(readBlob(objects, index.oid).toString()).slice(0, mostParts)
  }
  return findPath(objects, treeId, 'model.safetensors')?.type === 'file'
    ? ['model.safetensors']
    : []
}

/** Reads the header of a GGUF file of a commit. */
export function ggufHeaderOf(weights: Weights, path: string): GgufHeader | undefined {
  return readOnce(weights, path, ggufHeaders, (read, size) => {
    for (let length = firstRead; ; length *= 4) {
      const header = readGgufHeader(read(0, length))
      if (header !== 'short') return header
      if (length >= Math.min(size, longestHeader)) return undefined
    }
  })
}

function countsOf(weights: Weights, path: string): Map<string, number> | undefined {
  return readOnce(weights, path, parameterCounts, (read) => {
    const length = lengthOfHeader(read(0, lengthBytes))
    if (length === undefined || length > longestHeader) return undefined
    return countParameters(read(lengthBytes, lengthBytes + length).toString())
  })
}

type Read = (start: number, end: number) => Buffer

/** Reads facts from a file once: its content never changes. */
function readOnce<T>(
  { objects, lfs, findLarge, treeId }: Weights,
  path: string,
  conclusion: Conclusion<Kept<T>>,
  extract: (read: Read, size: number) => T | undefined,
): T | undefined {
  const file = findPath(objects, treeId, path)
  if (file?.type !== 'file') return undefined
  const known = objects.recall(conclusion, file.oid)
  if (known !== undefined) return known.value
  try {
    const value = extract(...readerOf({ objects, lfs, findLarge }, file))
    objects.remember(conclusion, file.oid, { value })
    return value
  } catch (error) {
    // A file that is damaged or missing on the disk is reported where it is downloaded.
    if (error instanceof MissingObjectError || error instanceof StateError) return undefined
    throw error
  }
}

function readerOf(
  { objects, lfs, findLarge }: Pick<Weights, 'objects' | 'lfs' | 'findLarge'>,
  file: PathEntry,
): [read: Read, size: number] {
  const large = findLarge(file)
  if (large !== undefined) {
    const { oid, size } = large
    const clip = (end: number) => Math.min(end, size)
    const read: Read = (start, end) =>
      clip(start) === clip(end)
        ? Buffer.alloc(0)
        : lfs.read(oid, { start: clip(start), end: clip(end) })
    return [read, size]
  }
  const bytes = readBlob(objects, file.oid)
  return [(start, end) => bytes.subarray(start, end), bytes.length]
}
