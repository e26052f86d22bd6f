import type { AdviceFinding } from '../../contract/control-advice.ts'
import type { AdviceLevel } from '../../contract/words/advice-words.ts'
import { rank } from '../report/report.ts'
import type { Finding, Occurrence } from './evaluate.ts'
import type { EvidenceItem } from './rule.ts'

type ShownEvidence = AdviceFinding['evidence']

/** Fields of a finding that do not change from one occurrence to the next. */
export type FindingAbout = Omit<
  AdviceFinding,
  'level' | 'count' | 'firstAt' | 'lastAt' | 'evidence' | 'ignored'
>

/** A finding over the whole run. */
export interface KeptFinding {
  readonly about: FindingAbout
  readonly level: AdviceLevel
  readonly count: number
  /** Times on the sandbox clock in milliseconds since 1970. */
  readonly firstAt: number
  readonly lastAt: number
  /** Of the first and the two newest occurrences. */
  readonly evidence: ShownEvidence
  /** Number of the change in which it was found or occurred again. */
  readonly change: number
}

/** Findings of a run. They stay when the log has dropped the requests that prove them. */
export interface KeptFindings {
  /**
   * Takes the findings of the present record, which replace those of the record before.
   * @returns those that are new
   */
  take(findings: readonly Finding[], readers: EvidenceReaders): KeptFinding[]
  /** The worst first, then the newest. */
  values(): readonly KeptFinding[]
  /** Number of the latest change. */
  readonly change: number
  /** Findings that the limit left out, at most at once since the last reset. */
  readonly omitted: number
  clear(): void
}

/** Read what a finding shows from the present record. */
export interface EvidenceReaders {
  describe(finding: Finding): FindingAbout
  /** Shows evidence without secrets. */
  show(evidence: readonly EvidenceItem[]): ShownEvidence
  /** Checks whether the record still has a request or an attempt. */
  has(item: EvidenceItem): boolean
}

interface SeenOccurrence extends Occurrence {
  /** Present for the first and the newest ones. */
  readonly shown?: ShownEvidence
}

interface Entry {
  about: FindingAbout
  present: readonly SeenOccurrence[]
  /** Occurrences that the record no longer proves. */
  gone: { count: number; kept: readonly SeenOccurrence[] }
  change: number
}

/** Newest occurrences whose evidence is kept, besides the first. */
const newestKept = 2

/** @param most findings that are kept; the mildest and oldest ones are left out */
export function createKeptFindings(most = 500): KeptFindings {
  let entries = new Map<string, Entry>()
  let change = 0
  let omitted = 0

  /** Keeps those whose requests have left the record, while the rule would still report them. */
  function leave(
    entry: Entry,
    present: readonly Occurrence[],
    readers: Pick<EvidenceReaders, 'has'>,
  ): void {
    const known = new Set(present.flatMap(endsOf))
    const left = entry.present.filter(
      (occurrence) =>
        !endsOf(occurrence).some((id) => known.has(id)) &&
        !occurrence.evidence.every((item) => readers.has(item)),
    )
    if (left.length === 0) return
    entry.gone = {
      count: entry.gone.count + left.length,
      kept: ends([...entry.gone.kept, ...left]),
    }
  }

  function update(finding: Finding, readers: EvidenceReaders): void {
    const { id, occurrences } = finding
    const entry = entries.get(id)
    const shown = new Set(ends(occurrences))
    const present = occurrences.map((occurrence) =>
      shown.has(occurrence)
        ? { ...occurrence, shown: readers.show(occurrence.evidence) }
        : occurrence,
    )
    if (entry === undefined) {
      const about = readers.describe(finding)
      entries.set(id, { about, present, gone: { count: 0, kept: [] }, change })
      return
    }
    const before = countOf(entry)
    leave(entry, present, readers)
    entry.about = readers.describe(finding)
    entry.present = present
    if (countOf(entry) > before) entry.change = change
  }

  return {
    take(findings, readers) {
      const known = new Set(entries.keys())
      change += 1
      const present = new Set(findings.map(({ id }) => id))
      for (const [id, entry] of entries) {
        if (present.has(id)) continue
        leave(entry, [], readers)
        entry.present = []
        if (entry.gone.count === 0) entries.delete(id)
      }
      for (const finding of findings) update(finding, readers)
      const sorted = [...entries].toSorted(([, a], [, b]) => order(describe(a), describe(b)))
      entries = new Map(sorted.slice(0, most))
      // Those of before stay left out when the record drops their requests.
      omitted = Math.max(omitted, sorted.length - entries.size)
      return [...entries].filter(([id]) => !known.has(id)).map(([, entry]) => describe(entry))
    },
    values: () => [...entries.values()].map(describe),
    get change() {
      return change
    },
    get omitted() {
      return omitted
    },
    clear() {
      entries = new Map()
      omitted = 0
    },
  }
}

function describe({ about, present, gone, change }: Entry): KeptFinding {
  const all = [...gone.kept, ...present]
  const levels = all.map(({ level }) => level)
  return {
    about,
    level: levels.reduce((worst, level) => (rank(level) < rank(worst) ? level : worst)),
    count: gone.count + present.length,
    firstAt: all[0]?.at ?? 0,
    lastAt: all.at(-1)?.at ?? 0,
    evidence: ends(all).flatMap(({ shown = [] }) => shown),
    change,
  }
}

function countOf({ present, gone }: Entry): number {
  return gone.count + present.length
}

function order(one: KeptFinding, other: KeptFinding): number {
  return rank(one.level) - rank(other.level) || other.lastAt - one.lastAt
}

/** The first and the newest ones. */
function ends<Item>(occurrences: readonly Item[]): Item[] {
  return [...occurrences.slice(0, 1), ...occurrences.slice(1).slice(-newestKept)]
}

/** Ids of the first and the last entry: one of them stays while an occurrence grows, and while its beginning is dropped. */
function endsOf({ evidence }: Occurrence): string[] {
  return [evidence[0], evidence.at(-1)].flatMap((item) => item?.id ?? [])
}
