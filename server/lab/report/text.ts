import { oneLine } from '../../core/terminal-text.ts'
import { wrap } from '../../core/wrap.ts'
import {
  failuresOf,
  type Gate,
  openFindings,
  partsOf,
  plural,
  type Report,
  type ReportedFinding,
  subjectOf,
  summarySentence,
  uselessIgnores,
} from './report.ts'

const width = 100

/** Renders a report for a terminal: the findings, worst first, likely ones last, then what was judged. */
export function textOf(report: Report): string {
  const { open, certain, likely } = openFindings(report)
  const summary = summarySentence(report)
  const isClean = open.length === 0 && report.rules.some(({ judged }) => judged > 0)
  const lines = [
    ...certain.flatMap(linesOf),
    ...(likely.length === 0 ? [] : ['Perhaps:', '', ...likely.flatMap(linesOf)]),
    ...uselessIgnores(report).flatMap((sentence) => wrap(oneLine(sentence), width)),
    isClean ? `No mistakes found. ${summary}` : summary,
  ]
  return `${lines.join('\n')}\n`
}

/** Most findings that a short text lists. */
const mostListed = 10

/** Renders the failures of a gate for the end of a run: each with its fix, without its evidence. */
export function shortTextOf(report: Report, gate: Gate): string[] {
  const failures = [...failuresOf(report, gate)]
  const others = openFindings(report).open.length - failures.length
  const left = failures.length - mostListed
  return [
    ...failures.slice(0, mostListed).flatMap((finding) => {
      const { title, evidence, fix } = partsOf(finding)
      return [
        headOf(finding),
        ...wrap(title, width - 2).map((line) => `  ${line}`),
        ...evidence.slice(0, 1).map((line) => `    ${oneLine(line)}`),
        ...wrap(`Fix: ${fix}`, width - 2).map((line) => `  ${line}`),
      ]
    }),
    ...(left > 0 ? [`${left} more that fail.`] : []),
    ...(others > 0
      ? [`${plural(others, 'other finding')}: --advice-report FILE writes them all.`]
      : []),
    failures.length === 0 && report.rules.some(({ judged }) => judged > 0)
      ? `No findings that fail. ${summarySentence(report)}`
      : summarySentence(report),
  ]
}

function headOf(finding: ReportedFinding): string {
  const { level, rule, count } = finding
  const times = count === 1 ? '' : `, ${count} times`
  return `${level}  ${rule}  ${oneLine(subjectOf(finding))}${times}`
}

function linesOf(finding: ReportedFinding): string[] {
  const { title, evidence, fix, sources } = partsOf(finding)
  const source = sources[0]
  return [
    headOf(finding),
    ...wrap(title, width - 2).map((line) => `  ${line}`),
    ...evidence.map((line) => `    ${oneLine(line)}`),
    ...wrap(`Fix: ${fix}`, width - 2).map((line) => `  ${line}`),
    ...(source === undefined ? [] : [`  Source: ${source.name}`]),
    '',
  ]
}
