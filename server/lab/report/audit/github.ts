import { command, commandOfLevel } from '../github.ts'
import { type AuditReport, auditSentence, failures, partsOfVerdict } from './audit-report.ts'

/** Renders the failures of an audit as workflow commands of GitHub Actions, which become annotations. */
export function auditGithub(report: AuditReport, file?: string): string {
  const failed = failures(report).map((verdict) => {
    const { expected, observed, evidence, fix } = partsOfVerdict(verdict)
    const text = [`${report.subject}: ${verdict.title}`, expected, observed, ...evidence, fix]
    return command(commandOfLevel[verdict.level], text.join('\n'), {
      ...(file !== undefined && { file, line: '1' }),
      title: verdict.module,
    })
  })
  const level = report.problem === undefined ? 'notice' : 'error'
  return [...failed, command(level, auditSentence(report), {})].map((line) => `${line}\n`).join('')
}
