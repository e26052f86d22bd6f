import { encodeBody } from '../../../core/encode-body.ts'
import type { Encoding } from '../../../contract/words/hub-words.ts'
import type { OutgoingRequest } from '../../../web/outgoing/wire.ts'

/** Beginning of a body that was sent. */
export interface SentBody {
  body: string
  encoding: Encoding
  /** All bytes, including those not kept. */
  size: number
  truncated: boolean
}

const keptBytes = 64 * 1024

/** Returns the beginning of the body of a request. A GET has none. */
export function recordBody({ method, body }: OutgoingRequest): SentBody {
  if (method === 'GET') return { ...encodeBody(Buffer.alloc(0), false), size: 0, truncated: false }
  const isWhole = typeof body === 'string' || body instanceof Uint8Array
  const size = isWhole ? Buffer.byteLength(body) : body.bytes
  const kept = Buffer.alloc(Math.min(size, keptBytes))
  let filled = 0
  for (const part of isWhole ? [Buffer.from(body as string)] : body.parts()) {
    filled += Buffer.from(part).copy(kept, filled)
    if (filled === kept.length) break
  }
  const truncated = kept.length < size
  return { ...encodeBody(kept, truncated), size, truncated }
}
