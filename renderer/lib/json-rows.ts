/** Line of a JSON tree. */
export interface JsonRow {
  /** JSON pointer (RFC 6901). */
  pointer: string
  /** Member name or index; absent at the root. */
  name?: string | number
  level: number
  /** Value as JSON, or the brackets of an object or array with the number of its members. */
  text: string
  kind: 'object' | 'array' | 'string' | 'number' | 'word'
  /** Number of members; absent for other values. */
  count?: number
}

interface Waiting {
  value: unknown
  row: Pick<JsonRow, 'pointer' | 'name' | 'level'>
}

/**
 * Lists the lines of a JSON value, without those inside of folded ones.
 * @param folded pointers
 * @returns `undefined` for more lines than a tree can show
 */
export function jsonRows(
  root: unknown,
  folded: ReadonlySet<string>,
  most: number,
): JsonRow[] | undefined {
  const rows: JsonRow[] = []
  // Not recursive: nesting may be deeper than the stack.
  const waiting: Waiting[] = [{ value: root, row: { pointer: '', level: 1 } }]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { value, row } = next
    if (rows.length >= most) return undefined
    if (typeof value !== 'object' || value === null) {
      rows.push({ ...row, text: JSON.stringify(value), kind: kindOf(value) })
      continue
    }
    const members: readonly (readonly [string | number, unknown])[] = Array.isArray(value)
      ? [...value.entries()]
      : Object.entries(value)
    const isArray = Array.isArray(value)
    const kind = isArray ? 'array' : 'object'
    const text = isArray ? `[${members.length}]` : `{${members.length}}`
    rows.push({ ...row, text, kind, count: members.length })
    if (folded.has(row.pointer)) continue
    for (const [name, member] of members.toReversed()) {
      const pointer = `${row.pointer}/${escaped(String(name))}`
      waiting.push({ value: member, row: { pointer, name, level: row.level + 1 } })
    }
  }
  return rows
}

function kindOf(value: unknown): JsonRow['kind'] {
  if (typeof value === 'string') return 'string'
  return typeof value === 'number' ? 'number' : 'word'
}

function escaped(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1')
}

/** Names and indexes of a pointer, from the root. */
function partsOf(pointer: string): string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
}

/** Pointer of the value around another one; `undefined` at the root. */
export function parentOf(pointer: string): string | undefined {
  return pointer === '' ? undefined : pointer.slice(0, pointer.lastIndexOf('/'))
}

/** Finds a value by its pointer. */
export function valueAt(root: unknown, pointer: string): unknown {
  return partsOf(pointer).reduce<unknown>((value, part) => {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, part)) return undefined
    return new Map<string, unknown>(Object.entries(value)).get(part)
  }, root)
}

/** Writes a pointer as JavaScript after the name of a variable: `.repo["head-sha"][0]`. */
export function jsPath(root: unknown, pointer: string): string {
  let value = root
  return partsOf(pointer)
    .map((part) => {
      const isIndex = Array.isArray(value)
      value = valueAt(value, `/${escaped(part)}`)
      if (isIndex) return `[${part}]`
      return /^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u.test(part)
        ? `.${part}`
        : `[${JSON.stringify(part)}]`
    })
    .join('')
}

/** Whether name or value of a line contain a text. */
export function hasText({ name, text, count }: JsonRow, wanted: string): boolean {
  const query = wanted.toLowerCase()
  const isIn = (part: string) => part.toLowerCase().includes(query)
  return (typeof name === 'string' && isIn(name)) || (count === undefined && isIn(text))
}
