import { isObject } from '../../core/is-object.ts'
import { omitUndefined } from '../../core/omit-undefined.ts'
import type { Conclusion } from '../../store/objects/object-store.ts'
import { type ObjectStore, readBlob } from '../files/git-objects.ts'
import { textsOf } from './repo-tags.ts'
import { findPath } from '../files/trees.ts'

/** Facts from the configuration files of a model that the hub returns. */
export interface RepoConfig {
  readonly architectures?: readonly string[]
  readonly model_type?: string
  readonly auto_map?: Readonly<Record<string, unknown>>
  readonly quantization_config?: Readonly<Record<string, unknown>>
  readonly tokenizer_config?: Readonly<Record<string, unknown>>
  readonly chat_template_jinja?: string
}

/** Longer files are ignored. */
const longestConfig = 1024 * 1024
const longestTemplate = 64 * 1024

/** Members of `tokenizer_config.json` that the hub returns. */
const tokenizerMembers = [
  'bos_token',
  'chat_template',
  'cls_token',
  'eos_token',
  'mask_token',
  'pad_token',
  'sep_token',
  'unk_token',
  'use_default_system_prompt',
]
const quantizationMembers = ['bits', 'load_in_4bit', 'load_in_8bit', 'quant_method']

interface Kept {
  readonly config: RepoConfig
  /** Characters of it as JSON. */
  readonly length: number
}
const configs: Conclusion<Kept> = { name: 'config', sizeOf: ({ length }) => 300 + 2 * length }

/** Reads a model's architecture, tokens and chat template from a commit. @param treeId of the commit */
export function repoConfig(objects: ObjectStore, treeId: string): RepoConfig {
  const known = objects.recall(configs, treeId)
  if (known !== undefined) return known.config
  const read = (path: string, most = longestConfig) => readText(objects, treeId, path, most)
  const { architectures, model_type, auto_map, quantization_config } = parse(read('config.json'))
  const tokenizer = pick(parse(read('tokenizer_config.json')), tokenizerMembers)
  const names = textsOf(architectures)
  const config = omitUndefined({
    architectures: names.length === 0 ? undefined : names,
    model_type: typeof model_type === 'string' ? model_type : undefined,
    auto_map: isObject(auto_map) ? auto_map : undefined,
    quantization_config: isObject(quantization_config)
      ? pick(quantization_config, quantizationMembers)
      : undefined,
    tokenizer_config: tokenizer,
    chat_template_jinja: read('chat_template.jinja', longestTemplate),
  })
  objects.remember(configs, treeId, { config, length: JSON.stringify(config).length })
  return config
}

/** Class of transformers that loads a model, with its task and processor. */
export interface TransformersInfo {
  readonly auto_model: string
  readonly pipeline_tag?: string
  readonly processor?: string
}

/** End of the name of an architecture, the class that loads it, its task and its processor; the first that fits counts. */
const autoClasses: readonly [end: RegExp, ...info: [string, string | undefined, string]][] = [
  [/(?:ForCausalLM|LMHeadModel)$/, 'AutoModelForCausalLM', 'text-generation', 'AutoTokenizer'],
  [
    /ForSequenceClassification$/,
    'AutoModelForSequenceClassification',
    'text-classification',
    'AutoTokenizer',
  ],
  [
    /ForTokenClassification$/,
    'AutoModelForTokenClassification',
    'token-classification',
    'AutoTokenizer',
  ],
  [/ForQuestionAnswering$/, 'AutoModelForQuestionAnswering', 'question-answering', 'AutoTokenizer'],
  [/ForMaskedLM$/, 'AutoModelForMaskedLM', 'fill-mask', 'AutoTokenizer'],
  [
    /^Whisper\w*ForConditionalGeneration$/,
    'AutoModelForSpeechSeq2Seq',
    'automatic-speech-recognition',
    'AutoProcessor',
  ],
  [
    /^(?:M?T5|M?Bart|Marian\w*|Pegasus\w*)(?:ForConditionalGeneration|MTModel)$/,
    'AutoModelForSeq2SeqLM',
    undefined,
    'AutoTokenizer',
  ],
  [
    /ForConditionalGeneration$/,
    'AutoModelForImageTextToText',
    'image-text-to-text',
    'AutoProcessor',
  ],
  [/ForCTC$/, 'AutoModelForCTC', 'automatic-speech-recognition', 'AutoProcessor'],
  [
    /ForAudioClassification$/,
    'AutoModelForAudioClassification',
    'audio-classification',
    'AutoFeatureExtractor',
  ],
  [
    /ForImageClassification$/,
    'AutoModelForImageClassification',
    'image-classification',
    'AutoImageProcessor',
  ],
  [/ForObjectDetection$/, 'AutoModelForObjectDetection', 'object-detection', 'AutoImageProcessor'],
  [
    /ForSemanticSegmentation$/,
    'AutoModelForSemanticSegmentation',
    'image-segmentation',
    'AutoImageProcessor',
  ],
  [/Model$/, 'AutoModel', 'feature-extraction', 'AutoTokenizer'],
]

/**
 * Names the class of transformers for a model.
 * @param library that its README names, if any
 * @returns `undefined` for another library, or an architecture that no such class has
 */
export function transformersInfo(
  { architectures = [] }: RepoConfig,
  library = 'transformers',
): TransformersInfo | undefined {
  const [architecture] = architectures
  if (library !== 'transformers' || architecture === undefined) return undefined
  const found = autoClasses.find(([end]) => end.test(architecture))
  if (found === undefined) return undefined
  const [, auto_model, pipeline_tag, processor] = found
  return { auto_model, ...omitUndefined({ pipeline_tag }), processor }
}

function readText(
  objects: ObjectStore,
  treeId: string,
  path: string,
  most: number,
): string | undefined {
  const file = findPath(objects, treeId, path)
  if (file?.type !== 'file' || file.size > most) return undefined
  return readBlob(objects, file.oid).toString()
}

/** @returns the members of these names; `undefined` if the object has none of them */
function pick(from: Readonly<Record<string, unknown>>, members: readonly string[]) {
  const picked = Object.entries(from).filter(([name]) => members.includes(name))
  return picked.length === 0 ? undefined : Object.fromEntries(picked)
}

/** @returns no members for invalid JSON: users write such files */
function parse(text = '{}'): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? value : {}
  } catch (error) {
    if (error instanceof SyntaxError) return {}
    throw error
  }
}
