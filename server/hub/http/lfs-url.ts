import type { LfsAddressQuery } from '../../contract/hub-lfs.ts'
import type { Repo } from '../../store/entities/hub-entities.ts'
import { repoWebPath } from '../files/repo-names.ts'

/**
 * Builds the signed URL of an LFS object in a repo.
 * @param root of the Hub or its storage
 * @param path after `info/lfs/objects/`
 */
export function lfsUrl(
  { root, repo }: { root: string; repo: Repo },
  path: string,
  query: LfsAddressQuery & Readonly<Record<string, string | number | boolean>>,
): string {
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) parameters.append(name, String(value))
  const objects = `${root}${repoWebPath(repo.type, repo.name)}.git/info/lfs/objects`
  return `${objects}/${path}?${String(parameters)}`
}
