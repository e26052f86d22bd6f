import { pathOf } from '../../core/request-target.ts'
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Refusal } from '../../core/refusal.ts'
import type { HubServices } from '../services.ts'
import { repoHiddenFromNobody } from '../access/access.ts'
import { describeNotEmulated, type NotEmulated } from '../not-emulated.ts'
import { refuseEncodedName } from '../files/repo-names.ts'
import { renderMissingPage } from './hub-page.ts'
import { errorShapeOf } from '../../web/app-of-url.ts'
import { sendControlError } from '../../web/plugins/control-errors.ts'
import { basicChallenge, sendGitError } from '../http/git-errors.ts'
import { sendHubError } from '../http/hub-errors.ts'
import { lfsErrorBody } from '../../web/plugins/lfs-error-body.ts'
import { sendLfsError } from '../http/lfs-errors.ts'
import { answerOAuthError } from '../http/oauth-error-bodies.ts'
import { identifyByTokenOrSession, identifyGitClient } from '../http/principal-of-request.ts'
import {
  bearerChallenge,
  headerText,
  noteRefusal,
  noteRemark,
  statusOfCode,
} from '../../web/plugins/refusals.ts'
import { sendPage, wantsPage } from '../../web/plugins/page-headers.ts'
import { sendRedirect } from '../../web/send-redirect.ts'
import { sendPageError } from './page-errors.ts'
import { pageSession } from './page-session.ts'

/**
 * Responds to paths without a route, whatever their body is, and to errors of routes that belong to no group. A path that
 * the hub has and the sandbox has not must not look like missing data; clients probe `/oauth/` and `/.well-known/`, where a
 * 5xx would read as a broken server. Browsers get a page that says the same.
 */
export function registerNotFound(app: FastifyInstance, deps: HubServices): void {
  app.setNotFoundHandler((request, reply) => sendMissing(deps, request, reply))
  app.setErrorHandler<FastifyError | Refusal>((error, request, reply) => {
    // The body of a request without a route says nothing about why the request fails.
    if (request.is404 && isOfBody(error)) return sendMissing(deps, request, reply)
    return sendInShape(deps, error, request, reply)
  })
}

/** Checks for an unreadable body, the only error at a path without a route besides refusals. */
function isOfBody(error: FastifyError | Refusal): boolean {
  return !(error instanceof Refusal) && (error.statusCode ?? 500) < 500
}

/** Sends an error outside the groups of routes, in the format that clients of the path expect. */
function sendInShape(
  deps: HubServices,
  error: FastifyError | Refusal,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const shape = errorShapeOf(pathOf(request.url))
  if (shape === 'git') return sendGitError(error, request, reply)
  if (shape === 'lfs') return sendLfsError(error, request, reply)
  if (wantsPage(request)) return sendPageError(deps, error, request, reply)
  if (shape === 'control') return sendControlError(error, request, reply)
  if (shape === 'oauth') return answerOAuthError(error, request, reply)
  return sendHubError(error, request, reply)
}

function sendMissing(
  deps: HubServices,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const path = pathOf(request.url)
  const refusal = refuseEncodedName(path)
  if (refusal !== undefined) return sendInShape(deps, refusal, request, reply)
  const described = describeNotEmulated(request.method, path)
  const notEmulated =
    described?.hubError === undefined ? described : missingTo(deps, request, described)
  const missing: NotEmulated = notEmulated ?? {
    code: 'not_found',
    message: `Nothing is at ${request.method} ${path}.`,
  }
  const { code, message } = missing
  addHeaders(reply, missing)
  if (missing.location !== undefined) {
    noteRemark(request, message)
    return sendRedirect(reply, 302, missing.location)
  }
  const status = statusOfCode(code)
  // The URL of a file never returns a page of ours.
  if (wantsPage(request) && described?.hubError === undefined) {
    const title = code === 'not_emulated' ? 'Not emulated' : 'Page not found'
    const session = pageSession(deps, request)
    const mayBePrivate = code === 'not_found' && errorShapeOf(path) === 'hub'
    const signInFor = session === undefined && mayBePrivate ? request.url : undefined
    const page = renderMissingPage({
      title,
      message: mayBePrivate ? `Nothing that you may see is at ${request.method} ${path}.` : message,
      session,
      signInFor,
    })
    return sendPage(reply, status, page)
  }
  if (notEmulated !== undefined) return sendRefusal(reply, notEmulated)
  const isOAuth = errorShapeOf(path) === 'oauth'
  return reply
    .code(status)
    .send(isOAuth ? { error: code, error_description: message } : { error: code, message })
}

/** Refuses a repo that cannot exist; as for any other, anonymous callers get a 401. */
function missingTo(deps: HubServices, request: FastifyRequest, missing: NotEmulated): NotEmulated {
  const identify = missing.type === undefined ? identifyByTokenOrSession : identifyGitClient
  try {
    noteRefusal(request, 'RepoNotFound', 'every repo of the sandbox has a namespace')
    return identify(deps, request).kind === 'anonymous'
      ? { ...missing, code: 'unauthenticated', message: repoHiddenFromNobody }
      : missing
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    const { code, message, detail = message } = error
    noteRefusal(request, code, detail)
    const { hubError: _hubError, ...rest } = missing
    return { ...rest, code, message }
  }
}

function addHeaders(reply: FastifyReply, { message, hubError }: NotEmulated): void {
  reply.header('x-error-message', headerText(message))
  if (hubError !== undefined) reply.header('x-error-code', hubError)
}

function sendRefusal(reply: FastifyReply, refusal: NotEmulated): FastifyReply {
  const { code, message, type } = refusal
  const status = statusOfCode(code)
  reply.code(status)
  if (status === 401) reply.header('www-authenticate', challengeOf(refusal))
  if (type === 'text/plain') return reply.type(`${type}; charset=utf-8`).send(`${message}\n`)
  if (type !== undefined) return reply.type(type).send(lfsErrorBody(reply, message))
  return reply.send({ error: message })
}

/** Git and Git LFS support only a Basic challenge. */
function challengeOf({ code, type }: NotEmulated): string {
  if (type !== undefined) return basicChallenge
  return code === 'invalid_token' ? `${bearerChallenge}, error="${code}"` : bearerChallenge
}
