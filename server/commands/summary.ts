import { summaryOf } from '../requests/exports/run-summary.ts'
import { connect, type ConnectOptions } from './connect.ts'
import { print, printJson } from './output.ts'
import { readCases } from './read-run.ts'

export interface SummaryOptions extends ConnectOptions {
  json?: boolean
}

/** Prints the results of sign-ins and deliveries as Markdown. */
export async function summary(options: SummaryOptions): Promise<void> {
  const { call } = await connect(options)
  const cases = await readCases(call)
  if (options.json === true) printJson(cases)
  else print(summaryOf(cases).trimEnd())
}
