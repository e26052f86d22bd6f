import { isUtf8 } from 'node:buffer'
import { beginningOf } from '../../core/encode-text.ts'
import { invalidPart } from './commit-operations.ts'

export type Members = Readonly<Record<string, unknown>>

const mostLevels = 16
/** Unknown members that are reported by name: a commit may have many. */
const mostNamed = 5

const [quote, backslash] = [0x22, 0x5c]
const [openBrace, closeBrace, openBracket, closeBracket] = [0x7b, 0x7d, 0x5b, 0x5d]

/** Collects the unknown members of a commit, to report them. */
export class UnknownMembers {
  readonly #named: string[] = []
  #more = 0

  look(where: string, members: Members, known: readonly string[]): void {
    for (const name of Object.keys(members)) {
      if (known.includes(name)) continue
      if (this.#named.length === mostNamed) this.#more++
      else this.#named.push(`${where} has an unknown member ${shown(name)}`)
    }
  }

  describe(): string[] {
    return this.#more === 0 ? this.#named : [...this.#named, `and ${this.#more} more`]
  }
}

/** Quotes a name from a request, shortened if it is long. */
export function shown(name: string): string {
  return JSON.stringify(name.length > 50 ? `${beginningOf(name, 50)}...` : name)
}

/** JSON text of a request and its limits. */
interface JsonText {
  /** Begins the error message. */
  readonly where: string
  readonly bytes: Buffer
  /** Limit for the bytes outside its strings, so that parsing cannot make many values of it. */
  readonly mostStructureBytes: number
}

/** @throws {Refusal} `invalid` */
export function readJson(text: JsonText): unknown {
  if (!isUtf8(text.bytes)) throw invalidPart(text, 'it is not UTF-8')
  checkStructure(text)
  try {
    return JSON.parse(text.bytes.toString())
  } catch (error) {
    if (error instanceof SyntaxError) throw invalidPart(text, `invalid JSON: ${error.message}`)
    throw error
  }
}

/**
 * Checks how much of a text is outside its strings, and how deep it is nested, before it is parsed.
 * @throws {Refusal} `invalid`
 */
function checkStructure(text: JsonText): void {
  const { bytes, mostStructureBytes } = text
  let [structure, depth, isString] = [0, 0, false]
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at]
    if (isString) {
      if (byte === backslash) at++
      else if (byte === quote) isString = false
      continue
    }
    structure++
    if (byte === quote) isString = true
    else if (byte === openBrace || byte === openBracket) depth++
    else if (byte === closeBrace || byte === closeBracket) depth--
    if (depth > mostLevels) {
      throw invalidPart(text, `it is nested more than ${mostLevels} levels deep`)
    }
    if (structure > mostStructureBytes) {
      throw invalidPart(text, `more than ${mostStructureBytes} bytes outside its strings`)
    }
  }
}
