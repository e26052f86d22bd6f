import { Type } from 'typebox'
import { Empty } from '../../../contract/control.ts'
import {
  CreatedSnapshot,
  CreateSnapshotRequest,
  ReplacedState,
  SnapshotList,
} from '../../../contract/control-sandbox.ts'
import type { Fixtures, FixturesFile } from '../../../contract/fixtures-types.ts'
import { createSnapshots } from '../../../fixtures/snapshots/snapshots.ts'
import { exportSnapshot, importFixtures } from '../../../fixtures/snapshots/snapshot-fixtures.ts'
import { exportFixtures, withoutSigningKey } from '../../../fixtures/export/export-fixtures.ts'
import { type ControlRoutes, refusals } from './plugin.ts'

const tags = ['sandbox']

/** Both are described by fixtures.schema.json, which need not be loaded to answer. */
const LoadedFixtures = Type.Unsafe<Fixtures>({
  type: 'object',
  additionalProperties: true,
  description: 'A fixtures file, as fixtures.schema.json has it, with defaults filled in',
})
const ExportedFixtures = Type.Unsafe<FixturesFile>({
  type: 'object',
  additionalProperties: true,
  description: 'A fixtures file, as fixtures.schema.json has it',
})

export const fixturesRoutes: ControlRoutes = async (app, { deps }) => {
  app.get(
    '/fixtures',
    {
      schema: {
        summary: 'What was loaded, secrets included, but not the signing key',
        tags,
        response: { 200: LoadedFixtures, ...refusals },
      },
    },
    async () => withoutSigningKey(deps.fixtures()),
  )

  app.get(
    '/export',
    {
      schema: {
        summary: 'The present state as a fixtures file',
        tags,
        response: { 200: ExportedFixtures, ...refusals },
      },
    },
    async () => exportFixtures(deps, deps.fixtures()),
  )

  app.post(
    '/reset',
    {
      schema: {
        summary: 'Back to the fixtures, completely; snapshots stay',
        tags,
        response: { 200: ReplacedState, ...refusals },
      },
    },
    async () => deps.reset(),
  )
}

export const snapshotRoutes: ControlRoutes = async (app, { deps }) => {
  const snapshots = createSnapshots(deps)
  const params = Type.Object({ name: CreatedSnapshot.properties.name })

  app.get(
    '/snapshots',
    { schema: { summary: 'List snapshots', tags, response: { 200: SnapshotList, ...refusals } } },
    async () => ({ items: await snapshots.list() }),
  )

  app.post(
    '/snapshots',
    {
      schema: {
        summary: 'Keep the whole state under a name, or a fixtures file as one',
        tags,
        body: Type.Optional(CreateSnapshotRequest),
        response: { 201: CreatedSnapshot, ...refusals },
      },
    },
    async ({ body }, reply) => {
      reply.code(201)
      const { name, fixtures } = body ?? {}
      if (fixtures === undefined) return { name: await snapshots.create(name) }
      const { kept, notices } = await importFixtures(deps, fixtures)
      const made = { name: await snapshots.keep(name, kept) }
      return notices.length === 0 ? made : { ...made, notices }
    },
  )

  app.get(
    '/snapshots/:name',
    {
      schema: {
        summary: 'A snapshot as a fixtures file',
        tags,
        params,
        response: { 200: ExportedFixtures, ...refusals },
      },
    },
    async (request) => exportSnapshot(deps, await snapshots.read(request.params.name)),
  )

  app.post(
    '/snapshots/:name/restore',
    {
      schema: {
        summary: 'Go back to a snapshot',
        tags,
        params,
        response: { 200: ReplacedState, ...refusals },
      },
    },
    async (request) => snapshots.restore(request.params.name),
  )

  app.delete(
    '/snapshots/:name',
    {
      schema: { summary: 'Delete a snapshot', tags, params, response: { 200: Empty, ...refusals } },
    },
    async (request) => {
      await snapshots.remove(request.params.name)
      return {}
    },
  )
}
