import { oneLine } from '../core/terminal-text.ts'
import { wrap } from '../core/wrap.ts'
import {
  openFindings,
  partsOf,
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

function linesOf(finding: ReportedFinding): string[] {
  const { level, rule, count } = finding
  const { title, evidence, fix, sources } = partsOf(finding)
  const times = count === 1 ? '' : `, ${count} times`
  const source = sources[0]
  return [
    `${level}  ${rule}  ${oneLine(subjectOf(finding))}${times}`,
    ...wrap(title, width - 2).map((line) => `  ${line}`),
    ...evidence.map((line) => `    ${oneLine(line)}`),
    ...wrap(`Fix: ${fix}`, width - 2).map((line) => `  ${line}`),
    ...(source === undefined ? [] : [`  Source: ${source.name}`]),
    '',
  ]
}
