import { escapeControls } from '../../core/terminal-text.ts'
import { countsOf, type Gate, exitCodeOf, type Report } from './report.ts'

/** Renders a report as JSON, with its counts and the exit code of a gate. */
export function jsonOf(report: Report, gate: Gate): string {
  const summary = countsOf(report)
  return `${escapeControls(JSON.stringify({ ...report, summary, exitCode: exitCodeOf(report, gate) }, undefined, 2))}\n`
}
