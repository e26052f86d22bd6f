import { adviceFormatOf, keepAdvice } from '../advice-report.ts'
import type { RunPartMaker } from './run-part.ts'

/** `--advice-report FILE`: the findings of the checks over all resets. Without a sandbox of the run, `--url` refuses it. */
export const advicePart: RunPartMaker = {
  isWanted: ({ adviceReport }) => adviceReport !== undefined,
  startOptions({ adviceReport = '' }) {
    adviceFormatOf(adviceReport)
    return {}
  },
  async begin({ options: { adviceReport = '' }, segments }) {
    const write = segments && keepAdvice(adviceReport, segments)
    return {
      async programEnded() {
        await write?.()
        return undefined
      },
    }
  },
}
