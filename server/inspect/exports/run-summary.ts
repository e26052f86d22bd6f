import { codeSpan, plainMarkdown } from '../../core/markdown.ts'
import type { RunCase } from './run-cases.ts'

/** Most cases that are listed. */
const mostShown = 20

/** Exports the cases of a run as Markdown: the number of passed ones, and the others with their reasons. */
export function summaryOf(cases: readonly RunCase[]): string {
  if (cases.length === 0) return '**hub-sandbox**: no sign-in and no delivery.\n'
  const signIns = cases.filter(({ suite }) => suite === 'sign-ins')
  const deliveries = cases.filter(({ suite }) => suite === 'deliveries')
  const failed = cases.filter(({ failure }) => failure !== undefined)
  const waiting = cases.filter(({ waiting: because }) => because !== undefined)
  return [
    '### hub-sandbox',
    '',
    '| | passed | failed | open |',
    '|---|---:|---:|---:|',
    rowOf('Sign-ins', signIns),
    rowOf('Deliveries', deliveries),
    ...section('Failed', failed, ({ failure = '' }) => failure),
    ...section('Open', waiting, ({ waiting: because = '' }) => because),
    '',
  ].join('\n')
}

function rowOf(title: string, cases: readonly RunCase[]): string {
  const failed = cases.filter(({ failure }) => failure !== undefined).length
  const open = cases.filter(({ waiting }) => waiting !== undefined).length
  return `| ${title} | ${cases.length - failed - open} | ${failed} | ${open} |`
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
      .map((it) => `- ${codeSpan(it.name)}: ${plainMarkdown(sentence(it))}`),
    ...(more > 0 ? [`- and ${more} more`] : []),
  ]
}
