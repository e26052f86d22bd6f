import { junitOf } from '../../requests/exports/junit.ts'
import { readCases, readSeen } from '../read-run.ts'
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
  async begin({ command, connection: { call }, isOwn, options: { junit = '' } }) {
    const startedAt = new Date()
    const seen = isOwn ? undefined : await readSeen(call)
    return {
      async programEnded() {
        const seconds = (Date.now() - startedAt.getTime()) / 1000
        const head = {
          name: plainWords(command).join(' '),
          startedAt: startedAt.toISOString(),
          seconds,
        }
        await writeWhole(junit, junitOf(head, await readCases(call, seen)))
        return undefined
      },
    }
  },
}
