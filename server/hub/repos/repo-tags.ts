import type { RepoRegion, RepoType } from '../../contract/words/hub-words.ts'
import { own } from '../../core/own.ts'

/** Tag that a repo is found by. */
export interface RepoTag {
  readonly id: string
  /** Kind of the tag; most ids begin with it. */
  readonly type: string
}

/** Facts that tags are derived from. */
export interface Tagged {
  readonly type: RepoType
  /** Metadata of its README, if it has any. */
  readonly card: Readonly<Record<string, unknown>>
  /** Beginning of its README. */
  readonly readme: string
  /** Names in its root folder. */
  readonly names: readonly string[]
  /** SDK of a Space. */
  readonly sdk?: string
  /** Storage region. */
  readonly region: RepoRegion
}

/** Returns the tags of a repo, each once. */
export function tagsOf(repo: Tagged): RepoTag[] {
  const byId = new Map<string, RepoTag>()
  for (const one of [...makers[repo.type](repo), tag('region', `region:${repo.region}`)]) {
    if (!byId.has(one.id)) byId.set(one.id, one)
  }
  return [...byId.values()]
}

const makers: Readonly<Record<RepoType, (repo: Tagged) => RepoTag[]>> = {
  model: (repo) => [
    ...inCard(repo, 'library_name').map((id) => tag('library', id)),
    ...formatsOf(repo.names).map((id) => tag('library', id)),
    ...inCard(repo, 'pipeline_tag').map((id) => tag('pipeline_tag', id)),
    ...inCard(repo, 'language').map((id) => tag('language', id)),
    ...ownTags(repo),
    ...under('dataset', inCard(repo, 'datasets')),
    ...papersOf(repo),
    ...baseModelsOf(repo),
    ...under('license', inCard(repo, 'license')),
  ],
  dataset: (repo) => [
    ...membersOfDatasets.flatMap((member) => under(member, inCard(repo, member))),
    ...under('license', inCard(repo, 'license')),
    ...ownTags(repo),
    ...papersOf(repo),
  ],
  space: (repo) => [...textsOf(repo.sdk).map((id) => tag('sdk', id)), ...ownTags(repo)],
}

const membersOfDatasets: readonly string[] = [
  'annotations_creators',
  'language_creators',
  'task_categories',
  'task_ids',
  'multilinguality',
  'source_datasets',
  'language',
  'size_categories',
]

/** File names that identify a library or format. */
const formats: readonly (readonly [tag: string, name: RegExp])[] = [
  ['pytorch', /^pytorch_model.*\.bin$/],
  ['tf', /^tf_model.*\.h5$/],
  ['jax', /^flax_model.*\.msgpack$/],
  ['onnx', /^onnx$|\.onnx$/],
  ['safetensors', /\.safetensors$/],
  ['gguf', /\.gguf$/],
]

function formatsOf(names: readonly string[]): string[] {
  return formats.flatMap(([id, pattern]) => (names.some((name) => pattern.test(name)) ? [id] : []))
}

/** Papers that its README links to. */
function papersOf({ readme }: Tagged): RepoTag[] {
  const links = /(?:arxiv\.org\/(?:abs|pdf)|huggingface\.co\/papers)\/(\d{4}\.\d{4,5})/gi
  return under(
    'arxiv',
    Array.from(readme.matchAll(links), ([, id = '']) => id),
  )
}

const relations: readonly string[] = ['adapter', 'merge', 'quantized', 'finetune']

/** Returns the base models and the relation to them, from the card or the contents. */
function baseModelsOf(repo: Tagged): RepoTag[] {
  const models = inCard(repo, 'base_model')
  const said = inCard(repo, 'base_model_relation').find((word) => relations.includes(word))
  const relation = said ?? seenRelation(repo, models)
  return models.flatMap((model) => under('base_model', [model, `${relation}:${model}`]))
}

function seenRelation({ names }: Tagged, models: readonly string[]): string {
  if (names.includes('adapter_config.json')) return 'adapter'
  if (models.length > 1) return 'merge'
  return formatsOf(names).includes('gguf') ? 'quantized' : 'finetune'
}

/** Returns the card's own `tags`; each may have its kind as a prefix. */
function ownTags(repo: Tagged): RepoTag[] {
  return inCard(repo, 'tags').map((id) => tag(/^(\w+):./s.exec(id)?.[1] ?? 'other', id))
}

function under(type: string, values: readonly string[]): RepoTag[] {
  return values.map((value) => tag(type, `${type}:${value}`))
}

function tag(type: string, id: string): RepoTag {
  return { type, id }
}

function inCard({ card }: Tagged, member: string): string[] {
  return textsOf(own(card, member))
}

/** Returns a string or the strings of a list; other values are ignored. */
export function textsOf(value: unknown): string[] {
  const texts: readonly unknown[] = Array.isArray(value) ? value : [value]
  return texts.filter((text): text is string => typeof text === 'string' && text !== '')
}
