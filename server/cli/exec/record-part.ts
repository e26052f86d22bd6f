import type { Fixtures } from '../../contract/fixtures-types.ts'
import { packageVersion } from '../../core/package-root.ts'
import { omitUndefined } from '../../core/omit-undefined.ts'
import { commandText } from '../../core/shell-words.ts'
import { CommandError } from '../command-error.ts'
import { oneLine } from '../../core/terminal-text.ts'
import {
  droppedSentence,
  type Gathered,
  gatherSegments,
  type RunSegment,
} from './gather-segments.ts'
import { readRequestIds, readRequests } from './record/collect.ts'
import { compareRuns, type RunDifference } from './record/compare-runs.ts'
import { readRecord, type RecordedRequest, type RunRecord } from './record/run-record.ts'
import type { Run, RunPartMaker } from './run-part.ts'
import { prepareFile, writeWhole } from './written-file.ts'

/** `--record FILE`: every request of the run, to compare later ones with. */
export const recordPart: RunPartMaker = {
  isWanted: ({ record }) => record !== undefined,
  startOptions({ record = '', compare }) {
    if (compare !== undefined) {
      throw new CommandError(
        '--record and --compare cannot be combined: record one run, then compare another.',
        {
          exitCode: 2,
        },
      )
    }
    prepareFile('--record', record)
    return {}
  },
  async begin(run) {
    const { record = '' } = run.options
    const gathered = await gatherRequests(run)
    return {
      async programEnded() {
        const fixtures = await run.connection.call('GET fixtures')
        const recorded = await takeRecord(run, fixtures, gathered)
        await writeWhole(record, `${JSON.stringify(recorded, undefined, 2)}\n`)
        return undefined
      },
    }
  },
}

/** `--compare FILE`: the run fails if a request differs from the recording. */
export const comparePart: RunPartMaker = {
  isWanted: ({ compare }) => compare !== undefined,
  async startOptions({ compare = '' }) {
    // Validated before the start; read again when it is needed.
    await readRecord(compare)
    return {}
  },
  async begin(run) {
    const { compare = '' } = run.options
    const record = await readRecord(compare)
    const gathered = await gatherRequests(run)
    return {
      async programEnded() {
        const fixtures = await run.connection.call('GET fixtures')
        const came = await takeRecord(run, fixtures, gathered)
        const difference = compareRuns(record.requests, came.requests, {
          fixed: textsOf(fixtures),
          isSeeded: record.seed !== undefined && record.seed === came.seed,
        })
        for (const line of describe(difference, compare, came.requests.length)) run.print(line)
        return difference === undefined ? undefined : 1
      },
    }
  },
}

type GatheredRequests = () => Promise<Gathered<RecordedRequest[]>>

async function gatherRequests(run: Run): Promise<GatheredRequests> {
  const before = new Set(run.isOwn ? [] : await readRequestIds(run.connection.call))
  return gatherSegments(run, async ({ call }) => {
    const requests = await readRequests(call, before)
    return requests.length === 0 ? undefined : requests
  })
}

async function takeRecord(
  run: Run,
  { config }: Fixtures,
  gathered: GatheredRequests,
): Promise<RunRecord> {
  const given = run.options.seed ?? process.env['HUB_SANDBOX_SEED']
  const seed = given === undefined || given === '' ? config.seed : Number(given)
  const { segments, dropped } = await gathered()
  if (dropped > 0) run.print(droppedSentence('The recording', dropped))
  return {
    hubSandboxRecord: 1,
    madeBy: packageVersion,
    command: commandText(run.command),
    ...omitUndefined({ seed }),
    requests: numbered(segments),
  }
}

/** Requests with the number of their segment, counted for each sandbox of the run; number 1 is omitted. */
function numbered(segments: readonly RunSegment<RecordedRequest[]>[]): RecordedRequest[] {
  const counts = new Map<number | undefined, number>()
  return segments.flatMap(({ fork, content }) => {
    const segment = (counts.get(fork) ?? 0) + 1
    counts.set(fork, segment)
    const place = { ...(segment > 1 ? { segment } : {}), ...omitUndefined({ fork }) }
    return content.map(({ lane, ...request }) => ({ lane, ...place, ...request }))
  })
}

/** Every string of the fixtures: these ids are the same in every run. */
function textsOf(fixtures: Fixtures): ReadonlySet<string> {
  const texts = new Set<string>()
  JSON.stringify(fixtures, (_key, value: unknown) => {
    if (typeof value === 'string') texts.add(value)
    return value
  })
  return texts
}

/** Shortens a value for one line of the terminal. */
const shownLength = 200

function show(value: unknown): string {
  return cut(value === undefined ? 'nothing' : JSON.stringify(value))
}

const cut = (text: string) =>
  oneLine(text.length > shownLength ? `${text.slice(0, shownLength)}…` : text)

function describe(difference: RunDifference | undefined, file: string, count: number): string[] {
  if (difference === undefined) {
    return [`The run matches ${file}: ${count} ${count === 1 ? 'request' : 'requests'}.`]
  }
  const { recordedAs, cameAs, request, what, before, now, why } = difference
  const { method, path, lane } = request
  // The lane of an unknown caller is the path.
  const who = lane.startsWith('/') ? '' : ` (${cut(lane)})`
  const name = `${cut(`${method} ${path}`)}${who}`
  if (cameAs === undefined) {
    return [`The run differs from ${file}: request ${recordedAs} is missing: ${name}.`]
  }
  if (recordedAs === undefined) {
    return [`The run differs from ${file}: request ${cameAs} is not in the recording: ${name}.`]
  }
  return [
    `The run differs from ${file} in request ${cameAs} (${recordedAs} in the recording): ${name}`,
    `  ${oneLine(what ?? '')}: ${show(before)} before, ${show(now)} now${why === undefined ? '' : ` (${oneLine(why)})`}`,
  ]
}
