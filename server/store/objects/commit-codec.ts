import { GitFormatError } from './object-id.ts'

/** Author or committer, with the time. */
export interface Signature {
  readonly name: string
  readonly email: string
  /** Since 1970. */
  readonly seconds: number
  /** Offset such as `+0200`. */
  readonly timeZone: string
}

/** A line of a header, or several: a signature has many. Without their line feeds and leading spaces. */
export type Header = readonly [name: string, value: string]

export interface CommitObject {
  readonly treeId: string
  readonly parentIds: readonly string[]
  readonly author: Signature
  readonly committer: Signature
  /** Other headers in order: `encoding`, `gpgsig`, `mergetag`. */
  readonly headers: readonly Header[]
  /** Unchanged, with all line feeds. */
  readonly message: string
}

/** A tag that is an object of its own. */
export interface TagObject {
  readonly objectId: string
  readonly objectType: string
  readonly name: string
  /** Tags of the earliest versions of git have none. */
  readonly tagger?: Signature
  readonly headers: readonly Header[]
  readonly message: string
}

export function encodeCommit(commit: CommitObject): Buffer {
  return encode(
    [
      ['tree', commit.treeId],
      ...commit.parentIds.map((id): Header => ['parent', id]),
      ['author', encodeSignature(commit.author)],
      ['committer', encodeSignature(commit.committer)],
      ...commit.headers,
    ],
    commit.message,
  )
}

/**
 * Decodes a commit. Its texts are UTF-8 unless it names another encoding; the store keeps the bytes unchanged.
 * @throws {GitFormatError}
 */
export function parseCommit(bytes: Buffer): CommitObject {
  const { headers, message } = decode(bytes)
  const treeId = take(headers, 'tree')
  const parentIds: string[] = []
  while (headers[0]?.[0] === 'parent') parentIds.push(take(headers, 'parent'))
  const author = parseSignature(take(headers, 'author'))
  const committer = parseSignature(take(headers, 'committer'))
  return { treeId, parentIds, author, committer, headers, message }
}

export function encodeTag({ objectId, objectType, name, tagger, ...tag }: TagObject): Buffer {
  return encode(
    [
      ['object', objectId],
      ['type', objectType],
      ['tag', name],
      ...(tagger === undefined ? [] : [['tagger', encodeSignature(tagger)] as const]),
      ...tag.headers,
    ],
    tag.message,
  )
}

/** @throws {GitFormatError} */
export function parseTag(bytes: Buffer): TagObject {
  const { headers, message } = decode(bytes)
  return {
    objectId: take(headers, 'object'),
    objectType: take(headers, 'type'),
    name: take(headers, 'tag'),
    ...(headers[0]?.[0] === 'tagger' && { tagger: parseSignature(take(headers, 'tagger')) }),
    headers,
    message,
  }
}

/** Characters that git removes from names and e-mail addresses, because they separate fields. */
export function cleanPerson(text: string): string {
  // oxlint-disable-next-line no-control-regex -- git removes control characters
  return text.replaceAll(/[<>\u0000-\u001f]/g, '').trim()
}

function encode(headers: readonly Header[], message: string): Buffer {
  const lines = headers.map(([name, value]) => `${name} ${value.replaceAll('\n', '\n ')}\n`)
  return Buffer.from(`${lines.join('')}\n${message}`)
}

function decode(bytes: Buffer): { headers: Header[]; message: string } {
  const end = bytes.indexOf('\n\n')
  // An empty message may lack even the line before it.
  const head = bytes.toString('utf8', 0, end === -1 ? bytes.length : end + 1)
  const headers = parseHeaders(head.replace(/\n$/, ''))
  const encoding = headers.find(([name]) => name === 'encoding')?.[1]
  const message = end === -1 ? '' : decodeText(bytes.subarray(end + 2), encoding)
  return { headers, message }
}

function parseHeaders(text: string): Header[] {
  const headers: [string, string][] = []
  for (const line of text.split('\n')) {
    const last = headers.at(-1)
    const space = line.indexOf(' ')
    if (space === 0 && last !== undefined) last[1] += `\n${line.slice(1)}`
    else if (space > 0) headers.push([line.slice(0, space), line.slice(space + 1)])
    else throw new GitFormatError(`this is no header: ${JSON.stringify(line.slice(0, 80))}`)
  }
  return headers
}

/** Decodes a commit; an unknown encoding is read as UTF-8 with replacement characters. */
function decodeText(bytes: Buffer, encoding = 'utf-8'): string {
  if (/^utf-?8$/i.test(encoding)) return bytes.toString()
  try {
    return new TextDecoder(encoding).decode(bytes)
  } catch (error) {
    if (error instanceof RangeError) return bytes.toString()
    throw error
  }
}

function take(headers: Header[], wanted: string): string {
  const [name, value] = headers.shift() ?? []
  if (name !== wanted || value === undefined) {
    throw new GitFormatError(`"${wanted}" is missing where "${name ?? 'the end'}" stands`)
  }
  return value
}

function encodeSignature({ name, email, seconds, timeZone }: Signature): string {
  return `${name}${name === '' ? '' : ' '}<${email}> ${seconds} ${timeZone}`
}

/** Decodes a line of an old program leniently: a missing part is empty, a missing time is 1970. */
function parseSignature(text: string): Signature {
  const [, name = '', email = '', seconds = '0', timeZone = '+0000'] =
    /^([^<]*?) ?<([^>]*)>(?:.*>)?(?: (-?\d+)(?: ([-+]\d+))?)?/.exec(text) ?? []
  return { name, email, seconds: Number(seconds), timeZone }
}
