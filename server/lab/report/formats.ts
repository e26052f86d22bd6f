import type { ReportFormat } from '../../contract/words/advice-words.ts'
import { githubOf } from './github.ts'
import { jsonOf } from './json.ts'
import { junitOf } from './junit.ts'
import { markdownOf } from './markdown.ts'
import type { Gate, Report } from './report.ts'
import { type ReportSource, sarifOf } from './sarif.ts'
import { textOf } from './text.ts'

export interface ReportOptions {
  readonly gate: Gate
  /** File that findings are shown at in SARIF and annotations. */
  readonly source?: ReportSource | undefined
}

type Renderer = (report: Report, options: ReportOptions) => string

const renderers: Readonly<Record<ReportFormat, Renderer>> = {
  text: (report) => textOf(report),
  json: (report, { gate }) => jsonOf(report, gate),
  sarif: (report, { source }) => sarifOf(report, source),
  junit: (report, { gate }) => junitOf(report, gate),
  markdown: (report) => markdownOf(report),
  github: (report, { source }) => githubOf(report, source),
}

/** Renders a report in a format. */
export function renderReport(format: ReportFormat, report: Report, options: ReportOptions): string {
  return renderers[format](report, options)
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
export function fileNameOf(format: ReportFormat): string {
  return `hub-sandbox-checks.${suffixes[format]}`
}

/** Format of a report by the suffix of its file; absent for an unknown suffix. */
export function formatOfFile(file: string): ReportFormat | undefined {
  const suffix = /\.([a-z]+)$/i.exec(file)?.[1]?.toLowerCase()
  return (Object.keys(suffixes) as ReportFormat[]).find((format) => suffixes[format] === suffix)
}
