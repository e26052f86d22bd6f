import type { FastifyPluginAsync, FastifyRequest } from 'fastify'
import { dateOf } from '../../../core/time.ts'
import { permit } from '../../../hub/access/access.ts'
import { searchSpaces } from '../../../hub/spaces/search-spaces.ts'
import { spaceLog } from '../../../hub/spaces/space-logs.ts'
import { zeroGpuQuota } from '../../../hub/spaces/zero-gpu-quota.ts'
import { cardReader } from '../../read-card.ts'
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
import { registerRepoOfRoute } from '../../plugins/repo-of-route.ts'
import { noteSecret } from '../../plugins/secret-values.ts'
import { hub } from './endpoint.ts'
import type { HubServices } from '../../hub-services.ts'

/** Hardware and environment of Spaces. */
export const spaceRoutes: FastifyPluginAsync<{ deps: HubServices }> = async (app, { deps }) => {
  registerHubErrors(app)
  registerPrincipal(app, deps)
  registerRepoOfRoute(app, deps)

  hub(app, 'GET /api/spaces/hardware', () => spaceHardware)

  hub(app, 'GET /api/spaces/templates', () => ({ templates: [] }))

  hub(app, 'GET /api/spaces/zero-gpu/quota', (request) => {
    permit(deps, request.principal, { action: 'billing.read' })
    return zeroGpuQuota(deps, signedIn(request).user)
  })

  hub(app, 'GET /api/spaces/semantic-search', async ({ principal, query }) => {
    const readCard = await cardReader()
    return searchSpaces(deps, principal, { query, readCard })
  })

  hub(app, 'GET /api/spaces/:namespace/:name/logs/:kind', ({ repo, params: { kind } }, reply) =>
    reply
      .type('text/event-stream')
      .header('cache-control', 'no-cache')
      // The Python client treats lines later than this date as being printed just now.
      .header('date', dateOf(deps.clock.now()).toUTCString())
      .send(spaceLog(deps, repo, kind)),
  )

  hub(app, 'GET /api/spaces/:namespace/:name/runtime', ({ repo }) => spaceRuntime(deps, repo))

  hub(app, 'POST /api/spaces/:namespace/:name/hardware', ({ repo, body }) =>
    requestHardware(deps, repo, body),
  )

  hub(app, 'POST /api/spaces/:namespace/:name/sleeptime', ({ repo, body }) =>
    setSleepTime(deps, repo, body.seconds),
  )

  hub(app, 'POST /api/spaces/:namespace/:name/pause', ({ repo }) => pauseSpace(deps, repo))

  hub(app, 'POST /api/spaces/:namespace/:name/restart', ({ repo }) => restartSpace(deps, repo))

  hub(app, 'POST /api/spaces/:namespace/:name/dev-mode', ({ repo, body }) =>
    setDevMode(deps, repo, body.enabled),
  )

  hub(app, 'POST /api/spaces/:namespace/:name/storage', ({ repo, body }) =>
    requestStorage(deps, repo, body.tier),
  )

  hub(app, 'DELETE /api/spaces/:namespace/:name/storage', ({ repo }) => deleteStorage(deps, repo))

  hub(app, 'PUT /api/spaces/:namespace/:name/volumes', ({ repo, body }) =>
    setVolumes(deps, repo, body.volumes),
  )

  hub(app, 'DELETE /api/spaces/:namespace/:name/volumes', ({ repo }) => deleteVolumes(deps, repo))

  hub(app, 'GET /api/spaces/:namespace/:name/variables', ({ repo }) => toldVariables(repo))

  hub(app, 'POST /api/spaces/:namespace/:name/variables', (request) =>
    toldVariables(setSpaceVariable(deps, { ...request.body, ...ofRequest(request) })),
  )

  hub(app, 'DELETE /api/spaces/:namespace/:name/variables', (request) =>
    toldVariables(deleteSpaceVariable(deps, { ...request.body, ...ofRequest(request) })),
  )

  hub(app, 'GET /api/spaces/:namespace/:name/secrets', ({ repo }) => toldSecrets(repo))

  hub(
    app,
    'POST /api/spaces/:namespace/:name/secrets',
    (request) => {
      setSpaceSecret(deps, { ...request.body, ...ofRequest(request) })
      return {}
    },
    { config: { noteBody: noteSecret } },
  )

  hub(
    app,
    'DELETE /api/spaces/:namespace/:name/secrets',
    (request) => {
      deleteSpaceSecret(deps, { ...request.body, ...ofRequest(request) })
      return {}
    },
    { config: { noteBody: noteSecret } },
  )
}

/** Returns the Space and the user who changes it. */
function ofRequest(request: FastifyRequest) {
  return { repo: request.repo, actorId: signedIn(request).user.id }
}
