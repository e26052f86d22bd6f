import type { ReportFormat } from '../../contract/words/advice-words.ts'
import { githubOf } from './github.ts'
import { jsonOf } from './json.ts'
import { junitOf } from './junit.ts'
import { markdownOf } from './markdown.ts'
import type { Report, ReportSource } from './report.ts'
import { sarifOf } from './sarif.ts'
import { textOf } from './text.ts'

const renderers: Readonly<Record<ReportFormat, (report: Report, source?: ReportSource) => string>> =
  {
    text: textOf,
    json: jsonOf,
    sarif: sarifOf,
    junit: junitOf,
    markdown: markdownOf,
    github: githubOf,
  }

/**
 * Renders a report in a format.
 * @param source file that mistakes are shown at in SARIF and annotations
 */
export function renderReport(format: ReportFormat, report: Report, source?: ReportSource): string {
  return renderers[format](report, source)
}

const suffixes: Readonly<Record<ReportFormat, string>> = {
  text: 'txt',
  json: 'json',
  sarif: 'sarif',
  junit: 'xml',
  markdown: 'md',
  github: 'log',
}

/** Name of the file of a report. */
export function fileNameOf(kind: 'checks' | 'audit', format: ReportFormat): string {
  return `hub-sandbox-${kind}.${suffixes[format]}`
}

/** Format of a report by the suffix of its file; absent for an unknown suffix. */
export function formatOfFile(file: string): ReportFormat | undefined {
  const suffix = /\.([a-z]+)$/i.exec(file)?.[1]?.toLowerCase()
  return (Object.keys(suffixes) as ReportFormat[]).find((format) => suffixes[format] === suffix)
}
