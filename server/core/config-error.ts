export interface Issue {
  /** Location: `repos[2].gated`, `--port` or `HUB_SANDBOX_PORT`. */
  path: string
  message: string
}

/** Invalid settings or fixtures; holds all mistakes that were found. */
export class ConfigError extends Error {
  override readonly name: string = 'ConfigError'
  readonly issues: readonly Issue[]

  /** @param subject invalid file or setting, the start of the message: `fixtures.json` */
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
