import type { FlowText } from '../contract/control-flows.ts'
import { CommandError } from './command-error.ts'
import { writeWhole } from './exec/written-file.ts'
import { print, printJson, writeOut } from './output.ts'

/** Value of `--html`: a file, `-` for stdout, or true for the suggested name in the current folder. */
export type HtmlOption = string | true

/** @throws {CommandError} for `--html` with a query, because a report is about one entry */
export function refuseHtml({ html }: { html?: HtmlOption }, what: string): void {
  if (html === undefined) return
  throw new CommandError(`--html requires the id of one ${what}, or "latest".`, { exitCode: 2 })
}

/** Writes a report and prints the name of its file. */
export async function writeReport(
  { filename, text }: FlowText,
  { html, json }: { html: HtmlOption; json?: boolean },
): Promise<void> {
  if (html === '-') return writeOut(text)
  const file = html === true ? filename : html
  await writeWhole(file, text)
  if (json === true) printJson({ file })
  else print(file)
}
