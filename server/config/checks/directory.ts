import { type Entry, entries, Names, textOf } from './loose.ts'

/** All that other parts of the file may name. */
export interface Directory {
  users: Names
  organizations: Names
  namespaces: Names
  /** Usernames of an organization's members, in lower case, by its name in lower case. */
  members: ReadonlyMap<string, ReadonlySet<string>>
  /** Names of an organization's resource groups, by its name in lower case. */
  resourceGroups: ReadonlyMap<string, readonly string[]>
  /** `type/namespace/name` in lower case. */
  repos: ReadonlySet<string>
}

export function readDirectory(root: Entry): Directory {
  const users = entries(root, 'users').flatMap((user) => textOf(user, 'username') ?? [])
  const organizations = entries(root, 'organizations').flatMap((organization) => {
    const name = textOf(organization, 'name')
    return name === undefined ? [] : [{ name, organization }]
  })
  const names = organizations.map(({ name }) => name)
  return {
    users: new Names('user', users),
    organizations: new Names('organization', names),
    namespaces: new Names('user or organization', [...users, ...names]),
    members: new Map(
      organizations.map(({ name, organization }) => [
        name.toLowerCase(),
        new Set(
          entries(organization, 'members').flatMap(
            (member) => textOf(member, 'user')?.toLowerCase() ?? [],
          ),
        ),
      ]),
    ),
    resourceGroups: new Map(
      organizations.map(({ name, organization }) => [
        name.toLowerCase(),
        entries(organization, 'resourceGroups').flatMap((group) => textOf(group, 'name') ?? []),
      ]),
    ),
    repos: new Set(entries(root, 'repos').flatMap((repo) => repoKey(repo) ?? [])),
  }
}

export function repoKey(repo: Entry): string | undefined {
  const name = textOf(repo, 'name')
  return name === undefined ? undefined : `${textOf(repo, 'type') ?? 'model'}/${name.toLowerCase()}`
}
