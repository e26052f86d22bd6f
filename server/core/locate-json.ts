/** Position in a text, both counted from 1. Columns are UTF-16 units, as editors count them. */
export interface TextPlace {
  line: number
  column: number
}

/** Places of the values in a JSON text, or its first syntax error. */
export type LocatedJson =
  | {
      /** Offset of each member and item, by a path such as `redirect_uris[1]`; the whole value has the empty path. */
      offsets: ReadonlyMap<string, number>
    }
  | { error: { offset: number; message: string } }

/** Returns the line and column of an offset. */
export function placeOf(text: string, offset: number): TextPlace {
  const before = text.slice(0, offset)
  const lines = before.split(/\r\n|\r|\n/)
  return { line: lines.length, column: (lines.at(-1)?.length ?? 0) + 1 }
}

class JsonSyntaxError extends Error {
  readonly offset: number

  constructor(offset: number, message: string) {
    super(message)
    this.offset = offset
  }
}

/**
 * Finds the values of a JSON text. `JSON.parse` names the place of an error only sometimes, and never that of a value.
 * @param text nested at most as deep as `assertShallowJson` permits, because this is recursive
 * @see RFC 8259
 */
export function locateJson(text: string): LocatedJson {
  const offsets = new Map<string, number>()
  const cursor = createCursor(text)
  try {
    cursor.skipSpace()
    readValue(cursor, offsets, '')
    cursor.skipSpace()
    if (cursor.offset < text.length) cursor.fail('expected nothing after the JSON value')
    return { offsets }
  } catch (error) {
    if (error instanceof JsonSyntaxError) {
      return { error: { offset: error.offset, message: error.message } }
    }
    throw error
  }
}

const space = /[ \t\n\r]*/y
// A string contains no control characters below the space (RFC 8259 §7).
// oxlint-disable-next-line no-control-regex
const string = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))*"/y
const scalar = /(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)(?![\w.+-])/y

function createCursor(text: string) {
  let offset = 0
  const match = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = offset
    const [found] = pattern.exec(text) ?? []
    offset += found?.length ?? 0
    return found
  }
  const fail = (message: string): never => {
    const found =
      text[offset] === undefined ? 'the text ends' : `found ${JSON.stringify(text[offset])}`
    throw new JsonSyntaxError(offset, `${message}, but ${found}`)
  }
  return {
    get offset() {
      return offset
    },
    match,
    fail,
    skipSpace: () => void match(space),
    /** Reads a character and the space around it. */
    take(character: string): boolean {
      match(space)
      if (text[offset] !== character) return false
      offset += 1
      match(space)
      return true
    },
  }
}

type Cursor = ReturnType<typeof createCursor>

function readValue(cursor: Cursor, offsets: Map<string, number>, path: string): void {
  if (!offsets.has(path)) offsets.set(path, cursor.offset)
  if (cursor.take('{')) readMembers(cursor, offsets, path)
  else if (cursor.take('[')) readItems(cursor, offsets, path)
  else if ((cursor.match(string) ?? cursor.match(scalar)) === undefined) {
    cursor.fail('expected a value')
  }
}

function readMembers(cursor: Cursor, offsets: Map<string, number>, path: string): void {
  if (cursor.take('}')) return
  do {
    const start = cursor.offset
    const name = cursor.match(string) ?? cursor.fail('expected a name in double quotes')
    const member = `${path}${path === '' ? '' : '.'}${String(JSON.parse(name))}`
    // Of members with one name, the last counts, as for JSON.parse.
    offsets.set(member, start)
    if (!cursor.take(':')) cursor.fail('expected ":" after the name')
    readValue(cursor, offsets, member)
  } while (cursor.take(','))
  if (!cursor.take('}')) cursor.fail('expected "," or "}" after the value')
}

function readItems(cursor: Cursor, offsets: Map<string, number>, path: string): void {
  if (cursor.take(']')) return
  let index = 0
  do {
    readValue(cursor, offsets, `${path}[${index++}]`)
  } while (cursor.take(','))
  if (!cursor.take(']')) cursor.fail('expected "," or "]" after the value')
}
