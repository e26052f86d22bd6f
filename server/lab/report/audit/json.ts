import { escapeControls } from '../../../core/terminal-text.ts'
import { type AuditGate, type AuditReport, countOutcomes, exitCodeOfAudit } from './audit-report.ts'

/** Renders an audit as JSON, with its counts and the exit code of a gate. */
export function auditJson(report: AuditReport, gate: AuditGate): string {
  const summary = countOutcomes(report.modules)
  const exitCode = exitCodeOfAudit(report, gate)
  return `${escapeControls(JSON.stringify({ ...report, summary, exitCode }, undefined, 2))}\n`
}
