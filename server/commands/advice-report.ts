import { extname } from 'node:path'
import type { Advice, AdviceRule } from '../contract/control-advice.ts'
import type { ReportFormat } from '../contract/words/advice.ts'
import { packageVersion } from '../core/package-root.ts'
import type { LogSegments } from '../lab/triggers/log-segments.ts'
import { formatOfFile, renderReport } from '../report/formats.ts'
import { mergeAdvice } from '../report/merge.ts'
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
 * Keeps the findings of each segment of the log, which a reset deletes.
 * @returns writes the report, after the last segment has ended
 * @throws {CommandError} as {@link adviceFormatOf}
 */
export function keepAdvice(
  file: string,
  segments: Pick<LogSegments, 'onEnd'>,
): () => Promise<void> {
  const format = adviceFormatOf(file)
  const startedAt = new Date().toISOString()
  let kept: { advice: Advice; rules: readonly AdviceRule[] } | undefined
  let failure: unknown
  segments.onEnd(async ({ call }) => {
    try {
      const [advice, rules] = await Promise.all([call('GET advice'), call('GET advice/rules')])
      kept = {
        advice: kept === undefined ? advice : mergeAdvice(kept.advice, advice),
        rules: rules.items,
      }
    } catch (error) {
      failure = error
    }
  })
  return async () => {
    if (failure !== undefined || kept === undefined) {
      throw new CommandError(`--advice-report: cannot read the findings.`, { cause: failure })
    }
    const { advice, rules } = kept
    const judged = new Map(advice.rules.map((rule) => [rule.id, rule.judged]))
    const report = {
      tool: { name: 'hub-sandbox', version: packageVersion },
      startedAt,
      findings: advice.items,
      rules: rules.map((rule) => ({ ...rule, judged: judged.get(rule.id) ?? 0 })),
      ignores: advice.ignores,
      omitted: advice.omitted,
      paused: advice.paused,
      fixed: [],
    }
    const gate = { level: 'error', likely: false } as const
    await writeWhole(
      file,
      renderReport(format, report, { gate, source: await sourceOf(undefined) }),
    )
  }
}
