import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import {
  AccessDecisionBody,
  AccessDecisionsBody,
  GrantAccessBody,
} from '../../../contract/hub-gates.ts'
import { PageQuery } from '../../../contract/hub-people.ts'
import { accessStatuses } from '../../../contract/words/hub.ts'
import { omitUndefined } from '../../../core/omit-undefined.ts'
import { Refusal } from '../../../core/refusal.ts'
import { repoWebPath } from '../../../hub/files/repo-names.ts'
import { gateFormOf } from '../../../hub/gates/gate-form.ts'
import { describeAccessRequests } from '../../../hub/gates/access-request-view.ts'
import {
  askForAccess,
  cancelRequest,
  decideRequest,
  grantAccess,
  requireGated,
} from '../../../hub/gates/access-requests.ts'
import type { Repo } from '../../../state/entities/hub.ts'
import { registerHubErrors } from '../../plugins/hub-errors.ts'
import { sendListPage } from '../../plugins/next-page.ts'
import { registerPrincipal, signedIn } from '../../plugins/principal.ts'
import {
  registerRepoOfRoute,
  repoApiRoute,
  repoParams,
  webRepoRoutes,
} from '../../plugins/repo-of-route.ts'
import { cardReader } from '../../read-card.ts'
import { sendRedirect } from '../../send-redirect.ts'
import type { HubServices } from '../../hub-services.ts'

const tags = ['access']
const { types, namespace, name } = repoParams.properties
const status = Type.String({ enum: [...accessStatuses], description: 'List' })
const ofList = Type.Object({ types, namespace, name, status })
const requests = `${repoApiRoute}/user-access-request`

/** Access requests of gated repos. */
export const accessRequestRoutes: FastifyPluginAsyncTypebox<{ deps: HubServices }> = async (
  app,
  { deps },
) => {
  registerHubErrors(app)
  registerPrincipal(app, deps)
  registerRepoOfRoute(app, deps)
  const decides = { config: { repoAction: 'repo.access' as const } }
  // A user who sees the repo may ask; an app may not, since no scope permits it.
  const asks = {
    config: { repoAction: 'repo.read' as const, accountAction: 'account' as const },
  }

  app.get(
    `${requests}/:status`,
    {
      ...decides,
      schema: {
        summary: 'List access requests',
        tags,
        params: ofList,
        querystring: PageQuery,
      },
    },
    (request, reply) => {
      const { repo, params } = request
      requireGated(repo)
      const list = accessStatuses.find((one) => one === params.status)
      return sendListPage(request, reply, describeAccessRequests(deps, repo, list), (one) => one)
    },
  )

  app.post(
    `${requests}/handle`,
    {
      ...decides,
      schema: {
        summary: 'Decide on an access request',
        tags,
        params: repoParams,
        body: AccessDecisionBody,
      },
    },
    ({ repo, body }) => {
      const { status: list, rejectionReason, ...request } = body
      decideRequest(deps, { repo, request, status: list, ...omitUndefined({ rejectionReason }) })
      return {}
    },
  )

  app.post(
    `${requests}/batch`,
    {
      ...decides,
      schema: {
        summary: 'Decide on up to 100 access requests',
        tags,
        params: repoParams,
        body: AccessDecisionsBody,
      },
    },
    ({ repo, body }) => {
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
    },
  )

  app.post(
    `${requests}/grant`,
    {
      ...decides,
      schema: { summary: 'Grant access', tags, params: repoParams, body: GrantAccessBody },
    },
    (request) => {
      const { repo, body: person } = request
      grantAccess(deps, { repo, person, granter: signedIn(request).user.username })
      return {}
    },
  )

  app.post(
    `${requests}/cancel`,
    { ...asks, schema: { summary: 'Withdraw your access request', tags, params: repoParams } },
    (request) => {
      cancelRequest(deps, { repo: request.repo, user: signedIn(request).user })
      return {}
    },
  )

  for (const { route, params } of webRepoRoutes) {
    const repoType = 'types' in params.properties ? {} : { repoType: 'model' as const }

    app.post(
      `${route}/ask-access`,
      {
        config: { ...asks.config, ...repoType },
        schema: { summary: 'Ask for access', tags, params },
      },
      async (request, reply) => {
        const readCard = await cardReader()
        const { repo, body } = request
        const { user } = signedIn(request)
        const { questions } = gateFormOf(deps, repo, readCard)
        askForAccess(deps, { repo, user, fields: readAnswers(body), questions })
        return sendRedirect(reply, 303, pageOf(repo))
      },
    )

    app.get(
      `${route}/user-access-report`,
      {
        config: { ...decides.config, ...repoType },
        schema: { summary: 'Export all access requests', tags, params },
      },
      ({ repo }, reply) => {
        requireGated(repo)
        const report = describeAccessRequests(deps, repo).map(
          ({ user, timestamp, ...request }) => ({
            user: user.user,
            fullname: user.fullname,
            status: request.status,
            ...omitUndefined({ email: user.email }),
            time: timestamp,
          }),
        )
        const file = `${repo.name.replace('/', '-')}-access-report.json`
        reply.header('content-disposition', `attachment; filename="${file}"`)
        return report
      },
    )
  }
}

/** Reads the answers of a form, or of a JSON object with plain values. */
function readAnswers(body: unknown): Record<string, string> {
  const isForm = body instanceof URLSearchParams
  const answers = isForm ? [...body] : Object.entries(body ?? {})
  return Object.fromEntries(answers.map(([question, answer]) => [question, String(answer)]))
}

const pageOf = ({ type, name: fullName }: Repo) => repoWebPath(type, fullName)
