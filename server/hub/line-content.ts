import type { Encoding } from '../contract/words/hub.ts'

/** What a string of JSON holds, collected as it comes. */
export interface LineContent {
  /** How much is kept of it, in bytes. */
  readonly size: number
  /** Takes the next part of what stands between the quotes, as it stands there. */
  write(raw: Buffer): void
  /** @returns all of it, in its order; `undefined` when it is not what it is said to be */
  read(encoding: Encoding): readonly Buffer[] | undefined
}

/**
 * Collects the content of a file out of JSON. It is decoded while it arrives, for as long as it can be base64, since its
 * encoding may be told behind it: strict base64 can be turned back into the very same text.
 */
export function collectContent(): LineContent {
  let chunks: Buffer[] = []
  let size = 0
  let decodes = true
  let isPadded = false
  /** While it decodes: the end that is no whole group of four. */
  let rest = ''

  const keep = (chunk: Buffer) => {
    chunks.push(chunk)
    size += chunk.length
  }
  /** What was written, as it was written. */
  const written = () => {
    const bytes = Buffer.concat(chunks)
    return decodes ? Buffer.from(bytes.toString('base64') + rest, 'latin1') : bytes
  }
  return {
    get size() {
      return size
    },
    write(raw) {
      if (!decodes) return keep(Buffer.from(raw))
      const text = rest + raw.toString('latin1')
      const whole = text.slice(0, text.length - (text.length % 4))
      const decoded = Buffer.from(whole, 'base64')
      if ((isPadded && text !== '') || !isStrict(whole, decoded)) {
        const before = written()
        ;[chunks, size, decodes, rest] = [[], 0, false, '']
        keep(before)
        return keep(Buffer.from(raw))
      }
      keep(decoded)
      rest = text.slice(whole.length)
      isPadded ||= whole.endsWith('=')
    },
    read(encoding) {
      if (encoding === 'base64' && decodes) return rest === '' ? chunks : undefined
      const text = readString(written())
      const bytes = text === undefined ? undefined : decode(text, encoding)
      return bytes && [bytes]
    },
  }
}

/** Whether a text is the one that base64 makes of bytes. Node also reads what is between, and other signs and ends. */
function isStrict(text: string, bytes: Buffer): boolean {
  const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0
  if (bytes.length !== (text.length / 4) * 3 - padding) return false
  if (text.includes('-') || text.includes('_')) return false
  const last = bytes.subarray(bytes.length - ((bytes.length - 1) % 3) - 1)
  return text.endsWith(last.toString('base64'))
}

function readString(raw: Buffer): string | undefined {
  try {
    return JSON.parse(`"${new TextDecoder('utf-8', { fatal: true }).decode(raw)}"`) as string
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof TypeError) return undefined
    throw error
  }
}

function decode(text: string, encoding: Encoding): Buffer | undefined {
  const bytes = Buffer.from(text, encoding)
  return encoding === 'utf-8' || bytes.toString('base64') === text ? bytes : undefined
}
