import { parseRepoName } from '../../hub/repo-names.ts'
import { HubError } from '../../hub/hub-error.ts'
import { suggestion } from '../../core/suggestion.ts'
import { type Issue, joinPath } from '../issues.ts'
import { type Directory, repoKey } from './directory.ts'
import {
  child,
  duplicates,
  type Entry,
  entries,
  impossibleDates,
  Names,
  texts,
  textOf,
} from './loose.ts'

export function checkRepos(root: Entry, directory: Directory): Issue[] {
  const repos = entries(root, 'repos')
  const keys = repos.flatMap((repo) => {
    const text = repoKey(repo)
    return text === undefined ? [] : [{ path: joinPath(repo.path, 'name'), text }]
  })
  return [
    ...duplicates(keys, 'repo'),
    ...duplicates(
      repos.flatMap((repo) => texts(repo, 'id')),
      'id',
    ),
    ...repos.flatMap((repo) => [
      ...checkRepoName(repo, directory),
      ...directory.users.unknown(texts(repo, 'creator')),
      ...checkResourceGroup(repo, directory),
      ...checkAccess(repo, directory),
      ...checkSdk(repo),
      ...checkFiles(child(repo, 'files')),
      ...checkTags(repo),
      ...checkDiscussions(repo, directory),
    ]),
  ]
}

function checkRepoName(repo: Entry, directory: Directory): Issue[] {
  return texts(repo, 'name').flatMap(({ path, text }) => {
    try {
      const { namespace } = parseRepoName(text)
      return directory.namespaces.unknown([{ path, text: namespace }])
    } catch (error) {
      if (error instanceof HubError) return [{ path, message: error.message }]
      throw error
    }
  })
}

function checkResourceGroup(repo: Entry, directory: Directory): Issue[] {
  const namespace = textOf(repo, 'name')?.split('/')[0] ?? ''
  const groups = directory.resourceGroups.get(namespace.toLowerCase())
  const found = texts(repo, 'resourceGroup')
  if (groups !== undefined)
    return new Names(`resource group of ${namespace}`, groups).unknown(found)
  return found.map(({ path }) => ({
    path,
    message: `resource groups belong to organizations, and ${namespace} is none`,
  }))
}

function checkAccess(repo: Entry, { users }: Directory): Issue[] {
  const access = entries(repo, 'access')
  const isGated = repo.value['gated'] !== undefined && repo.value['gated'] !== false
  return [
    ...users.unknown(access.flatMap((request) => texts(request, 'user'))),
    ...duplicates(
      access.flatMap((request) => texts(request, 'user')),
      'user',
    ),
    ...impossibleDates(access.flatMap((request) => texts(request, 'at'))),
    ...(access.length > 0 && !isGated
      ? [{ path: joinPath(repo.path, 'access'), message: 'the repo is not gated; set gated' }]
      : []),
  ]
}

function checkSdk(repo: Entry): Issue[] {
  return repo.value['type'] === 'space'
    ? []
    : texts(repo, 'sdk').map(({ path }) => ({ path, message: 'only Spaces have an SDK' }))
}

/** What git and every file system can hold. */
function checkFiles(files: Entry | undefined): Issue[] {
  if (files === undefined) return []
  const paths = Object.keys(files.value)
  return paths.flatMap((file) => {
    const parts = file.split('/')
    const path = joinPath(files.path, file)
    if (parts.some((part) => ['', '.', '..', '.git'].includes(part)) || file.includes('\\')) {
      return [{ path, message: 'is no path inside the repo' }]
    }
    const folder = paths.find((other) => other.startsWith(`${file}/`))
    return folder === undefined
      ? []
      : [{ path, message: `is a file here and a folder in ${JSON.stringify(folder)}` }]
  })
}

function checkTags(repo: Entry): Issue[] {
  const tags = texts(repo, 'tags')
  return [
    ...duplicates(tags, 'tag'),
    ...tags
      .filter(({ text }) => !/^(?!.*(?:\.\.|\/\/|@\{|\.lock$))[\w][\w./@-]*(?<![./])$/.test(text))
      .map(({ path, text }) => ({ path, message: `is no name of a tag: ${JSON.stringify(text)}` })),
  ]
}

function checkDiscussions(repo: Entry, { users }: Directory): Issue[] {
  const discussions = entries(repo, 'discussions')
  const comments = discussions.flatMap((discussion) => entries(discussion, 'comments'))
  return [
    ...users.unknown([...discussions, ...comments].flatMap((entry) => texts(entry, 'author'))),
    ...duplicates(
      [...discussions, ...comments].flatMap((entry) => texts(entry, 'id')),
      'id',
    ),
    ...checkNumbers(discussions),
    ...impossibleDates([...discussions, ...comments].flatMap((it) => texts(it, 'createdAt'))),
    ...discussions.flatMap((discussion) => [
      ...checkFiles(child(discussion, 'files')),
      ...checkPullRequest(discussion),
    ]),
  ]
}

function checkNumbers(discussions: readonly Entry[]): Issue[] {
  let last = 0
  return discussions.flatMap(({ path, value }) => {
    const { num } = value
    const given = typeof num === 'number' ? num : last + 1
    if (given > last) {
      last = given
      return []
    }
    return [{ path: joinPath(path, 'num'), message: `must be more than the one before, ${last}` }]
  })
}

function checkPullRequest({ path, value }: Entry): Issue[] {
  if (value['isPullRequest'] === true) return []
  return [
    ...(value['status'] === 'draft' || value['status'] === 'merged'
      ? [{ path: joinPath(path, 'status'), message: 'only pull requests are draft or merged' }]
      : []),
    ...(value['files'] === undefined
      ? []
      : [{ path: joinPath(path, 'files'), message: 'only pull requests change files' }]),
  ]
}

export function checkCollections(root: Entry, directory: Directory): Issue[] {
  const collections = entries(root, 'collections')
  return [
    ...duplicates(
      collections.flatMap((collection) => texts(collection, 'id')),
      'id',
    ),
    ...duplicates(
      collections
        .filter((collection) => collection.value['id'] === undefined)
        .map((collection) => ({
          path: joinPath(collection.path, 'title'),
          text: `${textOf(collection, 'owner')}/${textOf(collection, 'title')}`,
        })),
      'collection (equal ones need an id each)',
    ),
    ...collections.flatMap((collection) => [
      ...directory.namespaces.unknown(texts(collection, 'owner')),
      ...entries(collection, 'items').flatMap((item) => checkItem(item, directory)),
    ]),
  ]
}

function checkItem(item: Entry, { repos }: Directory): Issue[] {
  const type = textOf(item, 'type') ?? ''
  if (!['model', 'dataset', 'space'].includes(type)) return []
  return unknownRepo(item, 'target', type, repos)
}

/** An issue when `value[key]` is not a repo of this type in the file. */
export function unknownRepo(
  entry: Entry,
  key: string,
  type: string,
  repos: ReadonlySet<string>,
): Issue[] {
  const ofType = [...repos].filter((name) => name.startsWith(`${type}/`))
  return texts(entry, key)
    .filter(({ text }) => !repos.has(`${type}/${text.toLowerCase()}`))
    .map(({ path, text }) => ({
      path,
      message: `there is no ${type} ${JSON.stringify(text)}${suggestion(
        text,
        ofType.map((name) => name.slice(type.length + 1)),
      )}`,
    }))
}
