import { summaryOf } from '../inspect/exports/run-summary.ts'
import { connect } from './connect.ts'
import { print, printJson } from './output.ts'
import type { ControlOptions } from './read-options.ts'
import { readCases } from './read-run.ts'
import { type HtmlOption, writeReport } from './write-report.ts'

export interface SummaryOptions extends ControlOptions {
  html?: HtmlOption
}

/** Prints the results of sign-ins and deliveries as Markdown, or writes everything as an HTML file. */
export async function summary(options: SummaryOptions): Promise<void> {
  const { call } = await connect(options)
  if (options.html !== undefined) {
    return writeReport(await call('GET report'), { ...options, html: options.html })
  }
  const cases = await readCases(call)
  if (options.json === true) printJson(cases)
  else print(summaryOf(cases).trimEnd())
}
