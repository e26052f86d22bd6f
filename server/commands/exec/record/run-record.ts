import { readFile } from 'node:fs/promises'
import { type Static, Type } from 'typebox'
import { ownCommand } from '../../../config/own-command.ts'
import { messageOf } from '../../../core/background.ts'
import type { JsonSchema } from '../../../core/json-schema.ts'
import { commandText } from '../../../core/shell-words.ts'
import { checkShape } from '../../../fixtures/check/shape.ts'
import { CommandError } from '../../command-error.ts'

const text = (description: string) => Type.String({ description })

/** Anything that JSON has: what a program sent, and what it was answered. */
const Anything = Type.Optional(Type.Unsafe<unknown>({}))

const RecordedRequest = Type.Object(
  {
    lane: Type.String({
      description: 'Who asks: in one lane the order counts, between two it is a matter of chance',
    }),
    segment: Type.Optional(
      Type.Integer({
        minimum: 1,
        description:
          'Segment of the log that it is in: a reset or a restore begins a new one (default: 1)',
      }),
    ),
    fork: Type.Optional(
      Type.Integer({
        minimum: 1,
        description: 'Number of the fork that it was sent to; absent = the sandbox of the run',
      }),
    ),
    method: text('HTTP method'),
    path: text('Path and query, secrets masked'),
    body: Anything,
    authorization: Type.Optional(text('Scheme of the `Authorization` header')),
    status: Type.Integer({ minimum: 0, maximum: 999, description: 'HTTP status' }),
    error: Type.Optional(text('Error code of the answer')),
    location: Type.Optional(text('Where it leads on')),
    answer: Anything,
  },
  { additionalProperties: false, description: 'A request and what came of it' },
)
/** A request and what came of it, secrets masked; bodies only where they are forms or JSON. */
export type RecordedRequest = Static<typeof RecordedRequest>

const RunRecord = Type.Object(
  {
    hubSandboxRecord: Type.Literal(1, { description: 'Version of this format' }),
    madeBy: text('Version of the sandbox'),
    command: text('What was run'),
    seed: Type.Optional(Type.Integer({ description: 'What ids, codes and tokens followed from' })),
    requests: Type.Array(RecordedRequest, { description: 'In the order in which they came' }),
  },
  { additionalProperties: false, description: 'A record of `exec --record`' },
)
/** What `exec --record` writes and `exec --compare` reads. */
export type RunRecord = Static<typeof RunRecord>

/**
 * Reads a record.
 * @throws {CommandError} with exit code 2 when it is none
 */
export async function readRecord(file: string): Promise<RunRecord> {
  const refuse = (problem: string) =>
    new CommandError(
      `--compare: ${file} ${problem}. Make a record with: ${commandText([...ownCommand(), 'exec', '--record', file, '--', 'COMMAND'])}`,
      { exitCode: 2 },
    )
  let value: unknown
  try {
    value = JSON.parse(await readFile(file, 'utf8'))
  } catch (error) {
    throw refuse(`cannot be read (${messageOf(error)})`)
  }
  const [issue] = checkShape(RunRecord as JsonSchema, value)
  if (issue !== undefined) throw refuse(`is no record: ${issue.path} ${issue.message}`.trim())
  return value as RunRecord
}
