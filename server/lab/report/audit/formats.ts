import type { ReportFormat } from '../../../contract/words/advice-words.ts'
import { fileNameOf } from '../formats.ts'
import type { AuditGate, AuditReport } from './audit-report.ts'
import { auditGithub } from './github.ts'
import { auditJson } from './json.ts'
import { auditJunit } from './junit.ts'
import { auditMarkdown } from './markdown.ts'
import { auditSarif } from './sarif.ts'
import { auditText } from './text.ts'

export interface AuditReportOptions {
  readonly gate: AuditGate
  /** File that failures are shown at in SARIF and annotations, relative to the root of the project. */
  readonly file?: string | undefined
}

type Renderer = (report: AuditReport, options: AuditReportOptions) => string

const renderers: Readonly<Record<ReportFormat, Renderer>> = {
  text: (report) => auditText(report),
  json: (report, { gate }) => auditJson(report, gate),
  sarif: (report, { file }) => auditSarif(report, file),
  junit: (report, { gate }) => auditJunit(report, gate),
  markdown: (report) => auditMarkdown(report),
  github: (report, { file }) => auditGithub(report, file),
}

/** Renders the report of an audit in a format. */
export function renderAudit(
  format: ReportFormat,
  report: AuditReport,
  options: AuditReportOptions,
): string {
  return renderers[format](report, options)
}

/** Name of the file of a report. */
export function auditFileName(format: ReportFormat): string {
  return fileNameOf(format).replace('checks', 'audit')
}
