import type { Repo } from '../../store/entities/hub-entities.ts'
import { type AnyRepoType, anyRepoTypes } from '../../contract/words/hub-words.ts'
import type { HubDeps } from '../hub-deps.ts'
import { repoKey } from '../files/repo-names.ts'

/** Finds a repo by name, ignoring case; follows the redirect that a moved repo leaves. */
export function findRepo(
  { state }: Pick<HubDeps, 'state'>,
  type: AnyRepoType,
  name: string,
): { repo: Repo; moved: boolean } | undefined {
  const key = repoKey(type, name)
  const repo = state.repos.find('name', key)
  if (repo !== undefined) return { repo, moved: false }
  const redirect = state.repoRedirects.get(key)
  const target = redirect === undefined ? undefined : state.repos.get(redirect.repoId)
  return target === undefined ? undefined : { repo: target, moved: true }
}

/** Finds the repos of every type with this name; falls back to repos that were moved from it. */
export function findReposOfAnyType(deps: Pick<HubDeps, 'state'>, name: string): Repo[] {
  const found = anyRepoTypes.flatMap((type) => findRepo(deps, type, name) ?? [])
  const present = found.filter(({ moved }) => !moved)
  return (present.length > 0 ? present : found).map(({ repo }) => repo)
}
