import { adviceFormatOf, writeAdviceReport } from '../advice-report.ts'
import type { RunPartMaker } from './run-part.ts'

/** `--advice-report FILE`: the findings of the checks over all resets. Without a sandbox of the run, `--url` refuses it. */
export const advicePart: RunPartMaker = {
  isWanted: ({ adviceReport }) => adviceReport !== undefined,
  startOptions({ adviceReport = '' }) {
    adviceFormatOf(adviceReport)
    return {}
  },
  async begin({ options: { adviceReport = '' }, connection: { call } }) {
    const startedAt = new Date().toISOString()
    return {
      async programEnded() {
        const advice = await call('GET advice', { query: { run: '1' } })
        await writeAdviceReport(adviceReport, advice, startedAt)
        return undefined
      },
    }
  },
}
