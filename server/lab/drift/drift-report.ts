import type { DriftFormat } from '../../contract/words/drift-words.ts'
import { groupBy } from '../../core/group-by.ts'
import { codeSpan, plainMarkdown } from '../../core/markdown.ts'
import { omitUndefined } from '../../core/omit-undefined.ts'
import { differenceKinds, type Difference, keyOf } from './difference.ts'
import { plural } from '../report/report.ts'
import type { Judged, KnownDifference } from './known-differences.ts'

/** Result of a comparison with the Hub. */
export interface DriftReport {
  /** Address or file of the document, or the host, that the sandbox was compared with. */
  subject: string
  /** One sentence with the counts. */
  summary: string
  /** Operations of a document, and those of them that the sandbox has. */
  operations?: { hub: number; here: number }
  differences: readonly (Difference & { key: string; reason?: string })[]
  /** Entries of the list of known differences that nothing needs. */
  unused: readonly KnownDifference[]
  /** Calls that could not be sent, with the reason. */
  left: readonly string[]
}

/** Exit codes: 0 nothing unknown; 1 a difference that is not in the list, or an entry that nothing needs. */
export function exitCodeOf({ differences, unused }: DriftReport): 0 | 1 {
  return differences.every(({ reason }) => reason !== undefined) && unused.length === 0 ? 0 : 1
}

interface Counted extends Pick<DriftReport, 'operations'> {
  /** Compared things, such as "181 of 314 operations". */
  counts: string
  left?: readonly string[]
}

/** Makes the report of a comparison. */
export function reportOf(
  subject: string,
  { differences, unused }: Judged,
  { counts, left = [], operations }: Counted,
): DriftReport {
  const known = differences.filter(({ reason }) => reason !== undefined).length
  const open = differences.length - known
  return {
    subject,
    ...omitUndefined({ operations }),
    summary: `${counts}: ${plural(open, 'difference')}, and ${known} that ${known === 1 ? 'is' : 'are'} known.`,
    differences: differences.map((one) => ({ key: keyOf(one), ...one })),
    unused,
    left,
  }
}

/**
 * Renders a report.
 * @param all also the differences that are known, each with its reason
 * @param table renders the rows of a text
 */
export function renderDrift(
  format: DriftFormat,
  report: DriftReport,
  { all, table }: { all: boolean; table: (rows: readonly (readonly string[])[]) => string },
): string {
  if (format === 'json') return `${JSON.stringify(report, undefined, 2)}\n`
  const shown = report.differences.filter(({ reason }) => all || reason === undefined)
  const groups = groupBy(shown, ({ operation }) => operation)
  return format === 'text' ? textOf(report, groups, table) : markdownOf(report, groups)
}

type Shown = DriftReport['differences'][number]

function textOf(
  { subject, summary, unused, left }: DriftReport,
  groups: ReadonlyMap<string, readonly Shown[]>,
  table: (rows: readonly (readonly string[])[]) => string,
): string {
  const sections = [...groups].flatMap(([operation, list]) => [
    operation,
    table(
      list.map(({ kind, member, hub, here, reason }) => [
        `  ${kind}`,
        member,
        `Hub: ${hub}; here: ${here}${reason === undefined ? '' : ` (known: ${reason})`}`,
      ]),
    ),
    '',
  ])
  return [
    ...sections,
    ...unused.map(
      ({ operations, reason }) =>
        `Listed as known, but equal now: ${operations.join(', ')} (${reason}). Remove it from the list.`,
    ),
    ...left,
    `Compared with ${subject}. ${summary}`,
    '',
  ].join('\n')
}

function markdownOf(
  { subject, summary, unused, left }: DriftReport,
  groups: ReadonlyMap<string, readonly Shown[]>,
): string {
  const rows = [...groups.values()]
    .flat()
    .map(({ operation, kind, member, hub, here, reason }) =>
      [
        codeSpan(operation),
        kind,
        member === '' ? '' : codeSpan(member),
        plainMarkdown(hub),
        plainMarkdown(here),
        plainMarkdown(reason ?? ''),
      ].join(' | '),
    )
  return [
    '### The sandbox beside the Hub',
    '',
    plainMarkdown(`Compared with ${subject}. ${summary}`),
    ...(rows.length === 0
      ? []
      : [
          '',
          '| Operation | Difference | Place | Hub | Sandbox | Known because |',
          '|---|---|---|---|---|---|',
          ...rows.map((row) => `| ${row} |`),
        ]),
    ...(unused.length === 0 ? [] : ['', '**Listed as known, but equal now**', '']),
    ...unused.map(
      ({ operations, reason }) =>
        `- ${operations.map(codeSpan).join(', ')}: ${plainMarkdown(reason)}`,
    ),
    ...(left.length === 0 ? [] : ['', '**Not compared**', '']),
    ...left.map((line) => `- ${plainMarkdown(line)}`),
    '',
  ].join('\n')
}

/**
 * Explains a difference, by its key.
 * @returns lines; undefined if the report has none of this key
 */
export function explainDifference(
  { differences }: DriftReport,
  key: string,
): readonly string[] | undefined {
  const found = differences.find((one) => one.key === key)
  if (found === undefined) return undefined
  const { operation, kind, member, hub, here, reason } = found
  return [
    operation,
    `${kind}${member === '' ? '' : `: ${member}`}`,
    `${differenceKinds[kind]}.`,
    `Hub: ${hub}`,
    `Here: ${here}`,
    reason === undefined ? 'Not known yet.' : `Known: ${reason}`,
  ]
}
