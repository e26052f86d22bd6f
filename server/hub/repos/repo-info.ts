import type { RepoResponse } from '../../contract/hub.ts'
import type { RepoGroupResponse } from '../../contract/hub-organizations.ts'
import type { RepoRegion, RepoType } from '../../contract/words/hub-words.ts'
import { omitUndefined } from '../../core/omit-undefined.ts'
import { own } from '../../core/own.ts'
import { Refusal } from '../../core/refusal.ts'
import { isoTime } from '../../core/time.ts'
import type { Conclusion } from '../../store/objects/object-store.ts'
import type { Repo } from '../../store/entities/hub-entities.ts'
import { bytesOfContents, contentsOf, filesOf, type NamedFile } from '../files/contents.ts'
import { type Commit, type ObjectStore, readCommit, readTree } from '../files/git-objects.ts'
import type { HubDeps } from '../hub-deps.ts'
import { type FindLarge, hasLargeFiles, type LargeFile, largeFilesOf } from '../files/lfs-files.ts'
import { type Card, type ReadCard, readReadme, repoCard } from '../files/repo-card.ts'
import { ggufOf, safetensorsOf } from '../weights/read-weights.ts'
import { type EvalResult, evalResultsOf } from './eval-results.ts'
import { type RepoConfig, repoConfig, transformersInfo } from './repo-config.ts'
import { gitTypeOf, spaceSubdomain } from '../files/repo-names.ts'
import { mainRef } from '../files/revisions.ts'
import { isPrivate } from '../access/rights.ts'
import { runtimeOf } from './space-runtime.ts'
import { readSpaceMetadata, spaceHost, spaceSdk } from './space-sdk.ts'
import { type RepoTag, tagsOf, textsOf } from './repo-tags.ts'

type Deps = Pick<HubDeps, 'state' | 'objects' | 'settings' | 'clock'>
type Members = Record<string, unknown>

const tagsOfCommits: Conclusion<readonly RepoTag[]> = {
  name: 'tags',
  sizeOf: (tags) => tags.length * 150,
}

interface Facts {
  readonly repo: Repo
  readonly commit: Commit | undefined
  /** Include sizes and object ids of files. */
  readonly blobs: boolean
  readonly objects: ObjectStore
  readonly files: () => readonly NamedFile[]
  readonly findLarge: () => FindLarge
  readonly card: () => Card | undefined
  readonly tags: () => readonly RepoTag[]
  /** Facts from a model's files. */
  readonly config: () => RepoConfig
  readonly evalResults: () => readonly EvalResult[] | undefined
  /** SDK of a Space. */
  readonly sdk: () => string | undefined
}

/** Members for `expand`, in the order of the hub's error message. */
export const expandable: Readonly<Record<RepoType, readonly string[]>> = {
  model: [
    'author',
    'baseModels',
    'cardData',
    'childrenModelCount',
    'config',
    'createdAt',
    'disabled',
    'downloads',
    'downloadsAllTime',
    'evalResults',
    'gated',
    'gguf',
    'inference',
    'inferenceProviderMapping',
    'lastModified',
    'library_name',
    'likes',
    'mask_token',
    'model-index',
    'pipeline_tag',
    'private',
    'resourceGroup',
    'safetensors',
    'sha',
    'siblings',
    'spaces',
    'tags',
    'transformersInfo',
    'trendingScore',
    'usedStorage',
    'widgetData',
    'gitalyUid',
    'xetEnabled',
  ],
  dataset: [
    'author',
    'cardData',
    'citation',
    'createdAt',
    'description',
    'disabled',
    'downloads',
    'downloadsAllTime',
    'gated',
    'lastModified',
    'likes',
    'mainSize',
    'paperswithcode_id',
    'private',
    'resourceGroup',
    'sha',
    'siblings',
    'tags',
    'trendingScore',
    'usedStorage',
    'gitalyUid',
    'xetEnabled',
  ],
  space: [
    'author',
    'cardData',
    'createdAt',
    'datasets',
    'disabled',
    'lastModified',
    'likes',
    'models',
    'private',
    'region',
    'resourceGroup',
    'runtime',
    'sdk',
    'sha',
    'siblings',
    'subdomain',
    'tags',
    'trendingScore',
    'usedStorage',
    'gitalyUid',
    'xetEnabled',
  ],
}

/** Members of a model that a list does not have: the hub would have to look for them among all repos. */
const ofOneModel: ReadonlySet<string> = new Set(['baseModels', 'childrenModelCount', 'usedStorage'])

/** Returns the members for `expand` in a list. */
export function expandableInList(type: RepoType): readonly string[] {
  return expandable[type].filter((name) => type !== 'model' || !ofOneModel.has(name))
}

/** Members of a repo without `expand`. */
const usual: Readonly<Record<RepoType, readonly string[]>> = {
  model: [
    'modelId',
    'author',
    'sha',
    'lastModified',
    'private',
    'gated',
    'disabled',
    'pipeline_tag',
    'library_name',
    'tags',
    'downloads',
    'likes',
    'widgetData',
    'model-index',
    'config',
    'transformersInfo',
    'gguf',
    'safetensors',
    'cardData',
    'resourceGroup',
    'spaces',
    'siblings',
    'createdAt',
    'usedStorage',
  ],
  dataset: [
    'author',
    'sha',
    'lastModified',
    'private',
    'gated',
    'disabled',
    'tags',
    'description',
    'downloads',
    'likes',
    'cardData',
    'resourceGroup',
    'siblings',
    'createdAt',
    'usedStorage',
  ],
  space: [
    'author',
    'sha',
    'lastModified',
    'private',
    'gated',
    'disabled',
    'tags',
    'likes',
    'cardData',
    'sdk',
    'subdomain',
    'host',
    'runtime',
    'models',
    'datasets',
    'resourceGroup',
    'siblings',
    'createdAt',
    'usedStorage',
  ],
}

/** Members of a repo in a list. */
const listed: Readonly<Record<RepoType, readonly string[]>> = {
  model: [
    'modelId',
    'likes',
    'trendingScore',
    'private',
    'downloads',
    'tags',
    'pipeline_tag',
    'library_name',
    'createdAt',
  ],
  dataset: [
    'author',
    'disabled',
    'gated',
    'lastModified',
    'likes',
    'trendingScore',
    'private',
    'sha',
    'description',
    'downloads',
    'tags',
    'createdAt',
  ],
  space: ['likes', 'trendingScore', 'private', 'sdk', 'tags', 'createdAt'],
}

const listedInFull = ['author', 'lastModified', 'gated', 'disabled', 'sha', 'siblings']

/** Members that the sandbox knows; the others are absent, as on the hub for a repo without them. */
const memberReaders = {
  modelId: ({ repo }) => repo.name,
  author: ({ repo }) => repo.name.split('/')[0],
  sha: ({ commit }) => commit?.id,
  lastModified: ({ repo, commit }) => isoTime(commit?.date ?? repo.createdAt),
  createdAt: ({ repo }) => isoTime(repo.createdAt),
  private: ({ repo }) => isPrivate(repo),
  gated: ({ repo }) => repo.gated,
  disabled: ({ repo }) => repo.disabled ?? false,
  downloads: ({ repo }) => repo.downloads,
  downloadsAllTime: ({ repo }) => repo.downloads,
  likes: ({ repo }) => repo.likes,
  // Nothing trends in a sandbox.
  trendingScore: () => 0,
  tags: ({ tags }) => tags().map(({ id }) => id),
  cardData: ({ card }) => card(),
  pipeline_tag: ({ card }) => textOf(card()?.['pipeline_tag']),
  library_name: ({ card }) => textOf(card()?.['library_name']),
  inferenceProviderMapping: ({ repo, card }) =>
    providerMapping(repo, textOf(card()?.['pipeline_tag'])),
  'model-index': ({ card }) => card()?.['model-index'] ?? null,
  widgetData: ({ card }) => card()?.['widget'],
  description: ({ repo }) => repo.description,
  paperswithcode_id: ({ card }) => card()?.['paperswithcode_id'],
  config: ({ config }) => config(),
  transformersInfo: ({ config, card }) =>
    transformersInfo(config(), textOf(card()?.['library_name'])),
  gguf: ({ repo, commit }, deps) => commit && ggufOf(deps, repo, commit.treeId),
  safetensors: ({ repo, commit }, deps) => commit && safetensorsOf(deps, repo, commit.treeId),
  evalResults: ({ evalResults }) => evalResults(),
  spaces: () => [],
  models: ({ card }) => textsOf(card()?.['models']),
  datasets: ({ card }) => textsOf(card()?.['datasets']),
  region: ({ repo }) => regionOf(repo),
  sdk: ({ sdk }) => sdk(),
  subdomain: ({ repo }) => spaceSubdomain(repo.name),
  host: ({ repo, sdk }) => `https://${spaceHost(repo, sdk() === 'static')}`,
  runtime: ({ repo, sdk }, { clock }) => runtimeOf(repo, sdk() === 'static', clock.now()),
  siblings: (facts) => facts.files().map((file) => siblingOf(file, facts)),
  usedStorage: ({ repo }, deps) => usedStorage(deps, repo),
  mainSize: ({ repo, commit }, deps) => storageAt(deps, repo, commit),
  resourceGroup: ({ repo }, deps) => groupOfRepo(deps, repo),
  xetEnabled: (_facts, { settings }) => settings.largeFiles === 'xet',
} satisfies Record<string, (facts: Facts, deps: Deps) => unknown>

/** Tasks that the sandbox emulates for models, by their `pipeline_tag`. */
const emulatedTasks = new Map([
  ['text-generation', 'conversational'],
  ['image-text-to-text', 'conversational'],
  ['feature-extraction', 'feature-extraction'],
])

/**
 * Names the one provider that the sandbox stands in for, with the model's task there.
 * @param pipelineTag task in the README
 */
export function providerMapping({ name }: Repo, pipelineTag = '') {
  const task = emulatedTasks.get(pipelineTag)
  if (task === undefined) return undefined
  return { 'hf-inference': { status: 'live', providerId: name, task } }
}

type Member = keyof typeof memberReaders

function isMember(name: string): name is Member {
  return Object.hasOwn(memberReaders, name)
}

export interface RepoInfoInput {
  repo: Repo
  /** Default: the head of main. */
  commit?: Commit
  readCard: ReadCard
  blobs?: boolean
  /** Returns only these members and the ids. */
  expand?: readonly string[]
}

/** Describes a repo as the hub's API does. */
export function repoInfo(deps: Deps, input: RepoInfoInput): RepoResponse & Members {
  const { repo, expand } = input
  return pick(deps, factsOf(deps, input), expand ?? usual[gitTypeOf(repo)])
}

/** Describes a repo as the lists of the hub's API do. */
export function listedRepo(
  deps: Deps,
  input: RepoInfoInput & { full?: boolean; cardData?: boolean; config?: boolean },
): RepoResponse & Members {
  const { repo, expand, full = false, cardData = full && repo.type !== 'model', config } = input
  const members = [
    ...listed[gitTypeOf(repo)],
    ...(full ? listedInFull : []),
    ...(cardData ? ['cardData'] : []),
    ...(config === true ? ['config'] : []),
  ]
  return pick(deps, factsOf(deps, input), expand ?? [...new Set(members)])
}

/**
 * Checks the names in `expand`.
 * @param known names for a list or for one repo
 * @throws {Refusal} `invalid` with the hub's own text
 */
export function checkExpand(known: readonly string[], expand: readonly string[]): void {
  const unknown = expand.find((name) => !known.includes(name))
  if (unknown === undefined) return
  throw new Refusal('invalid', `"expand" must be one of [${known.join(', ')}]`, {
    detail: `unknown name: ${unknown}`,
  })
}

/** Returns the tags of a repo, derived from its contents. */
export function repoTags(deps: Deps, repo: Repo, readCard: ReadCard): readonly RepoTag[] {
  return factsOf(deps, { repo, readCard }).tags()
}

/** Returns the strings of a member of a repo's card. */
export function cardTexts(deps: Deps, repo: Repo, readCard: ReadCard, member: string): string[] {
  return textsOf(own(factsOf(deps, { repo, readCard }).card() ?? {}, member))
}

/**
 * Returns the bytes that a repo uses: its files on main, and the large files of its past and of other refs, which count
 * until they are deleted.
 */
export function usedStorage(deps: Pick<Deps, 'state' | 'objects'>, repo: Repo): number {
  const present = storageAt(deps, repo, headOf(deps.objects.of(repo), repo), () => 0)
  return deps.state.lfsFiles.group('repo', repo.id).reduce((sum, { size }) => sum + size, present)
}

/** Returns the head of main. */
export function headOf(objects: ObjectStore, repo: Repo): Commit | undefined {
  const head = repo.refs[mainRef]
  return head === undefined ? undefined : readCommit(objects, head)
}

function factsOf(deps: Deps, { repo, readCard, blobs = false, ...input }: RepoInfoInput): Facts {
  const objects = deps.objects.of(repo)
  const { commit = headOf(objects, repo) } = input
  const card = once(() => commit && repoCard(objects, commit.treeId, readCard))
  const sdk = once(() => spaceSdk(repo, readSpaceMetadata(deps, repo)))
  return {
    repo,
    commit,
    blobs,
    objects,
    files: () => (commit === undefined ? [] : contentsOf(objects, commit.treeId)),
    findLarge: once(() => largeFilesOf(deps, repo)),
    card,
    sdk,
    config: () => (commit === undefined ? {} : repoConfig(objects, commit.treeId)),
    evalResults: () => commit && evalResultsOf(objects, commit.treeId, readCard),
    tags: () => findTags(objects, repo, { commit, card, sdk }),
  }
}

/** Derives the tags of a repo from a commit, its region and a Space's SDK. */
function findTags(
  objects: ObjectStore,
  repo: Repo,
  { commit, card, sdk }: Pick<Facts, 'commit' | 'card' | 'sdk'>,
): readonly RepoTag[] {
  const type = gitTypeOf(repo)
  const region = regionOf(repo)
  const builtWith = type === 'space' ? sdk() : undefined
  if (commit === undefined) return tagsOf({ type, card: {}, readme: '', names: [], region })
  const key = `${commit.treeId} ${region} ${builtWith ?? ''}`
  const known = objects.recall(tagsOfCommits, key)
  if (known !== undefined) return known
  const tags = tagsOf({
    type,
    card: card() ?? {},
    readme: readReadme(objects, commit.treeId),
    // Only the root folder: most repos have their weights there, and a list cannot walk all folders.
    names: readTree(objects, commit.treeId).entries.map(({ name }) => name),
    region,
    ...omitUndefined({ sdk: builtWith }),
  })
  objects.remember(tagsOfCommits, key, tags)
  return tags
}

function pick(deps: Deps, facts: Facts, names: readonly string[]): RepoResponse & Members {
  const { id, name } = facts.repo
  const info: Partial<Record<'_id' | 'id' | Member, unknown>> = { _id: id, id: name }
  for (const member of names) {
    if (!isMember(member)) continue
    const value = memberReaders[member](facts, deps)
    if (value !== undefined) info[member] = value
  }
  // The members are chosen at run time.
  return info as RepoResponse & Members
}

function siblingOf(file: NamedFile, { objects, blobs, findLarge }: Facts): Members {
  const { path, type, oid: blobId } = file
  if (!blobs) return { rfilename: path }
  const size = objects.size(blobId)
  const large = findLarge()({ type, oid: blobId, size })
  if (large === undefined) return { rfilename: path, blobId, size }
  const { oid: sha256, pointerSize } = large
  const lfs = { sha256, size: large.size, pointerSize }
  return { rfilename: path, blobId, size: large.size, lfs }
}

/** @param bytesOf returns the bytes that a large file counts */
function storageAt(
  deps: Pick<Deps, 'state' | 'objects'>,
  repo: Repo,
  commit: Commit | undefined,
  bytesOf = ({ size }: LargeFile): number => size,
): number {
  if (commit === undefined) return 0
  const objects = deps.objects.of(repo)
  if (!hasLargeFiles(deps, repo)) return bytesOfContents(objects, commit.treeId)
  const findLarge = largeFilesOf(deps, repo)
  let bytes = 0
  for (const file of filesOf(objects, commit.treeId)) {
    const large = findLarge(file)
    bytes += large === undefined ? file.size : bytesOf(large)
  }
  return bytes
}

function regionOf({ region = 'us' }: Repo): RepoRegion {
  return region
}

/** Describes the resource group of a repo or collection; `undefined` if it is in none. */
export function groupOfRepo(
  { state }: Pick<Deps, 'state'>,
  { ownerId, resourceGroupId }: Pick<Repo, 'ownerId' | 'resourceGroupId'>,
): RepoGroupResponse | undefined {
  const groups = state.organizations.get(ownerId)?.resourceGroups ?? []
  const group = groups.find(({ id }) => id === resourceGroupId)
  return group && { id: group.id, name: group.name, numUsers: group.members.length }
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}

function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined
  return () => (made ??= { value: make() }).value
}
