import { junitOf } from '../../inspect/exports/run-junit.ts'
import { readCases, readSeen } from '../read-run.ts'
import { droppedSentence, gatherSegments } from './gather-segments.ts'
import { plainWords } from './plain-words.ts'
import type { RunPartMaker } from './run-part.ts'
import { prepareFile, writeWhole } from './written-file.ts'

/** `--junit FILE`: the sign-ins and deliveries of the run as test cases. */
export const junitPart: RunPartMaker = {
  isWanted: ({ junit }) => junit !== undefined,
  startOptions({ junit = '' }) {
    prepareFile('--junit', junit)
    return {}
  },
  async begin(run) {
    const { command, connection, isOwn, options } = run
    const { junit = '' } = options
    const startedAt = new Date()
    const seen = isOwn ? undefined : await readSeen(connection.call)
    const gathered = gatherSegments(run, async ({ call, inherited }) => {
      const cases = await readCases(call, seen ?? inherited)
      return cases.length === 0 ? undefined : cases
    })
    return {
      async programEnded() {
        const seconds = (Date.now() - startedAt.getTime()) / 1000
        const head = {
          name: plainWords(command).join(' '),
          startedAt: startedAt.toISOString(),
          seconds,
        }
        const { segments, dropped } = await gathered()
        const cases = segments.flatMap(({ content }) => content)
        await writeWhole(junit, junitOf(head, cases))
        if (dropped > 0) run.print(droppedSentence(junit, dropped))
        return undefined
      },
    }
  },
}
