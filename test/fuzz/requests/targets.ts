import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { resolveOptions } from '../../../server/app/config/resolve.ts'
import type { SandboxOptions } from '../../../server/contract/options-types.ts'
import { checkFixtures } from '../../../server/fixtures/check/check-fixtures.ts'
import { type RunningSandbox, runSandbox } from '../../../server/app/run-sandbox.ts'
import { controlFixtures } from '../../helpers/control.ts'
import { must, target } from '../target.ts'
import { type OpenApiDocument, type Operation, operationsOf } from './operations.ts'
import { playSteps } from './played.ts'
import { connections, playConnection } from './sockets.ts'
import { sequences, type Step } from './steps.ts'
import { playStreamed, type Streamed, streamed } from './streams.ts'

const start = async (options: SandboxOptions = {}) =>
  runSandbox(await resolveOptions({ fixtures: controlFixtures, port: 0, seed: 1, ...options }))

async function readOperations({ app }: RunningSandbox): Promise<Operation[]> {
  const answer = await app.inject('/_sandbox/openapi.json')
  return operationsOf(JSON.parse(answer.body) as OpenApiDocument)
}

async function exported({ app }: RunningSandbox): Promise<unknown> {
  const answer = await app.inject('/_sandbox/api/export')
  must(answer.statusCode === 200, `the export was answered ${answer.statusCode}: ${answer.body}`)
  return JSON.parse(answer.body)
}

/** The exported state of a sandbox starts another one. */
function checkExport(file: unknown): void {
  const checked = checkFixtures(file)
  if ('issues' in checked)
    throw new Error(`its export is refused: ${JSON.stringify(checked.issues)}`)
}

const reset = ({ app }: RunningSandbox) =>
  app.inject({ method: 'POST', url: '/_sandbox/api/reset' })

interface World {
  sandbox: RunningSandbox
  operations: ReadonlyMap<string, Operation>
}

let world: Promise<World> | undefined
const worldOf = () => (world ??= open())

async function open(): Promise<World> {
  const sandbox = await start()
  const operations = await readOperations(sandbox)
  return { sandbox, operations: new Map(operations.map((one) => [one.name, one])) }
}

async function inputs() {
  const { operations } = await worldOf()
  return sequences([...operations.values()])
}

async function close(): Promise<void> {
  await (await world)?.sandbox.close()
  world = undefined
}

/** A check that leaves a sandbox as new: what broke it for one input must not seem to be broken by a smaller one. */
function inWhole<Input>(check: (world: World, input: Input) => Promise<void>) {
  return async (input: Input): Promise<void> => {
    const opened = await worldOf()
    try {
      await check(opened, input)
      await reset(opened.sandbox)
    } catch (error) {
      await close()
      throw error
    }
  }
}

/** Plays a sequence in a sandbox with a data folder, which then is started again. */
async function restart(steps: Step[]): Promise<void> {
  const { operations } = await worldOf()
  const data = await mkdtemp(join(tmpdir(), 'hub-sandbox-fuzz-'))
  try {
    const first = await start({ data })
    let before: unknown
    try {
      await playSteps(first, operations, steps)
      before = await exported(first)
    } finally {
      await first.close()
    }
    const second = await start({ data })
    const after = await exported(second)
    await second.close()
    const [was, is] = [before, after].map((file) => JSON.stringify(withoutClock(file)))
    must(was === is, `after a restart it has ${is?.slice(0, 2000)} and had ${was?.slice(0, 2000)}`)
  } finally {
    await rm(data, { recursive: true, force: true })
  }
}

/** It goes on while the sandbox is down. */
function withoutClock(file: unknown): unknown {
  return { ...(file as object), clock: undefined }
}

/** Requests made from the OpenAPI document, in sequences that use what earlier ones were answered. */
export const requestTargets = [
  target({
    name: 'requests',
    inputs,
    share: 20,
    sample: 150,
    check: inWhole(async ({ sandbox, operations }, steps: Step[]) => {
      await playSteps(sandbox, operations, steps)
      checkExport(await exported(sandbox))
      const log = await sandbox.app.inject('/_sandbox/api/requests.har')
      must(log.statusCode === 200, `the log was answered ${log.statusCode}: ${log.body}`)
    }),
    close,
  }),
  target({
    name: 'connection',
    // Opened before the time begins.
    inputs: async () => {
      await worldOf()
      return connections
    },
    share: 4,
    check: async (parts) => playConnection((await worldOf()).sandbox, parts),
    close,
  }),
  target({
    name: 'stream',
    inputs: async () => {
      await worldOf()
      return streamed
    },
    share: 8,
    sample: 60,
    check: inWhole(({ sandbox }, input: Streamed) => playStreamed(sandbox, input)),
    close,
  }),
  target({ name: 'restart', inputs, share: 8, sample: 8, check: restart, close }),
]
