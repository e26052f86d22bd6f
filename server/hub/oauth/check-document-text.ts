import { mostDocumentBytes } from '../../web/outgoing/fetched-document.ts'
import type { MetadataDocumentCheck } from '../../contract/control-apps.ts'
import { isObject } from '../../core/is-object.ts'
import { assertShallowJson, JsonDepthError } from '../../core/json-depth.ts'
import { locateJson, placeOf } from '../../core/locate-json.ts'
import { own } from '../../core/own.ts'
import {
  documentProblems,
  type DocumentProblem,
  virtualAddressProblem,
} from './metadata-document.ts'

/** URL of a document that names none. */
const usualUrl = 'https://client.example/.well-known/oauth-cimd'

/**
 * Checks the text of a client metadata document, as the hub would after it fetched it.
 * @param url URL at which it is to be served; default: its `client_id`
 * @returns each problem with its line and column, in the order of the text
 */
export function checkDocumentText(text: string, url?: string): MetadataDocumentCheck {
  const bytes = Buffer.byteLength(text)
  const tooLarge = bytes > mostDocumentBytes ? [sizeProblem(text, bytes)] : []
  const parsed = parseDocument(text)
  if ('problem' in parsed) {
    const at = placeOf(text, parsed.offset)
    return { url: url ?? usualUrl, bytes, problems: [...tooLarge, { ...parsed.problem, ...at }] }
  }
  const { document, offsets } = parsed
  const servedAt = url ?? ownUrl(document) ?? usualUrl
  const problems = documentProblems(servedAt, document)
    // A missing member is reported where the document begins.
    .map((problem) => ({ ...problem, offset: offsets.get(problem.member) ?? offsets.get('') ?? 0 }))
    .toSorted((a, b) => a.offset - b.offset)
    .map(({ offset, ...problem }) => ({ ...problem, ...placeOf(text, offset) }))
  return {
    url: servedAt,
    bytes,
    ...(isObject(document) ? { document } : {}),
    problems: [...tooLarge, ...problems],
  }
}

function ownUrl(document: unknown): string | undefined {
  const id = isObject(document) ? own(document, 'client_id') : undefined
  if (typeof id !== 'string') return undefined
  return virtualAddressProblem(id) === undefined && new URL(id).href === id ? id : undefined
}

type Problem = MetadataDocumentCheck['problems'][number]

function sizeProblem(text: string, bytes: number): Problem {
  const readable = Buffer.from(text).subarray(0, mostDocumentBytes).toString('utf8')
  return {
    member: '',
    message: `the document has ${bytes} bytes; the Hub reads at most ${mostDocumentBytes}`,
    fix: 'Remove members that the Hub does not read, and link to images instead of embedding them.',
    ...placeOf(text, readable.length),
  }
}

function parseDocument(
  text: string,
):
  | { document: unknown; offsets: ReadonlyMap<string, number> }
  | { problem: DocumentProblem; offset: number } {
  try {
    assertShallowJson(text)
  } catch (error) {
    if (!(error instanceof JsonDepthError)) throw error
    const fix = 'Remove the nested values: the Hub reads strings and lists of strings.'
    return { problem: { member: '', message: error.message, fix }, offset: 0 }
  }
  const located = locateJson(text)
  if ('offsets' in located) return { document: JSON.parse(text), offsets: located.offsets }
  const { offset, message } = located.error
  const fix = 'Correct the JSON: it has no comments, no trailing commas, and only double quotes.'
  return { problem: { member: '', message: `it is not valid JSON: ${message}`, fix }, offset }
}
