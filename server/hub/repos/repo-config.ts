import { omitUndefined } from '../../core/omit-undefined.ts'
import type { Conclusion } from '../../store/objects/object-store.ts'
import { type ObjectStore, readBlob } from '../files/git-objects.ts'
import { textsOf } from './repo-tags.ts'
import { findPath } from '../files/trees.ts'

/** Facts from a model's `config.json` that the hub returns. */
export interface RepoConfig {
  readonly architectures?: readonly string[]
  readonly model_type?: string
}

/** Longer files are ignored. */
const longestConfig = 1024 * 1024

const configs: Conclusion<RepoConfig> = { name: 'config', sizeOf: () => 300 }

/** Reads the model's architecture from a commit. @param treeId of the commit */
export function repoConfig(objects: ObjectStore, treeId: string): RepoConfig {
  const file = findPath(objects, treeId, 'config.json')
  if (file?.type !== 'file' || file.size > longestConfig) return {}
  const known = objects.recall(configs, file.oid)
  if (known !== undefined) return known
  const { architectures, model_type: type } = parseMembers(readBlob(objects, file.oid).toString())
  const names = textsOf(architectures)
  const config = omitUndefined({
    architectures: names.length === 0 ? undefined : names,
    model_type: typeof type === 'string' ? type : undefined,
  })
  objects.remember(configs, file.oid, config)
  return config
}

/** @returns no members for invalid JSON: users write such files */
function parseMembers(text: string): Readonly<Record<string, unknown>> {
  try {
    const value = JSON.parse(text) as unknown
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
  } catch (error) {
    if (error instanceof SyntaxError) return {}
    throw error
  }
}
