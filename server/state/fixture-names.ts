import { findNamespace } from '../hub/repo-names.ts'
import { nameKey, type State } from './state.ts'

/** Ids of what the fixtures name; the checks of the file have seen to it that it is there. */
export interface NameIds {
  user(name: string): string
  organization(name: string): string
  /** A user or an organization. */
  namespace(name: string): string
  repo(type: string, name: string): string
  /** What the rights of a fine-grained token concern. */
  entity(entity: { type: string; name: string }): string
}

export function createNameIds(state: State): NameIds {
  const ids: NameIds = {
    user: (name) => known(state.users.find('name', nameKey(name)), 'user', name),
    organization: (name) =>
      known(state.organizations.find('name', nameKey(name)), 'organization', name),
    namespace: (name) => known(findNamespace(state, name), 'user or organization', name),
    repo: (type, name) => known(state.repos.find('name', `${type}/${nameKey(name)}`), type, name),
    entity({ type, name }) {
      switch (type) {
        case 'user':
          return ids.user(name)
        case 'org':
          return ids.organization(name)
        default:
          return ids.repo(type, name)
      }
    },
  }
  return ids
}

function known(found: { id: string } | undefined, kind: string, name: string): string {
  if (found === undefined) throw new TypeError(`the fixtures name an unknown ${kind}: ${name}`)
  return found.id
}

/** The other way round: names by id. What was deleted since has none. */
export interface IdNames {
  user(id: string | undefined): string | undefined
  organization(id: string | undefined): string | undefined
  namespace(id: string): string | undefined
}

export function createIdNames(state: State): IdNames {
  const user = (id: string | undefined) =>
    id === undefined ? undefined : state.users.get(id)?.username
  const organization = (id: string | undefined) =>
    id === undefined ? undefined : state.organizations.get(id)?.name
  return { user, organization, namespace: (id) => user(id) ?? organization(id) }
}
