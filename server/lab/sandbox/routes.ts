import type { FastifyPluginAsync } from 'fastify'
import type { ControlPart } from '../../contract/control-call.ts'
import type { FixturesFile } from '../../contract/fixtures-types.ts'
import type { Comparison, ResetComparison } from '../../contract/control-comparison.ts'
import { compareFixtures } from '../../fixtures/compare.ts'
import { countCommitsBeyond } from '../../fixtures/count-commits.ts'
import type { Snapshots } from '../../fixtures/snapshots/snapshots.ts'
import {
  importFixtures,
  snapshotAsFixtures,
  withKept,
} from '../../fixtures/snapshots/snapshot-fixtures.ts'
import { exportFixtures, withoutSigningKey } from '../../fixtures/export-fixtures.ts'
import type { ServerDeps } from '../server-deps.ts'
import { control, type ControlRoutes } from '../../web/control-route.ts'
import { sendJson } from '../../web/send-json.ts'
import type { SharedFiles } from '../../fixtures/kinds/export-repo.ts'
import type { KeptSandbox } from '../../store/objects/kept-sandbox.ts'
import { setImmediate } from '../../core/timers.ts'

export const fixturesRoutes: ControlRoutes<ServerDeps> = async (app, { deps }) => {
  control(app, 'GET fixtures', async () => withoutSigningKey(deps.fixtures()))

  control(app, 'POST fixtures/compare', ({ body }) =>
    deps.oneAtATime.run(async () => {
      const { kept } = await importFixtures(deps, body.fixtures)
      return compareWithPresent(deps, kept)
    }),
  )

  control(app, 'GET export', async ({ query }, reply) =>
    sendJson(reply, await deps.oneAtATime.run(() => exportOf(deps, query))),
  )

  control(app, 'GET reset/comparison', () =>
    deps.oneAtATime.run(async () => compareFixturesWithPresent(deps)),
  )

  control(app, 'POST reset', async () => deps.segments.endBefore(() => deps.reset()))

  control(app, 'POST stop', async (_request, reply) => {
    // The response is sent before the sandbox stops.
    reply.raw.once('finish', () => setImmediate(() => deps.requestStop()))
    return { status: 'stopping' as const, pid: process.pid }
  })
}

export const snapshotRoutes: FastifyPluginAsync<{
  deps: ServerDeps
  snapshots: Snapshots
}> = async (app, { deps, snapshots }) => {
  control(app, 'GET snapshots', async () => ({ items: await snapshots.list() }))

  control(app, 'POST snapshots', ({ body }) =>
    deps.oneAtATime.run(async () => {
      const { name, fixtures } = body ?? {}
      if (fixtures === undefined) return { name: await snapshots.create(name) }
      const { kept, notices } = await importFixtures(deps, fixtures)
      const made = { name: await snapshots.keep(name, kept) }
      return notices.length === 0 ? made : { ...made, notices }
    }),
  )

  control(app, 'GET snapshots/:name', async ({ params: { name } }, reply) => {
    const file = await deps.oneAtATime.run(async () =>
      snapshotAsFixtures(deps, await snapshots.read(name)),
    )
    return sendJson(reply, file)
  })

  control(app, 'GET snapshots/:name/comparison', (request) =>
    deps.oneAtATime.run(async () =>
      compareWithPresent(deps, await snapshots.read(request.params.name)),
    ),
  )

  control(app, 'POST snapshots/:name/restore', async (request) =>
    snapshots.restore(request.params.name),
  )

  control(app, 'DELETE snapshots/:name', async (request) => {
    await snapshots.remove(request.params.name)
    return {}
  })
}

async function exportOf(
  deps: ServerDeps,
  { log, command, exitCode }: ControlPart<'GET export', 'query'>,
): Promise<FixturesFile> {
  const file = exportFixtures(deps, deps.fixtures())
  if (log !== '1') return file
  // Imported on use, since few requests need it.
  const { withLog } = await import('../../fixtures/log/export-log.ts')
  const shown = deps.recordedRun.describe()
  const facts = {
    command: command ?? shown?.command,
    exitCode: exitCode ?? shown?.exitCode,
    ids: deps.captureState().ids,
  }
  return withLog(deps, file, facts)
}

function compareFixturesWithPresent(deps: ServerDeps): ResetComparison {
  const kept = deps.stageFixtures()
  const { things } = compareWithPresent(deps, kept)
  return { things, commits: withKept(deps, kept, (fresh) => countCommitsBeyond(deps, fresh)) }
}

function compareWithPresent(deps: ServerDeps, kept: KeptSandbox): Comparison {
  const { state, objects, clock } = deps
  const sharedFiles: SharedFiles = new Map()
  const there = snapshotAsFixtures(deps, kept, sharedFiles)
  const here = exportFixtures({ state, objects, clock }, deps.fixtures(), sharedFiles)
  return compareFixtures(there, here)
}
