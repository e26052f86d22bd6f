import { suggestion } from '../contract/suggestion.ts'
import { type ReportFormat, reportFormats } from '../contract/words/advice-words.ts'
import { formatOfFile } from '../lab/report/formats.ts'
import { CommandError } from './command-error.ts'

/**
 * Reads the format of a report: that of `--format`, else the one of the suffix of `--out`.
 * @throws {CommandError} for an unknown one
 */
export function readFormat({ format, out }: { format?: string; out?: string }): ReportFormat {
  if (format === undefined) {
    const ofFile = out === undefined ? 'text' : formatOfFile(out)
    if (ofFile !== undefined) return ofFile
    throw new CommandError(
      `Unknown suffix of ${out}. Use .txt, .json, .sarif, .xml or .md, or pass --format.`,
    )
  }
  const known = reportFormats.find((one) => one === format)
  if (known !== undefined) return known
  throw new CommandError(
    `Unknown format ${format}${suggestion(format, [...reportFormats])}. Pass --format with one of: ${reportFormats.join(', ')}.`,
  )
}
