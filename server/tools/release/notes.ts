/** A commit of `git log`. */
export interface ReleasedCommit {
  /** Full hash. */
  hash: string
  /** First line of its message. */
  subject: string
  /** The rest of its message. */
  body: string
}

/** Sections of the notes by type of commit, in order; other types are left out. */
const sections = [
  ['feat', 'New'],
  ['fix', 'Fixed'],
  ['perf', 'Faster'],
  ['docs', 'Documentation'],
] as const

/** `type(scope)!: what` (https://www.conventionalcommits.org) */
const conventional = /^(?<type>[a-z]+)(?:\((?<scope>[^)]+)\))?(?<mark>!)?: (?<what>.+)$/

/** Footer of a commit with a breaking change, up to the next footer. */
const breakingFooter = /^BREAKING[ -]CHANGE: (?<demand>[^]+?)(?=\n\n|\n[A-Za-z-]+: |\s*(?![^]))/m

interface Entry {
  type: string
  /** A line of Markdown. */
  line: string
  /** Required action for an update; absent = none. */
  demand?: string
}

function readCommit({ hash, subject, body }: ReleasedCommit): Entry[] {
  const groups = conventional.exec(subject)?.groups
  if (groups === undefined) return []
  const { type = '', scope, mark, what = '' } = groups
  const footer = breakingFooter.exec(body)?.groups?.['demand']?.replaceAll(/\s+/g, ' ')
  const demand = footer ?? (mark === undefined ? undefined : what)
  const line = `- ${scope === undefined ? '' : `**${scope}:** `}${what} (${hash.slice(0, 7)})`
  return [demand === undefined ? { type, line } : { type, line, demand }]
}

/**
 * Renders the notes of a release in Markdown: breaking changes first, then features, fixes, speed and documentation.
 * @param commits commits since the previous release, newest first
 */
export function releaseNotes(commits: readonly ReleasedCommit[]): string {
  const entries = commits.flatMap(readCommit)
  const written = [
    {
      title: 'What you must change',
      lines: entries.flatMap(({ demand }) => (demand === undefined ? [] : `- ${demand}`)),
    },
    ...sections.map(([type, title]) => ({
      title,
      lines: entries.filter((entry) => entry.type === type).map(({ line }) => line),
    })),
  ].filter(({ lines }) => lines.length > 0)
  if (written.length === 0) return 'Nothing that its users would notice.\n'
  return written.map(({ title, lines }) => `## ${title}\n\n${lines.join('\n')}\n`).join('\n')
}
