import { extname } from 'node:path'
import { rules } from '../lab/checks/check-catalog.ts'
import { describeRule } from '../lab/checks/describe-rule.ts'
import type { Advice } from '../contract/control-advice.ts'
import type { ReportFormat } from '../contract/words/advice-words.ts'
import { findingsOf, reportOfFindings } from '../lab/report/check-report.ts'
import { formatOfFile, renderReport } from '../lab/report/formats.ts'
import { sourceOf } from './check-source.ts'
import { CommandError } from './command-error.ts'
import { prepareFile, writeWhole } from './exec/written-file.ts'

/**
 * Returns the format of a report by the suffix of its file, which can be written.
 * @throws {CommandError} with exit code 2 for a file that cannot be written, or an unknown suffix
 */
export function adviceFormatOf(file: string): ReportFormat {
  const format = formatOfFile(file)
  if (format === undefined) {
    throw new CommandError(
      `--advice-report: unknown suffix "${extname(file)}" of ${file}. Use .sarif, .xml, .json, .md or .txt.`,
      { exitCode: 2 },
    )
  }
  prepareFile('--advice-report', file)
  return format
}

/**
 * Writes the findings of a run of this program's own sandbox.
 * @param startedAt ISO 8601
 */
export async function writeAdviceReport(
  file: string,
  advice: Advice,
  startedAt: string,
): Promise<void> {
  const findings = findingsOf(advice, rules.map(describeRule), startedAt)
  const report = reportOfFindings(findings, { level: 'error' })
  const text = renderReport(adviceFormatOf(file), report, await sourceOf(undefined))
  await writeWhole(file, text)
}
