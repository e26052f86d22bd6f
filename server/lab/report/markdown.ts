import { adviceLevels } from '../../contract/words/advice-words.ts'
import { codeSpan, plainMarkdown } from '../../core/markdown.ts'
import { type Mistake, openMistakes, plural, type Report, times } from './report.ts'

/** GitHub shows at most 1 MiB of a summary. Modules of an audit are few. */
const mostFindings = 50

/** Renders a report as Markdown, for the summary of a job. */
export function markdownOf(report: Report): string {
  const { audit, summary, hints } = report
  const { open, certain, likely } = openMistakes(report)
  const most = audit === undefined ? mostFindings : Infinity
  const rest = report.rest.filter(({ outcome }) => outcome !== 'tolerated')
  return [
    audit === undefined
      ? '### hub-sandbox checks'
      : `### hub-sandbox audit of ${codeSpan(audit.subject)} (${plainMarkdown(audit.plan)})`,
    '',
    ...(audit === undefined && open.length > 0 ? [`**${countsOf(open)}**`, ''] : []),
    plainMarkdown(summary),
    ...certain.slice(0, most).flatMap(section),
    ...(likely.length === 0 ? [] : ['', '**Perhaps**', ...likely.slice(0, most).flatMap(section)]),
    ...(Math.max(certain.length, likely.length) > most ? ['', 'The list is cut.'] : []),
    ...(rest.length === 0 ? [] : ['', '**Not judged**', '']),
    ...rest.map(
      ({ check, outcome, reason }) => `- ${codeSpan(check)}, ${outcome}: ${plainMarkdown(reason)}`,
    ),
    ...hints.flatMap((sentence) => ['', plainMarkdown(sentence)]),
    '',
  ].join('\n')
}

function countsOf(open: readonly Mistake[]): string {
  return adviceLevels
    .map((level) => plural(open.filter((mistake) => mistake.level === level).length, level))
    .join(', ')
}

function section(mistake: Mistake): string[] {
  const { level, check, subject, count, title, details, evidence, fix, sources } = mistake
  const links = sources.map(({ name, url }) => `[${plainMarkdown(name)}](${url})`)
  const who = count === undefined ? '' : `, ${plainMarkdown(subject)}, ${times(count)}`
  // A verdict has its whole fix in bold.
  const advice =
    count === undefined ? `**${plainMarkdown(`Fix: ${fix}`)}**` : `**Fix:** ${plainMarkdown(fix)}`
  return [
    '',
    `#### ${level}: ${codeSpan(check)}${who}`,
    '',
    plainMarkdown(title),
    '',
    ...details.map((sentence) => `- ${plainMarkdown(sentence)}`),
    ...evidence.map((line) => `- ${codeSpan(line)}`),
    '',
    [advice, ...(links.length === 0 ? [] : [links.join(' · ')])].join(' '),
  ]
}
