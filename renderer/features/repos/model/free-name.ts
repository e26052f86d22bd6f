import type { RepoItem } from '../../../../server/contract/control-repos.ts'

/** A name that no repo of the type has: `alice/my-model`, then `alice/my-model-2`. */
export function freeName(
  namespace: string,
  type: RepoItem['type'],
  repos: readonly Pick<RepoItem, 'type' | 'name'>[],
): string {
  const taken = new Set(repos.filter((repo) => repo.type === type).map(({ name }) => name))
  const first = `${namespace}/my-${type}`
  for (let number = 2, name = first; ; number += 1) {
    if (!taken.has(name)) return name
    name = `${first}-${number}`
  }
}
