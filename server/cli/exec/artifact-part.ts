import { escapeControls } from '../../core/terminal-text.ts'
import { randomUUID } from 'node:crypto'
import { resolve } from 'node:path'
import type { FixturesFile, LogFixture } from '../../contract/fixtures-types.ts'
import { ownCommand } from '../../app/config/own-command.ts'
import { commandText } from '../../core/shell-words.ts'
import { joinLogs, type LogSegment } from '../../fixtures/log/join-logs.ts'
import type { SegmentSource } from '../../inspect/log/log-segments.ts'
import { CommandError } from '../command-error.ts'
import { gatherSegments } from './gather-segments.ts'
import { plainWords } from './plain-words.ts'
import { reportOfFile } from './report-of-file.ts'
import type { RunPartMaker } from './run-part.ts'
import { prepareFolder, writeWhole } from './written-file.ts'

/** Longer values are cut off: the URL of the request has the rest. */
const longestCommand = 1000
/** Limit for the logs: a fixtures file has at most 64 MiB, the state included. */
const mostBytes = 40 * 1024 * 1024
/** Larger files are not indented: people do not read them, and this saves a third. */
const longestIndented = 4 * 1024 * 1024

/** `--artifact DIR`: state and log of the run, as a file for a sandbox and the desktop app, and as an HTML file. */
export const artifactPart: RunPartMaker = {
  isWanted: ({ artifact, artifactWhen }) => artifact !== undefined || artifactWhen !== undefined,
  startOptions({ artifact }) {
    if (artifact === undefined) {
      throw new CommandError('--artifact-when requires --artifact DIR.', { exitCode: 2 })
    }
    prepareFolder('--artifact', artifact)
    return {}
  },
  async begin(run) {
    const { command, connection, options } = run
    const { artifact = '', artifactWhen } = options
    const gathered = gatherSegments<LogSegment>(run, readSegment, mostBytes)
    return {
      async programEnded({ exitCode }) {
        if (exitCode === 0 && artifactWhen !== 'always') return undefined
        const query = {
          log: '1',
          command: commandText(command).slice(0, longestCommand),
          exitCode,
        } as const
        const last = await connection.call('GET export', { query })
        const { segments, dropped } = await gathered()
        const logs = segments.map(({ content }) => content)
        const file = hasLog(last) && logs.length > 1 ? joinLogs(last, logs, dropped) : last
        const path = resolve(artifact, nameOf(command, new Date()))
        const text = JSON.stringify(file)
        const isShort = text.length <= longestIndented
        const written = isShort ? JSON.stringify(file, undefined, 2) : text
        await writeWhole(path, `${escapeControls(written)}\n`)
        const page = path.replace(/\.hubsandbox$/, '.html')
        await writeWhole(page, await reportOfFile(path))
        run.print(`Open the artifact of this run: ${openCommand(path)}`)
        run.print(`Or read it in a browser: ${page}`)
        return undefined
      },
    }
  },
}

const hasLog = (file: FixturesFile): file is FixturesFile & { log: LogFixture } =>
  file.log !== undefined

async function readSegment({ call, inherited }: SegmentSource): Promise<LogSegment | undefined> {
  const { log } = await call('GET export', { query: { log: '1' } })
  const isEmpty = log?.requests?.length === 0 && log.records?.deliveries === undefined
  return isEmpty ? undefined : { log: log as LogFixture, inherited: [...inherited] }
}

function openCommand(path: string): string {
  return commandText([...ownCommand(), 'start', '--fixtures', path, '--ephemeral'])
}

/** Time, command and a random part. */
function nameOf(command: readonly string[], at: Date): string {
  const time = at.toISOString().slice(0, 19).replaceAll(/[-:]/g, '').replace('T', '-')
  const what = plainWords(command).join('-').replaceAll(':', '-')
  return `${time}-${what}-${randomUUID().slice(0, 8)}.hubsandbox`
}
