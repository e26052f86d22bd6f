import type { FastifyPluginAsync } from 'fastify'
import { accessStatuses } from '../../contract/words/hub-words.ts'
import { omitUndefined } from '../../core/omit-undefined.ts'
import { Refusal } from '../../core/refusal.ts'
import { repoWebPath } from '../files/repo-names.ts'
import { gateFormOf } from './gate-form.ts'
import { describeAccessRequests } from './access-request-view.ts'
import {
  askForAccess,
  cancelRequest,
  decideRequest,
  grantAccess,
  requireGated,
} from './access-requests.ts'
import type { Repo } from '../../store/entities/hub-entities.ts'
import { registerHubErrors } from '../http/hub-errors.ts'
import { sendListPage } from '../http/next-page.ts'
import { registerPrincipal, signedIn } from '../http/principal-of-request.ts'
import { registerRepoOfRoute } from '../http/repo-of-route.ts'
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
    const { repo, params } = request
    requireGated(repo)
    const list = accessStatuses.find((one) => one === params.status)
    return sendListPage(request, reply, describeAccessRequests(deps, repo, list), (one) => one)
  })

  hub(app, 'POST /api/:repo/user-access-request/handle', ({ repo, body }) => {
    const { status: list, rejectionReason, ...request } = body
    decideRequest(deps, { repo, request, status: list, ...omitUndefined({ rejectionReason }) })
    return {}
  })

  hub(app, 'POST /api/:repo/user-access-request/batch', ({ repo, body }) => {
    requireGated(repo)
    const { status: list, rejectionReason } = body
    return body.requests.map((request) => {
      try {
        const now = deps.state.repos.get(repo.id) ?? repo
        const decision = {
          repo: now,
          request,
          status: list,
          ...omitUndefined({ rejectionReason }),
        }
        decideRequest(deps, decision)
        return { success: true }
      } catch (error) {
        if (!(error instanceof Refusal)) throw error
        return { success: false, error: error.message }
      }
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
    const { repo, body } = request
    const { user } = signedIn(request)
    const { questions } = gateFormOf(deps, repo, readCard)
    askForAccess(deps, { repo, user, fields: readAnswers(body), questions })
    return sendRedirect(reply, 303, pageOf(repo))
  })

  hub(app, 'GET /:repo/user-access-report', ({ repo }, reply) => {
    requireGated(repo)
    const report = describeAccessRequests(deps, repo).map(({ user, timestamp, ...request }) => ({
      user: user.user,
      fullname: user.fullname,
      status: request.status,
      ...omitUndefined({ email: user.email }),
      time: timestamp,
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
