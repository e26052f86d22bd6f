import { createHash } from 'node:crypto'
import { expect } from 'vitest'
import { lfsMediaType } from '../../server/contract/hub-lfs.ts'
import type { Caller, Received } from './cast.ts'

export interface LfsAction {
  href: string
  header?: Record<string, string>
}
export interface LfsBatch {
  transfer: string
  objects: {
    oid: string
    size: number
    authenticated?: boolean
    actions?: { upload?: LfsAction; verify?: LfsAction; download?: LfsAction }
    error?: { code: number; message: string }
  }[]
}

export const sha256Of = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

/** Returns how Git LFS names a content. */
export function contentOf(bytes: Uint8Array): { oid: string; size: number } {
  return { oid: sha256Of(bytes), size: bytes.length }
}

/** Line of a commit with a content that is uploaded. */
export function lfsLine(path: string, content: { oid?: string; size?: number; algo?: string }) {
  return { key: 'lfsFile', value: { path, algo: 'sha256', ...content } }
}

/** Asks for the transfers of contents from or to a repo, whose path is the one of its page. */
export function askTransfers(
  user: Caller,
  page: string,
  operation: string,
  contents: readonly Uint8Array[],
  more: object = {},
): Promise<Received<LfsBatch>> {
  const body = { operation, objects: contents.map(contentOf), ...more }
  const type = { 'content-type': lfsMediaType }
  return user.post<LfsBatch>(`${page}.git/info/lfs/objects/batch`, body, type)
}

/** Uploads a content to a repo, unless it is there. */
export async function uploadContent(user: Caller, page: string, bytes: Buffer): Promise<void> {
  const { body } = await askTransfers(user, page, 'upload', [bytes])
  const href = body.objects[0]?.actions?.upload?.href
  if (href !== undefined) expect((await user.put(href, bytes)).status).toBe(200)
}

/** Returns whether a repo lacks a content: what was uploaded to it is not asked for again. */
export async function lacksContent(
  user: Caller,
  page: string,
  bytes: Uint8Array,
): Promise<boolean> {
  const { body } = await askTransfers(user, page, 'upload', [bytes])
  return body.objects[0]?.actions !== undefined
}
