import { isUtf8 } from 'node:buffer'

// Names of refs are bytes, and nearly always UTF-8. Otherwise each byte above ASCII becomes a lone surrogate, which no
// other text contains, so that a response can repeat the exact name.
const escaped = 0xdc00

/** Decodes bytes to a text that {@link encodeRefText} reverses. */
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
