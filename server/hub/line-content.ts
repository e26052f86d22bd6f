import type { Encoding } from '../contract/words/hub.ts'

/** What a string of JSON holds, collected as it comes. */
export interface LineContent {
  /** How much is kept of it, in bytes. */
  readonly size: number
  /** Forgets what it has, and begins with another string. */
  begin(): void
  /** Takes the next part of what stands between the quotes, as it stands there. */
  write(raw: Buffer): void
  /** @returns bytes that are there until it begins again; `undefined` when it is not what it is said to be */
  read(encoding: Encoding): Buffer | undefined
}

/**
 * Collects contents of files out of JSON, one after the other. One is decoded while it arrives, for as long as it can be
 * base64, since its encoding may be told behind it: strict base64 can be turned back into the very same text. All of them
 * go through the same memory, which would else be claimed anew for each.
 */
export function collectContent(): LineContent {
  let bytes = Buffer.alloc(0)
  let size = 0
  let decodes = true
  let isPadded = false
  /** While it decodes: the end that is no whole group of four. */
  let rest = ''

  const makeRoom = (more: number) => {
    if (size + more <= bytes.length) return
    const larger = Buffer.allocUnsafeSlow(Math.max(size + more, 2 * bytes.length))
    bytes.copy(larger, 0, 0, size)
    bytes = larger
  }
  const keep = (chunk: Buffer) => {
    makeRoom(chunk.length)
    chunk.copy(bytes, size)
    size += chunk.length
  }
  const kept = () => bytes.subarray(0, size)
  /** What was written, as it was written. */
  const written = () => (decodes ? Buffer.from(kept().toString('base64') + rest, 'latin1') : kept())
  return {
    get size() {
      return size
    },
    begin() {
      ;[size, decodes, isPadded, rest] = [0, true, false, '']
    },
    write(raw) {
      if (!decodes) return keep(raw)
      const text = rest + raw.toString('latin1')
      const whole = text.slice(0, text.length - (text.length % 4))
      makeRoom(whole.length)
      const end = size + bytes.write(whole, size, 'base64')
      if ((isPadded && text !== '') || !isStrict(whole, bytes.subarray(size, end))) {
        const before = written()
        ;[size, decodes, rest] = [0, false, '']
        keep(before)
        return keep(raw)
      }
      size = end
      rest = text.slice(whole.length)
      isPadded ||= whole.endsWith('=')
    },
    read(encoding) {
      if (encoding === 'base64' && decodes) return rest === '' ? kept() : undefined
      const text = readString(written())
      return text === undefined ? undefined : decode(text, encoding)
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
