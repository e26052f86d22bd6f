import { isUtf8 } from 'node:buffer'
import type { Encoding } from '../contract/words/hub-words.ts'

/** Returns a body as text, or in Base64 if it is not UTF-8. @param truncated whether its end is missing */
export function encodeBody(body: Buffer, truncated: boolean): { body: string; encoding: Encoding } {
  // The limit may lie within a character, which takes up to four bytes.
  const cuts = truncated ? [0, 1, 2, 3] : [0]
  for (const cut of cuts) {
    const text = body.subarray(0, body.length - cut)
    if (isUtf8(text)) return { body: text.toString('utf8'), encoding: 'utf-8' }
  }
  return { body: body.toString('base64'), encoding: 'base64' }
}
