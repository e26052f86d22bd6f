import { codeSpan, plainMarkdown } from '../../core/markdown.ts'
import {
  countsOf,
  openFindings,
  partsOf,
  plural,
  type Report,
  type ReportedFinding,
  subjectOf,
  summarySentence,
  uselessIgnores,
} from './report.ts'

/** GitHub shows at most 1 MiB of a summary. */
const mostShown = 50

/** Renders a report as Markdown, for the summary of a job. */
export function markdownOf(report: Report): string {
  const { open, certain, likely } = openFindings(report)
  const { error, warning, note } = countsOf(report)
  const counts = [plural(error, 'error'), plural(warning, 'warning'), plural(note, 'note')]
  return [
    '### hub-sandbox checks',
    '',
    ...(open.length === 0 ? [] : [`**${counts.join(', ')}**`, '']),
    summarySentence(report),
    ...certain.slice(0, mostShown).flatMap(section),
    ...(likely.length === 0
      ? []
      : ['', '**Perhaps**', ...likely.slice(0, mostShown).flatMap(section)]),
    ...(Math.max(certain.length, likely.length) > mostShown ? ['', 'The list is cut.'] : []),
    ...uselessIgnores(report).flatMap((sentence) => ['', plainMarkdown(sentence)]),
    '',
  ].join('\n')
}

function section(finding: ReportedFinding): string[] {
  const { level, rule } = finding
  const { title, times, evidence, fix, sources } = partsOf(finding)
  const links = sources.map(({ name, url }) => `[${plainMarkdown(name)}](${url})`)
  return [
    '',
    `#### ${level}: ${codeSpan(rule)}, ${plainMarkdown(subjectOf(finding))}, ${times}`,
    '',
    plainMarkdown(title),
    '',
    ...evidence.map((line) => `- ${codeSpan(line)}`),
    '',
    `**Fix:** ${plainMarkdown(fix)} ${links.join(' · ')}`,
  ]
}
