import type { FastifyRequest } from 'fastify'
import type { LfsAddressQuery } from '../../contract/hub-lfs.ts'
import { repoWebPath } from '../files/repo-names.ts'

/**
 * Builds the signed URL of an LFS object in the repo of a request.
 * @param path after `info/lfs/objects/`
 */
export function lfsUrl(
  { root, repo }: Pick<FastifyRequest, 'root' | 'repo'>,
  path: string,
  query: LfsAddressQuery & Readonly<Record<string, string | number | boolean>>,
): string {
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) parameters.append(name, String(value))
  const objects = `${root}${repoWebPath(repo.type, repo.name)}.git/info/lfs/objects`
  return `${objects}/${path}?${String(parameters)}`
}
