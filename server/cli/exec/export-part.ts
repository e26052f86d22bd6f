import { escapeControls } from '../../core/terminal-text.ts'
import { leftOutLines } from '../../contract/left-out.ts'
import type { RunPartMaker } from './run-part.ts'
import { prepareFile, writeWhole } from './written-file.ts'

/** `--export-on-exit FILE`: the final state as a fixtures file. */
export const exportPart: RunPartMaker = {
  isWanted: ({ exportOnExit }) => exportOnExit !== undefined,
  startOptions({ exportOnExit = '' }) {
    prepareFile('--export-on-exit', exportOnExit)
    return {}
  },
  async begin({ connection, options: { exportOnExit = '' }, ...run }) {
    return {
      async programEnded() {
        const fixtures = await connection.call('GET export')
        await writeWhole(
          exportOnExit,
          `${escapeControls(JSON.stringify(fixtures, undefined, 2))}\n`,
        )
        for (const line of leftOutLines(fixtures)) run.print(line)
        return undefined
      },
    }
  },
}
