import { codeSpan, plainMarkdown } from '../../core/markdown.ts'
import { type RunCase, runSuites } from './run-cases.ts'

/** Most cases that are listed. */
const mostShown = 20

/** Exports the cases of a run as Markdown: the number of passed ones, and the others with their reasons. */
export function summaryOf(cases: readonly RunCase[]): string {
  if (cases.length === 0) return '**hub-sandbox**: no sign-in and no delivery.\n'
  const failed = cases.filter(({ failure }) => failure !== undefined)
  const waiting = cases.filter(({ waiting: because }) => because !== undefined)
  const aside = cases.filter(({ aside: because }) => because !== undefined)
  return [
    '### hub-sandbox',
    '',
    '| | passed | failed | open | neither |',
    '|---|---:|---:|---:|---:|',
    ...rowsOf(cases),
    ...section('Failed', failed, ({ failure = '' }) => failure),
    ...section('Open', waiting, ({ waiting: because = '' }) => because),
    ...section('Neither passed nor failed', aside, ({ aside: because = '' }) => because),
    '',
  ].join('\n')
}

const titles: Readonly<Record<RunCase['suite'], string>> = {
  'sign-ins': 'Sign-ins',
  requests: 'Refused requests of sign-ins',
  deliveries: 'Deliveries',
}

/** Number of cases by verdict. */
export interface RunCounts {
  passed: number
  failed: number
  open: number
  neither: number
}

/** Counts the cases of a suite by their verdict. */
export function countCases(cases: readonly RunCase[]): RunCounts {
  const failed = cases.filter(({ failure }) => failure !== undefined).length
  const open = cases.filter(({ waiting }) => waiting !== undefined).length
  const neither = cases.filter(({ aside }) => aside !== undefined).length
  return { passed: cases.length - failed - open - neither, failed, open, neither }
}

/** Returns a row for each suite; requests have one only if some were refused. */
function rowsOf(cases: readonly RunCase[]): string[] {
  return runSuites.flatMap((suite) => {
    const own = cases.filter((one) => one.suite === suite)
    if (suite === 'requests' && own.length === 0) return []
    const { passed, failed, open, neither } = countCases(own)
    return [`| ${titles[suite]} | ${passed} | ${failed} | ${open} | ${neither} |`]
  })
}

function section(
  title: string,
  cases: readonly RunCase[],
  sentence: (it: RunCase) => string,
): string[] {
  if (cases.length === 0) return []
  const more = cases.length - mostShown
  return [
    '',
    `**${title}**`,
    '',
    ...cases
      .slice(0, mostShown)
      .map((it) => `- ${codeSpan(it.name)}: ${it.result}. ${plainMarkdown(sentence(it))}`),
    ...(more > 0 ? [`- and ${more} more`] : []),
  ]
}
