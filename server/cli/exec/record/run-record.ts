import { type Static, Type } from 'typebox'
import { ownCommand } from '../../../app/config/own-command.ts'
import { largestFileBytes } from '../../../contract/fixtures/limits.ts'
import { messageOf } from '../../../core/background.ts'
import type { JsonSchema } from '../../../core/json-schema.ts'
import { commandText } from '../../../core/shell-words.ts'
import { readUserText, UserFileError } from '../../../core/user-file.ts'
import { checkShape } from '../../../core/shape.ts'
import { CommandError } from '../../command-error.ts'

const text = (description: string) => Type.String({ description })

/** Any JSON value of a request or response. */
const Anything = Type.Optional(Type.Unsafe<unknown>({}))

const RecordedRequest = Type.Object(
  {
    lane: Type.String({
      description: 'Caller: requests of one lane are ordered, those of different lanes are not',
    }),
    segment: Type.Optional(
      Type.Integer({
        minimum: 1,
        description: 'Segment of the log: a reset or restore starts a new one (default: 1)',
      }),
    ),
    fork: Type.Optional(
      Type.Integer({
        minimum: 1,
        description: 'Number of the fork that received it; absent = the sandbox of the run',
      }),
    ),
    method: text('HTTP method'),
    path: text('Path and query, secrets masked'),
    body: Anything,
    authorization: Type.Optional(text('Scheme of the `Authorization` header')),
    status: Type.Integer({ minimum: 0, maximum: 999, description: 'HTTP status' }),
    error: Type.Optional(text('Error code of the response')),
    location: Type.Optional(text('Redirect target')),
    answer: Anything,
  },
  { additionalProperties: false, description: 'A request and its response' },
)
/** Request and response, secrets masked; bodies only if they are forms or JSON. */
export type RecordedRequest = Static<typeof RecordedRequest>

const RunRecord = Type.Object(
  {
    hubSandboxRecord: Type.Literal(1, { description: 'Version of this format' }),
    madeBy: text('Version of the sandbox'),
    command: text('Command'),
    seed: Type.Optional(Type.Integer({ description: 'Seed of ids, codes and tokens' })),
    requests: Type.Array(RecordedRequest, {
      description: 'In the order in which they were received',
    }),
  },
  { additionalProperties: false, description: 'Recording of `exec --record`' },
)
/** Format that `exec --record` writes and `exec --compare` reads. */
export type RunRecord = Static<typeof RunRecord>

/**
 * Reads a recording.
 * @throws {CommandError} with exit code 2 if the file is not a recording
 */
export async function readRecord(file: string): Promise<RunRecord> {
  const refuse = (problem: string) =>
    new CommandError(
      `--compare: ${file} ${problem}. Create a recording with: ${commandText([...ownCommand(), 'exec', '--record', file, '--', 'COMMAND'])}`,
      { exitCode: 2 },
    )
  let value: unknown
  try {
    value = JSON.parse(await readUserText(file, largestFileBytes))
  } catch (error) {
    throw refuse(
      `cannot be read (${error instanceof UserFileError ? `it ${error.message}` : messageOf(error)})`,
    )
  }
  const [issue] = checkShape(RunRecord as JsonSchema, value)
  if (issue !== undefined) throw refuse(`is not a recording: ${issue.path} ${issue.message}`.trim())
  return value as RunRecord
}
