/** A setting of a text in the language of git's config files. */
export interface ConfigEntry {
  /** Section, subsection and key with dots between; what git compares without regard to case is small. */
  readonly name: string
  /** Absent where the key stands alone. */
  readonly value: string | undefined
}

/** The blanks of git, which are fewer than those of anybody else. */
const blank = /[ \t\n\r]/
const escaped = new Map([
  ['t', '\t'],
  ['b', '\b'],
  ['n', '\n'],
  ['\\', '\\'],
  ['"', '"'],
])

/**
 * Reads settings one by one, up to what is no setting: there git gives up, and has seen what stands before.
 * @param text each of its characters a byte
 * @see git-config(1) "Syntax"
 */
export function* readConfig(text: string): Generator<ConfigEntry> {
  const reader = new Reader(text.replace(/^\u00ef\u00bb\u00bf/, ''))
  let section = ''
  for (;;) {
    const sign = reader.take()
    if (sign === undefined) return
    if (sign === '#' || sign === ';') reader.skipLine()
    else if (sign === '[') {
      const found = readSection(reader)
      if (found === undefined) return
      section = found
    } else if (/[a-z]/i.test(sign)) {
      const entry = readEntry(reader, section + sign.toLowerCase())
      if (entry === undefined) return
      yield entry
    } else if (!blank.test(sign)) return
  }
}

/** Takes one sign after the other; the end of a line is one, however it is written. */
class Reader {
  readonly #text: string
  #at = 0

  constructor(text: string) {
    this.#text = text
  }

  /** @returns `undefined` at the end */
  take(): string | undefined {
    if (this.#text.startsWith('\r\n', this.#at)) this.#at++
    return this.#text[this.#at++]
  }

  /** The same, for whoever takes the end of the text for that of a line. */
  takeOrEnd(): string {
    return this.take() ?? '\n'
  }

  skipLine(): void {
    const end = this.#text.indexOf('\n', this.#at)
    this.#at = end === -1 ? this.#text.length : end + 1
  }
}

function readSection(reader: Reader): string | undefined {
  let name = ''
  for (;;) {
    const sign = reader.take()
    if (sign === undefined) return undefined
    if (sign === ']') return `${name}.`
    if (blank.test(sign)) return readSubsection(reader, name, sign)
    if (!/[a-z0-9.-]/i.test(sign)) return undefined
    name += sign.toLowerCase()
  }
}

function readSubsection(reader: Reader, section: string, first: string): string | undefined {
  let sign = first
  while (blank.test(sign)) {
    if (sign === '\n') return undefined
    sign = reader.takeOrEnd()
  }
  if (sign !== '"') return undefined
  let name = `${section}.`
  for (;;) {
    sign = reader.takeOrEnd()
    if (sign === '"') return reader.take() === ']' ? `${name}.` : undefined
    if (sign === '\\') sign = reader.takeOrEnd()
    if (sign === '\n') return undefined
    name += sign
  }
}

function readEntry(reader: Reader, begun: string): ConfigEntry | undefined {
  let name = begun
  let sign = reader.takeOrEnd()
  for (; /[a-z0-9-]/i.test(sign); sign = reader.takeOrEnd()) name += sign.toLowerCase()
  while (sign === ' ' || sign === '\t') sign = reader.takeOrEnd()
  if (sign === '\n') return { name, value: undefined }
  const value = sign === '=' ? readValue(reader) : undefined
  return value === undefined ? undefined : { name, value }
}

function readValue(reader: Reader): string | undefined {
  let [value, isQuoted, blanks] = ['', false, 0]
  for (;;) {
    let sign = reader.takeOrEnd()
    if (sign === '\n') return isQuoted ? undefined : value
    if (!isQuoted && blank.test(sign)) {
      if (value !== '') blanks++
      continue
    }
    if (!isQuoted && (sign === '#' || sign === ';')) {
      reader.skipLine()
      return value
    }
    value += ' '.repeat(blanks)
    blanks = 0
    if (sign === '"') {
      isQuoted = !isQuoted
      continue
    }
    if (sign === '\\') {
      sign = reader.takeOrEnd()
      if (sign === '\n') continue
      const meant = escaped.get(sign)
      if (meant === undefined) return undefined
      sign = meant
    }
    value += sign
  }
}
