import type { FastifyPluginAsync } from 'fastify'
import { accessStatuses } from '../../contract/words/hub-words.ts'
import { omitUndefined } from '../../core/omit-undefined.ts'
import { isoTime } from '../../core/time.ts'
import { repoWebPath } from '../files/repo-names.ts'
import { gateFormOf } from './gate-form.ts'
import { describeAccessRequests, listAccessRequests, shownEmail } from './access-request-view.ts'
import {
  askForAccess,
  cancelRequest,
  decideRequest,
  decideRequests,
  grantAccess,
  requireGated,
} from './access-requests.ts'
import type { Repo } from '../../store/entities/hub-entities.ts'
import { registerHubErrors } from '../http/hub-errors.ts'
import { sendListPage } from '../http/next-page.ts'
import { registerPrincipal, signedIn } from '../http/principal-of-request.ts'
import { presentRepo, registerRepoOfRoute } from '../http/repo-of-route.ts'
import { cardReader } from '../http/read-card.ts'
import { sendRedirect } from '../../web/send-redirect.ts'
import { hub } from '../http/hub-route.ts'
import type { HubServices } from '../services.ts'

/** Access requests of gated repos. */
export const accessRequestRoutes: FastifyPluginAsync<{ deps: HubServices }> = async (
  app,
  { deps },
) => {
  registerHubErrors(app)
  registerPrincipal(app, deps)
  registerRepoOfRoute(app, deps)

  hub(app, 'GET /api/:repo/user-access-request/:status', (request, reply) => {
    const { repo, params, query } = request
    requireGated(repo)
    const status = accessStatuses.find((one) => one === params.status)
    const { after, before } = query
    const filter = omitUndefined({ status, after, before })
    const requests = describeAccessRequests(deps, repo, filter)
    return sendListPage(request, reply, requests, (one) => one, 1000)
  })

  hub(app, 'POST /api/:repo/user-access-request/handle', ({ repo, body }) => {
    const { status: list, rejectionReason, ...request } = body
    decideRequest(deps, { repo, request, status: list, ...omitUndefined({ rejectionReason }) })
    return {}
  })

  hub(app, 'POST /api/:repo/user-access-request/batch', ({ repo, body }) => {
    requireGated(repo)
    const { status: list, rejectionReason, requests } = body
    return decideRequests(deps, {
      repo,
      requests,
      status: list,
      ...omitUndefined({ rejectionReason }),
    })
  })

  hub(app, 'POST /api/:repo/user-access-request/grant', (request) => {
    const { repo, body: person } = request
    grantAccess(deps, { repo, person, granter: signedIn(request).user.username })
    return {}
  })

  hub(app, 'POST /api/:repo/user-access-request/cancel', (request) => {
    cancelRequest(deps, { repo: request.repo, user: signedIn(request).user })
    return {}
  })

  hub(app, 'POST /:repo/ask-access', async (request, reply) => {
    const readCard = await cardReader()
    // A change meanwhile must not be lost.
    const repo = presentRepo(deps, request)
    const { body } = request
    const { user } = signedIn(request)
    const { questions } = gateFormOf(deps, repo, readCard)
    askForAccess(deps, { repo, user, fields: readAnswers(body), questions })
    return sendRedirect(reply, 303, pageOf(repo))
  })

  hub(app, 'GET /:repo/user-access-report', ({ repo }, reply) => {
    requireGated(repo)
    const report = listAccessRequests(deps, repo).map(({ request, user }) => ({
      user: user.username,
      fullname: user.fullname,
      status: request.status,
      ...shownEmail(request, user),
      time: isoTime(request.at),
    }))
    const file = `${repo.name.replace('/', '-')}-access-report.json`
    reply.header('content-disposition', `attachment; filename="${file}"`)
    return report
  })
}

/** Reads the answers of a form, or of a JSON object with plain values. */
function readAnswers(body: unknown): Record<string, string> {
  const isForm = body instanceof URLSearchParams
  const answers = isForm ? [...body] : Object.entries(body ?? {})
  return Object.fromEntries(answers.map(([question, answer]) => [question, String(answer)]))
}

const pageOf = ({ type, name: fullName }: Repo) => repoWebPath(type, fullName)
