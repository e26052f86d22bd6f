import { isUtf8 } from 'node:buffer'

// Names of refs are bytes, and nearly always UTF-8. Of one that is not, each byte above ASCII is a lone surrogate here, which
// stands in no other text: so it is still known which name it was, in an answer that has to repeat it.
const escaped = 0xdc00

/** Bytes as a text that {@link encodeRefText} turns back into them. */
export function decodeRefText(bytes: Buffer): string {
  if (isUtf8(bytes)) return bytes.toString()
  return bytes
    .toString('latin1')
    .replaceAll(/[\x80-\xff]/g, (byte) => String.fromCharCode(escaped + byte.charCodeAt(0)))
}

export function encodeRefText(text: string): Buffer {
  if (!/\p{Cs}/u.test(text)) return Buffer.from(text)
  const bytes = text.replaceAll(/[\udc80-\udcff]/g, (unit) =>
    String.fromCharCode(unit.charCodeAt(0) - escaped),
  )
  return Buffer.from(bytes, 'latin1')
}
