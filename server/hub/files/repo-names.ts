import type { AnyRepoType, RepoType } from '../../contract/words/hub-words.ts'
import { nameKey, type State } from '../../store/state.ts'
import { Refusal } from '../../core/refusal.ts'
import type { OwnerType } from '../../contract/words/account-words.ts'

/** Owner of a namespace. */
export interface NamespaceOwner {
  readonly kind: OwnerType
  readonly id: string
  /** In the account's own letter case. */
  readonly name: string
}

/** `/datasets/acme/corpus`; models have no prefix. */
export function repoWebPath(type: AnyRepoType, name: string): string {
  return type === 'model' ? `/${name}` : `/${type}s/${name}`
}

/**
 * Returns the type of a git repo.
 * @throws {TypeError} for a bucket, which no route for git repos finds
 */
export function gitTypeOf({ type, name }: { type: AnyRepoType; name: string }): RepoType {
  if (type === 'bucket') throw new TypeError(`${name} is a bucket, not a git repo`)
  return type
}

/** Returns the first label of a Space's own host. */
export function spaceSubdomain(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')
}

/** Characters of a name, the namespace not counted. */
export const longestRepoName = 96

/**
 * Checks `namespace/name` against the hub's rules, one by one, so that the refusal names the broken one; the pattern in the
 * fixtures schema has the same rules. It does not check that the namespace exists.
 * @throws {Refusal} `invalid` with the broken rule
 */
export function parseRepoName(fullName: string): { namespace: string; name: string } {
  const [namespace = '', name = '', ...rest] = fullName.split('/')
  if (namespace === '' || name === '' || rest.length > 0) {
    throw invalidName(fullName, 'it must be of the form namespace/name')
  }
  if (!/^[\w.-]+$/.test(name) || name.length > longestRepoName) {
    throw invalidName(
      fullName,
      `a name has 1 to ${longestRepoName} letters, digits, dots, hyphens and underscores`,
    )
  }
  if (/--|\.\./.test(name) || /^[-.]|[-.]$/.test(name)) {
    throw invalidName(fullName, 'a name has no "--" and "..", and no hyphen or dot at its ends')
  }
  if (name.endsWith('.git')) throw invalidName(fullName, 'a name does not end in .git')
  return { namespace, name }
}

/** Finds a user or organization by name, ignoring case. */
export function findNamespace(
  state: Pick<State, 'users' | 'organizations'>,
  namespace: string,
): NamespaceOwner | undefined {
  const key = nameKey(namespace)
  const user = state.users.find('name', key)
  if (user !== undefined) return { kind: 'user', id: user.id, name: user.username }
  const organization = state.organizations.find('name', key)
  if (organization === undefined) return undefined
  return { kind: 'org', id: organization.id, name: organization.name }
}

/** Returns the key of the index `repos.name`, which is also the id of a redirect. */
export function repoKey(type: AnyRepoType, name: string): string {
  return `${type}/${nameKey(name)}`
}

/** Path with an encoded slash in the place of a repo's name, in the API and in the URLs of files. */
const withEncodedSlash =
  /^\/(?:api\/(?:resolve-cache\/)?(?:models|datasets|spaces|buckets)\/([^/]*%2F[^/]*)(?:\/|$)|(?:(?:datasets|spaces|buckets)\/)?([^/]*%2F[^/]*)\/(?:resolve|raw|info|git-upload-pack|git-receive-pack|ask-access|user-access-report)(?:\/|$))/i

/**
 * Builds the refusal of a path that joins namespace and name of a repo with an encoded slash.
 * @param path of a URL, still encoded
 * @returns `undefined` for any other path
 */
export function refuseEncodedName(path: string): Refusal | undefined {
  const [, inApi, onWeb] = withEncodedSlash.exec(path) ?? []
  const part = inApi ?? onWeb
  return part === undefined ? undefined : encodedSlash(part)
}

/**
 * Builds the refusal of an encoded slash in the namespace or name of a repo.
 * @param part of the path, still encoded
 */
export function encodedSlash(part: string): Refusal {
  return new Refusal(
    'invalid',
    `Invalid repo name: ${part} - repo name includes an url-encoded slash`,
    {
      detail: 'encode namespace and name of a repo separately, with a plain slash between them',
    },
  )
}

function invalidName(name: string, reason: string): Refusal {
  return new Refusal('invalid', `Invalid repo name: ${name} - ${reason}`)
}
