import { Refusal } from '../../core/refusal.ts'

/** Start of a page in a list of one commit: all pages refer to it even if the branch moves. */
export interface PageStart {
  readonly commitId: string
  readonly offset: number
}

export function formatPageStart({ commitId, offset }: PageStart): string {
  return `${commitId}.${offset}`
}

/** @throws {Refusal} `invalid` unless {@link formatPageStart} created it */
export function parsePageStart(cursor: string): PageStart {
  const [, commitId, offset] = /^([0-9a-f]{40})\.(\d{1,9})$/.exec(cursor) ?? []
  if (commitId === undefined) throw unknownCursor(cursor)
  return { commitId, offset: Number(offset) }
}

/** Beginning of a page of a tree. */
export interface TreePageStart {
  /** Path of the last entry of the page before. */
  readonly after: string
  /** Entries of a page without `limit` in the query. */
  readonly limit: number
  /** Commit of the earlier pages; absent in cursors that clients build, which refer to the URL's revision. */
  readonly commitId?: string
}

/**
 * Formats the cursor of a tree as the hub does: base64 of `BASE64:LIMIT`, where BASE64 encodes a JSON object with
 * `file_name`. Some clients build their own.
 */
export function formatTreeCursor({ after, limit, commitId }: TreePageStart): string {
  const start = JSON.stringify({ file_name: after, commit_oid: commitId })
  return Buffer.from(`${Buffer.from(start).toString('base64')}:${limit}`).toString('base64')
}

/** @throws {Refusal} `invalid` for a cursor in another format than that of {@link formatTreeCursor} */
export function parseTreeCursor(cursor: string): TreePageStart {
  const [, encoded = '', limit] =
    /^([\w+/=-]+):(\d{1,4})$/.exec(Buffer.from(cursor, 'base64').toString('latin1')) ?? []
  const start = parseObject(Buffer.from(encoded, 'base64').toString('utf8'))
  const { file_name: after, commit_oid: commitId } = start
  if (typeof after !== 'string' || Number(limit) < 1) throw unknownCursor(cursor)
  if (commitId === undefined) return { after, limit: Number(limit) }
  if (typeof commitId !== 'string' || !/^[0-9a-f]{40}$/.test(commitId)) throw unknownCursor(cursor)
  return { after, limit: Number(limit), commitId }
}

function parseObject(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
  } catch {
    return {}
  }
}

function unknownCursor(cursor: string): Refusal {
  return invalidCursor(`no Link header has it: ${JSON.stringify(cursor.slice(0, 100))}`)
}

export function invalidCursor(detail: string): Refusal {
  return new Refusal('invalid', 'Invalid cursor', { detail })
}
