/** Returns the text between two lines of dashes at the top of a README; only blank lines may precede it. */
export function readmeHeader(readme: string): string | undefined {
  return splitReadme(readme).header
}

/** Returns a README without its metadata. */
export function readmeBody(readme: string): string {
  return splitReadme(readme).body
}

function splitReadme(readme: string): { header?: string; body: string } {
  const text = readme.trimStart()
  // Any client can send a README: this scans a run of spaces once and allocates nothing per line.
  const dashes = /(?:^|\n)---[^\S\n]*(?=\n|$)/g
  const start = dashes.exec(text)
  const end = dashes.exec(text)
  if (start?.index !== 0 || end === null) return { body: readme }
  const header = text.slice(start[0].length + 1, end.index).replaceAll(/\r(?=\n|$)/g, '')
  return { header, body: text.slice(dashes.lastIndex) }
}

/** Null in YAML 1.2 (core schema, §10.3.2). */
const nulls: ReadonlySet<string> = new Set(['null', 'Null', 'NULL', '~'])

/** Checks for a true value in YAML 1.2 (core schema, §10.3.2). */
export function isTrue(value: string | readonly string[] | undefined): boolean {
  return value === 'true' || value === 'True' || value === 'TRUE'
}

/**
 * Reads the metadata of a README that the hub itself acts on: `key: value` lines, and lists in brackets or on separate
 * lines. Values are strings; null counts as absent, and nested objects are left out.
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
