import { isObject } from '../../core/is-object.ts'
import type { Conclusion } from '../../store/objects/object-store.ts'
import { type ObjectStore, readBlob, readTree } from '../files/git-objects.ts'
import type { ReadCard } from '../files/repo-card.ts'
import { findPath } from '../files/trees.ts'

/** Result of a benchmark, or the mistake of its file: https://huggingface.co/docs/hub/eval-results */
export interface EvalResult {
  readonly filename: string
  readonly data?: Readonly<Record<string, unknown>>
  readonly error?: string
}

const folder = '.eval_results'
const longestFile = 64 * 1024
const mostFiles = 100

const results: Conclusion<readonly EvalResult[]> = {
  name: 'eval results',
  sizeOf: (list) => list.length * 1000,
}

/** Reads the results of benchmarks in a commit; `undefined` without any. @param treeId of the commit */
export function evalResultsOf(
  objects: ObjectStore,
  treeId: string,
  readCard: ReadCard,
): readonly EvalResult[] | undefined {
  const found = findPath(objects, treeId, folder)
  if (found?.type !== 'directory') return undefined
  const known = objects.recall(results, found.oid)
  if (known !== undefined) return known
  const files = readTree(objects, found.oid).entries.filter(({ name }) => /\.ya?ml$/.test(name))
  const read = files
    .slice(0, mostFiles)
    .flatMap(({ name, oid }) => resultsOf(`${folder}/${name}`, oid, objects, readCard))
  objects.remember(results, found.oid, read)
  return read
}

function resultsOf(
  filename: string,
  oid: string,
  objects: ObjectStore,
  readCard: ReadCard,
): EvalResult[] {
  const text = objects.size(oid) > longestFile ? undefined : readBlob(objects, oid).toString()
  const entries = text === undefined ? undefined : readCard(text)
  if (!Array.isArray(entries)) return [{ filename, error: 'it is not a list of results' }]
  const problem = (entries as unknown[]).map(problemOf).find((one) => one !== undefined)
  if (problem !== undefined) return [{ filename, error: problem }]
  return (entries as Record<string, unknown>[]).map((data) => ({ filename, data }))
}

function problemOf(entry: unknown, index: number): string | undefined {
  const { dataset, value } = isObject(entry) ? entry : {}
  const { id, task_id: task } = isObject(dataset) ? dataset : {}
  if (typeof id !== 'string') return `"[${index}].dataset.id" is required`
  if (typeof task !== 'string') return `"[${index}].dataset.task_id" is required`
  return value === undefined ? `"[${index}].value" is required` : undefined
}
