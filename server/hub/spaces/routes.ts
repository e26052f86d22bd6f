import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import { dateOf } from '../../core/time.ts'
import { permit } from '../access/access.ts'
import { searchSpaces } from './search-spaces.ts'
import { spaceLog } from './space-logs.ts'
import { zeroGpuQuota } from './zero-gpu-quota.ts'
import { cardReader } from '../http/read-card.ts'
import {
  deleteSpaceSecret,
  deleteSpaceVariable,
  setSpaceSecret,
  setSpaceVariable,
  toldSecrets,
  toldVariables,
} from './space-environment.ts'
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
} from './space-machine.ts'
import { spaceSubdomain } from '../files/repo-names.ts'
import { isStaticSpace, readSpaceMetadata, spaceHost } from '../repos/space-sdk.ts'
import { spaceHardware } from '../jobs/hardware.ts'
import { registerHubErrors } from '../http/hub-errors.ts'
import { registerPrincipal, signedIn } from '../http/principal-of-request.ts'
import { registerRepoOfRoute } from '../http/repo-of-route.ts'
import { noteSecret } from '../http/secret-values.ts'
import { hub } from '../http/hub-route.ts'
import type { HubServices } from '../services.ts'

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

  hub(app, 'GET /api/spaces/:namespace/:name/logs/:kind', ({ repo, params, query }, reply) =>
    reply
      .type('text/event-stream')
      .header('cache-control', 'no-cache')
      // The Python client treats lines later than this date as being printed just now.
      .header('date', dateOf(deps.clock.now()).toUTCString())
      .send(spaceLog(deps, repo, params.kind, query.tail)),
  )

  hub(app, 'GET /api/spaces/:namespace/:name/events', ({ repo }, reply) =>
    sendEvents(reply, `data: ${JSON.stringify(spaceRuntime(deps, repo))}\n\n`),
  )
  hub(app, 'GET /api/spaces/:namespace/:name/metrics', (_request, reply) =>
    sendEvents(reply, ': hub-sandbox runs no Spaces\n\n'),
  )

  hub(app, 'GET /api/spaces/:namespace/:name/host', ({ repo }) => {
    const isStatic = isStaticSpace(repo, readSpaceMetadata(deps, repo))
    return { subdomain: spaceSubdomain(repo.name), host: `https://${spaceHost(repo, isStatic)}` }
  })

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
    toldVariables(setSpaceVariable(deps, { value: '', ...request.body, ...ofRequest(request) })),
  )

  hub(app, 'DELETE /api/spaces/:namespace/:name/variables', (request) =>
    toldVariables(deleteSpaceVariable(deps, { ...request.body, ...ofRequest(request) })),
  )

  hub(app, 'GET /api/spaces/:namespace/:name/secrets', ({ repo }) => toldSecrets(repo))

  hub(
    app,
    'POST /api/spaces/:namespace/:name/secrets',
    (request) => {
      setSpaceSecret(deps, { value: '', ...request.body, ...ofRequest(request) })
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

/** Clients of server-sent events connect again after this time. */
const reconnectMs = 5000

/** Sends server-sent events and ends; the client comes back for later ones. */
function sendEvents(reply: FastifyReply, events: string): FastifyReply {
  return reply
    .type('text/event-stream')
    .header('cache-control', 'no-cache')
    .send(`retry: ${reconnectMs}\n${events}`)
}
