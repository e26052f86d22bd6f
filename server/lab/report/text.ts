import { oneLine } from '../../core/terminal-text.ts'
import { wrap } from '../../core/wrap.ts'
import { type Mistake, openMistakes, plural, type Report } from './report.ts'

const width = 100

/** Renders a report for a terminal: the mistakes, worst first, likely ones last, then what was judged. */
export function textOf(report: Report): string {
  const { audit, hints, summary } = report
  const { open, certain, likely } = openMistakes(report)
  const lines =
    audit === undefined
      ? [
          ...certain.flatMap(linesOf),
          ...(likely.length === 0 ? [] : ['Perhaps:', '', ...likely.flatMap(linesOf)]),
          ...hints.flatMap((sentence) => wrap(oneLine(sentence), width)),
          open.length === 0 && hasJudged(report) ? `No mistakes found. ${summary}` : summary,
        ]
      : [
          ...wrap(oneLine(`Audit of ${audit.subject} (${audit.plan})`), width),
          '',
          ...certain.flatMap(linesOf),
          ...restLines(report),
          ...wrap(oneLine(summary), width),
        ]
  return `${lines.join('\n')}\n`
}

/** Most mistakes that a short text lists. */
const mostListed = 10

/** Renders the failures of a report for the end of a run: each with its fix, without all of its evidence. */
export function shortTextOf(report: Report): string[] {
  const { open } = openMistakes(report)
  const failures = open.filter(({ isFailure }) => isFailure)
  const others = open.length - failures.length
  const left = failures.length - mostListed
  return [
    ...failures
      .slice(0, mostListed)
      .flatMap((mistake) => [
        headOf(mistake),
        ...indented(mistake.title),
        ...mistake.evidence.slice(0, 1).map((line) => `    ${oneLine(line)}`),
        ...indented(`Fix: ${mistake.fix}`),
      ]),
    ...(left > 0 ? [`${left} more that fail.`] : []),
    ...(others > 0
      ? [`${plural(others, 'other finding')}: --advice-report FILE writes them all.`]
      : []),
    failures.length === 0 && hasJudged(report)
      ? `No findings that fail. ${report.summary}`
      : report.summary,
  ]
}

function hasJudged({ checks }: Report): boolean {
  return checks.some(({ skipped }) => skipped === undefined)
}

function headOf({ level, check, subject, count }: Mistake): string {
  const times = count === undefined || count === 1 ? '' : `, ${count} times`
  return `${level}  ${check}${count === undefined ? '' : `  ${oneLine(subject)}`}${times}`
}

function linesOf(mistake: Mistake): string[] {
  const { title, details, evidence, fix, sources } = mistake
  return [
    headOf(mistake),
    ...[title, ...details].flatMap(indented),
    ...evidence.map((line) => `    ${oneLine(line)}`),
    ...indented(`Fix: ${fix}`),
    ...sources.slice(0, 1).map(({ name }) => `  Source: ${name}`),
    '',
  ]
}

/** Lists the modules that did not judge. Those that were not reached for the same reason are listed together. */
function restLines({ rest }: Report): string[] {
  const notReached = rest.filter(({ outcome }) => outcome === 'not-reached')
  const reasons = [...new Set(notReached.map(({ reason }) => reason))]
  return [
    ...rest
      .filter(({ outcome }) => outcome !== 'not-reached')
      .flatMap(({ check, outcome, reason }) => [`${outcome}  ${check}`, ...indented(reason)]),
    ...reasons.flatMap((reason) => {
      const modules = notReached.filter((one) => one.reason === reason)
      const names = modules.map(({ check }) => check).join(', ')
      return [...wrap(`not reached: ${names}`, width), ...indented(reason)]
    }),
    ...(rest.length === 0 ? [] : ['']),
  ]
}

function indented(text: string): string[] {
  return wrap(oneLine(text), width - 2).map((line) => `  ${line}`)
}
