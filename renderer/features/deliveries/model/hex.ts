const width = 16
/** Longest excerpt shown. */
const mostBytes = 16 * 1024

/** `00000010  7b 22 65 76 …  {"ev…`, as hexdump prints it. */
export function toHex(bytes: Uint8Array): string {
  const lines: string[] = []
  for (let at = 0; at < Math.min(bytes.length, mostBytes); at += width) {
    const row = [...bytes.subarray(at, at + width)]
    const hex = row.map((byte) => byte.toString(16).padStart(2, '0')).join(' ')
    const text = row.map((byte) => (byte >= 32 && byte < 127 ? String.fromCodePoint(byte) : '.'))
    lines.push(
      `${at.toString(16).padStart(8, '0')}  ${hex.padEnd(width * 3 - 1)}  ${text.join('')}`,
    )
  }
  if (bytes.length > mostBytes) lines.push(`… ${bytes.length - mostBytes} more bytes`)
  return lines.join('\n')
}
