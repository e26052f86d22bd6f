import type { AuditVerdict } from '../../../contract/control-audits.ts'
import { codeSpan, plainMarkdown } from '../../../core/markdown.ts'
import {
  type AuditReport,
  auditSentence,
  failures,
  notJudged,
  partsOfVerdict,
} from './audit-report.ts'

/** Renders an audit as Markdown, for the summary of a job. */
export function auditMarkdown(report: AuditReport): string {
  const rest = notJudged(report)
  return [
    `### hub-sandbox audit of ${codeSpan(report.subject)} (${plainMarkdown(report.plan)})`,
    '',
    plainMarkdown(auditSentence(report)),
    ...failures(report).flatMap(section),
    ...(rest.length === 0 ? [] : ['', '**Not judged**', '', ...rest.map(item)]),
    '',
  ].join('\n')
}

function section(verdict: AuditVerdict): string[] {
  const { expected, observed, evidence, fix, sources } = partsOfVerdict(verdict)
  const links = sources.map(({ name, url }) => `[${plainMarkdown(name)}](${url})`)
  return [
    '',
    `#### ${verdict.level}: ${codeSpan(verdict.module)}`,
    '',
    plainMarkdown(verdict.title),
    '',
    `- ${plainMarkdown(expected)}`,
    `- ${plainMarkdown(observed)}`,
    ...evidence.map((line) => `- ${codeSpan(line)}`),
    '',
    `**${plainMarkdown(fix)}** ${links.join(' · ')}`.trimEnd(),
  ]
}

function item({ module, outcome, observed }: AuditVerdict): string {
  return `- ${codeSpan(module)}, ${outcome}: ${plainMarkdown(observed)}`
}
