/** What stands at the top of a README between two lines of dashes, below blank lines at most. */
export function readmeHeader(readme: string): string | undefined {
  // Anybody writes a README: no pattern here may look at a run of blanks more than once.
  const lines = readme.trimStart().split(/\r?\n/)
  const [start, end] = lines.flatMap((line, index) => (line.trimEnd() === '---' ? [index] : []))
  return start === 0 && end !== undefined ? lines.slice(1, end).join('\n') : undefined
}

/** Null as YAML 1.2 writes it (core schema, §10.3.2). */
const nulls: ReadonlySet<string> = new Set(['null', 'Null', 'NULL', '~'])

/** Whether a value of the metadata is true as YAML 1.2 writes it (core schema, §10.3.2). */
export function isTrue(value: string | readonly string[] | undefined): boolean {
  return value === 'true' || value === 'True' || value === 'TRUE'
}

/**
 * The metadata at the top of a README, as far as the hub itself acts on it: `key: value` lines,
 * lists in brackets or on lines of their own. Values are strings; null counts as absent, and nested objects are left out.
 */
export function readReadmeMetadata(readme: string): Map<string, string | string[]> {
  const header = readmeHeader(readme) ?? ''
  const metadata = new Map<string, string | string[]>()
  let list: string[] | undefined
  for (const line of header.split(/\r?\n/)) {
    const item = /^\s*-\s(.+)$/s.exec(line)?.[1]
    if (item !== undefined) {
      list?.push(...listed(scalar(item)))
      continue
    }
    const [, key, value = ''] = /^([\w-]+):(?:\s(.*))?$/s.exec(line) ?? []
    if (key === undefined) continue
    list = value.trim() === '' ? [] : undefined
    const read = list ?? readValue(value)
    if (read !== undefined) metadata.set(key, read)
  }
  return metadata
}

function readValue(value: string): string | string[] | undefined {
  const items = /^\[(.*)\]\s*(?:#.*)?$/s.exec(value.trim())?.[1]
  if (items === undefined) return scalar(value)
  return items.split(',').map(scalar).flatMap(listed)
}

function listed(item: string | undefined): string[] {
  return item === undefined || item === '' ? [] : [item]
}

/** @returns `undefined` for null */
function scalar(text: string): string | undefined {
  const trimmed = text.trim()
  const quoted = /^(["'])(.*)\1/.exec(trimmed)?.[2]
  if (quoted !== undefined) return quoted
  const comment = trimmed.search(/\s#/)
  const plain = comment < 0 ? trimmed : trimmed.slice(0, comment).trimEnd()
  return nulls.has(plain) ? undefined : plain
}
