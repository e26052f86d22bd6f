export interface Issue {
  /** Where: `repos[2].gated`, `--port` or `HUB_SANDBOX_PORT`. */
  path: string
  message: string
}

/** What a sandbox was to be started with cannot be used; holds every mistake that was found. */
export class ConfigError extends Error {
  override readonly name: string = 'ConfigError'
  readonly issues: readonly Issue[]

  /** @param subject what is wrong, as the head of the message: `fixtures.json` */
  constructor(subject: string, issues: readonly Issue[], options?: ErrorOptions) {
    const count = issues.length === 1 ? '1 mistake' : `${issues.length} mistakes`
    const lines = issues.map(({ path, message }) => `  ${path === '' ? '' : `${path}: `}${message}`)
    super(`${subject}: ${count}\n${lines.join('\n')}`, options)
    this.issues = issues
  }
}

/** Appends a key or index to a path: `repos`, 2, `gated` → `repos[2].gated`. */
export function joinPath(path: string, key: string | number): string {
  if (typeof key === 'number') return `${path}[${key}]`
  if (!/^[\w$-]+$/.test(key)) return `${path}[${JSON.stringify(key)}]`
  return path === '' ? key : `${path}.${key}`
}

/** ` (did you mean "gated"?)` when one of the candidates is near enough, else nothing. */
export function suggestion(name: string, candidates: Iterable<string>): string {
  const wanted = normalize(name)
  const mostEdits = Math.max(1, Math.floor(wanted.length / 3))
  let best: { candidate: string; edits: number } | undefined
  for (const candidate of candidates) {
    const edits = editDistance(wanted, normalize(candidate))
    if (edits <= mostEdits && edits < (best?.edits ?? Infinity)) best = { candidate, edits }
  }
  return best === undefined ? '' : ` (did you mean ${JSON.stringify(best.candidate)}?)`
}

/** `redirect_uris` and `--redirect-uris` are as near to `redirectUris` as can be. */
function normalize(name: string): string {
  return name.toLowerCase().replaceAll(/[_-]/g, '')
}

/** Insertions, deletions, replacements and swaps of neighbours that lead from one text to the other. */
function editDistance(a: string, b: string): number {
  const rows: number[][] = [Array.from({ length: b.length + 1 }, (_, index) => index)]
  const at = (row: number, column: number) => rows[row]?.[column] ?? Infinity
  for (let row = 1; row <= a.length; row++) {
    const current = [row]
    rows.push(current)
    for (let column = 1; column <= b.length; column++) {
      const same = a[row - 1] === b[column - 1]
      const swapped = a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1]
      current.push(
        Math.min(
          at(row - 1, column - 1) + (same ? 0 : 1),
          at(row - 1, column) + 1,
          at(row, column - 1) + 1,
          swapped ? at(row - 2, column - 2) + 1 : Infinity,
        ),
      )
    }
  }
  return at(a.length, b.length)
}
