import type { IncomingMessage } from 'node:http'
import type { CapturedResponse } from './wire.ts'
import { encodeBody } from '../../core/encode-body.ts'
import { maskUrl } from '../../core/mask-url.ts'

const keptBodyBytes = 128 * 1024
const keptHeaders = 100
const keptHeaderBytes = 8 * 1024

/** Stores the beginning of a response of any size. */
export interface ResponseCapture {
  /** @returns whether to read on; `false` = the limit is reached */
  add(chunk: Buffer): boolean
  finish(): CapturedResponse
}

export function captureResponse(response: IncomingMessage): ResponseCapture {
  const chunks: Buffer[] = []
  let kept = 0
  let received = 0
  return {
    add(chunk) {
      received += chunk.length
      const part = chunk.subarray(0, keptBodyBytes - kept)
      chunks.push(part)
      kept += part.length
      return received <= keptBodyBytes
    },
    finish() {
      const truncated = received > kept
      const declared = Number(response.headers['content-length'])
      return {
        status: response.statusCode ?? 0,
        headers: keepHeaders(response.rawHeaders),
        ...encodeBody(Buffer.concat(chunks, kept), truncated),
        size: truncated && declared > received ? declared : received,
        truncated,
      }
    },
  }
}

/** Returns the first headers, in the received order and spelling, with the secret in a `Location` masked. */
function keepHeaders(raw: readonly string[]): [string, string][] {
  const headers: [string, string][] = []
  let bytes = 0
  for (let index = 0; index + 1 < raw.length && headers.length < keptHeaders; index += 2) {
    const [name = '', value = ''] = raw.slice(index, index + 2)
    bytes += name.length + value.length
    if (bytes > keptHeaderBytes) break
    headers.push([name, name.toLowerCase() === 'location' ? maskUrl(value) : value])
  }
  return headers
}
