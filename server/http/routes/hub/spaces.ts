import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { OneOf } from '../../../contract/one-of.ts'
import { spaceLogKinds } from '../../../contract/words/hub.ts'
import { dateOf } from '../../../core/time.ts'
import { permit } from '../../../hub/access/access.ts'
import { searchSpaces } from '../../../hub/spaces/search-spaces.ts'
import { spaceLog } from '../../../hub/spaces/space-logs.ts'
import { zeroGpuQuota } from '../../../hub/spaces/zero-gpu-quota.ts'
import { cardReader } from '../../read-card.ts'
import {
  SpaceDevModeBody,
  SpaceHardwareBody,
  SpaceKeyBody,
  SpaceRestartQuery,
  SpaceSearchQuery,
  SpaceSecretBody,
  SpaceSleepTimeBody,
  SpaceStorageBody,
  SpaceVariableBody,
  SpaceVolumesBody,
} from '../../../contract/hub-repos.ts'
import {
  deleteSpaceSecret,
  deleteSpaceVariable,
  setSpaceSecret,
  setSpaceVariable,
  toldSecrets,
  toldVariables,
} from '../../../hub/spaces/space-environment.ts'
import {
  deleteStorage,
  deleteVolumes,
  pauseSpace,
  requestHardware,
  requestStorage,
  restartSpace,
  setDevMode,
  setSleepTime,
  setVolumes,
  spaceRuntime,
} from '../../../hub/spaces/space-machine.ts'
import { spaceHardware } from '../../../hub/jobs/hardware.ts'
import { registerHubErrors } from '../../plugins/hub-errors.ts'
import { registerPrincipal, signedIn } from '../../plugins/principal.ts'
import { registerRepoOfRoute, repoParams, spaceApiRoute } from '../../plugins/repo-of-route.ts'
import { noteSecret } from '../../plugins/secret-values.ts'
import type { HubServices } from '../../hub-services.ts'

const tags = ['spaces']
const { namespace, name } = repoParams.properties
const params = Type.Object({ namespace, name })
const ofSpace = { repoType: 'space' as const }

/** Hardware and environment of Spaces. */
export const spaceRoutes: FastifyPluginAsyncTypebox<{ deps: HubServices }> = async (
  app,
  { deps },
) => {
  registerHubErrors(app)
  registerPrincipal(app, deps)
  registerRepoOfRoute(app, deps)
  const reads = { config: { ...ofSpace, repoAction: 'repo.read' as const } }
  const changes = { config: { ...ofSpace, repoAction: 'repo.settings' as const } }
  const setsSecret = { config: { ...changes.config, noteBody: noteSecret } }

  app.get(
    '/api/spaces/hardware',
    {
      config: { actions: ['hub.facts'] },
      schema: { summary: 'List the hardware of Spaces', tags },
    },
    () => spaceHardware,
  )

  app.get(
    '/api/spaces/templates',
    {
      config: { actions: ['hub.facts'] },
      schema: { summary: 'List the templates of Spaces', tags },
    },
    () => ({ templates: [] }),
  )

  app.get(
    '/api/spaces/zero-gpu/quota',
    {
      config: { actions: ['billing.read'], needsUser: true },
      schema: { summary: 'Get the ZeroGPU quota', tags },
    },
    (request) => {
      permit(deps, request.principal, { action: 'billing.read' })
      return zeroGpuQuota(deps, signedIn(request).user)
    },
  )

  app.get(
    '/api/spaces/semantic-search',
    {
      config: { actions: ['repo.read'] },
      schema: { summary: 'Search Spaces', tags, querystring: SpaceSearchQuery },
    },
    async ({ principal, query }) => {
      const readCard = await cardReader()
      return searchSpaces(deps, principal, { query, readCard })
    },
  )

  app.get(
    `${spaceApiRoute}/logs/:kind`,
    {
      ...changes,
      schema: {
        summary: 'Get the log of a Space as server-sent events',
        tags,
        params: Type.Object({
          ...params.properties,
          kind: OneOf(spaceLogKinds, 'Log of the build or of the run'),
        }),
      },
    },
    ({ repo, params: { kind } }, reply) =>
      reply
        .type('text/event-stream')
        .header('cache-control', 'no-cache')
        // The Python client treats lines later than this date as being printed just now.
        .header('date', dateOf(deps.clock.now()).toUTCString())
        .send(spaceLog(deps, repo, kind)),
  )

  app.get(
    `${spaceApiRoute}/runtime`,
    { ...reads, schema: { summary: 'Get the runtime of a Space', tags, params } },
    ({ repo }) => spaceRuntime(deps, repo),
  )

  app.post(
    `${spaceApiRoute}/hardware`,
    { ...changes, schema: { summary: 'Request hardware', tags, params, body: SpaceHardwareBody } },
    ({ repo, body }) => requestHardware(deps, repo, body),
  )

  app.post(
    `${spaceApiRoute}/sleeptime`,
    {
      ...changes,
      schema: { summary: 'Set the sleep time of a Space', tags, params, body: SpaceSleepTimeBody },
    },
    ({ repo, body }) => setSleepTime(deps, repo, body.seconds),
  )

  app.post(
    `${spaceApiRoute}/pause`,
    { ...changes, schema: { summary: 'Pause a Space', tags, params } },
    ({ repo }) => pauseSpace(deps, repo),
  )

  app.post(
    `${spaceApiRoute}/restart`,
    {
      ...changes,
      schema: { summary: 'Restart a Space', tags, params, querystring: SpaceRestartQuery },
    },
    ({ repo }) => restartSpace(deps, repo),
  )

  app.post(
    `${spaceApiRoute}/dev-mode`,
    { ...changes, schema: { summary: 'Set the dev mode', tags, params, body: SpaceDevModeBody } },
    ({ repo, body }) => setDevMode(deps, repo, body.enabled),
  )

  app.post(
    `${spaceApiRoute}/storage`,
    { ...changes, schema: { summary: 'Request storage', tags, params, body: SpaceStorageBody } },
    ({ repo, body }) => requestStorage(deps, repo, body.tier),
  )

  app.delete(
    `${spaceApiRoute}/storage`,
    { ...changes, schema: { summary: 'Delete the storage', tags, params } },
    ({ repo }) => deleteStorage(deps, repo),
  )

  app.put(
    `${spaceApiRoute}/volumes`,
    { ...changes, schema: { summary: 'Set volumes', tags, params, body: SpaceVolumesBody } },
    ({ repo, body }) => setVolumes(deps, repo, body.volumes),
  )

  app.delete(
    `${spaceApiRoute}/volumes`,
    { ...changes, schema: { summary: 'Delete the volumes', tags, params } },
    ({ repo }) => deleteVolumes(deps, repo),
  )

  app.get(
    `${spaceApiRoute}/variables`,
    { ...changes, schema: { summary: 'List variables', tags, params } },
    ({ repo }) => toldVariables(repo),
  )

  app.post(
    `${spaceApiRoute}/variables`,
    { ...changes, schema: { summary: 'Set a variable', tags, params, body: SpaceVariableBody } },
    (request) => toldVariables(setSpaceVariable(deps, { ...request.body, ...ofRequest(request) })),
  )

  app.delete(
    `${spaceApiRoute}/variables`,
    { ...changes, schema: { summary: 'Delete a variable', tags, params, body: SpaceKeyBody } },
    (request) =>
      toldVariables(deleteSpaceVariable(deps, { ...request.body, ...ofRequest(request) })),
  )

  app.get(
    `${spaceApiRoute}/secrets`,
    { ...changes, schema: { summary: 'List secrets, without values', tags, params } },
    ({ repo }) => toldSecrets(repo),
  )

  app.post(
    `${spaceApiRoute}/secrets`,
    { ...setsSecret, schema: { summary: 'Set a secret', tags, params, body: SpaceSecretBody } },
    (request) => {
      setSpaceSecret(deps, { ...request.body, ...ofRequest(request) })
      return {}
    },
  )

  app.delete(
    `${spaceApiRoute}/secrets`,
    { ...setsSecret, schema: { summary: 'Delete a secret', tags, params, body: SpaceKeyBody } },
    (request) => {
      deleteSpaceSecret(deps, { ...request.body, ...ofRequest(request) })
      return {}
    },
  )
}

/** Returns the Space and the user who changes it. */
function ofRequest(request: FastifyRequest) {
  return { repo: request.repo, actorId: signedIn(request).user.id }
}
