import { own } from '../../core/own.ts'
import { omitUndefined } from '../../core/omit-undefined.ts'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { isOAuthCode, Refusal } from '../../core/refusal.ts'
import { isControlAddress } from '../../web/app-of-url.ts'
import { AuthorizationError } from '../oauth/authorization-request.ts'
import { type ErrorPage, renderErrorPage } from './error-page.ts'
import { toOAuthRefusal } from '../http/oauth-error-bodies.ts'
import { noteRefusal, statusOf } from '../../web/plugins/refusals.ts'
import { mayBeFramed } from '../http/framed-pages.ts'
import { sendPage } from '../../web/plugins/page-headers.ts'
import { type PageDeps, pageSession, StaleFormError } from './page-session.ts'

const titles: Record<string, string> = {
  invalid_redirect_uri: 'Invalid redirect_uri',
  invalid_client: 'Unknown app',
  server_error: 'The sandbox failed',
}

/** Titles of pages about HTTP alone, by status. */
const httpTitles: Readonly<Record<number, string>> = { 431: 'Request headers too large' }

/** Sends errors of the routes registered on this instance as {@link sendPageError} does. */
export function registerPageErrors(
  app: FastifyInstance,
  deps: PageDeps,
  onRedirected?: (error: AuthorizationError) => void,
): void {
  app.setErrorHandler((error, request, reply) =>
    sendPageError(deps, error, request, reply, onRedirected),
  )
}

/** Redirects an error where the client is trusted, and shows it on a page elsewhere (RFC 6749 §4.1.2.1). */
export function sendPageError(
  deps: PageDeps,
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
  onRedirected?: (error: AuthorizationError) => void,
): FastifyReply {
  const refusal = error instanceof Refusal ? error : toOAuthRefusal(error)
  const status = statusOf(refusal)
  const word = wordOf(refusal)
  const { message, detail = message } = refusal
  noteRefusal(request, word ?? `http_${status}`, detail, message)
  if (refusal instanceof AuthorizationError) {
    onRedirected?.(refusal)
    return reply.header('cache-control', 'no-store').redirect(refusal.location, 303)
  }
  if (refusal.code === 'server_error') request.log.error(error)
  const page = renderErrorPage({
    ...(word === undefined
      ? { title: httpTitles[status] ?? 'Not now', error: `HTTP ${status}` }
      : describeWord(word, refusal, request)),
    description: refusal.message,
    session: sessionOfError(deps, request),
    ...omitUndefined({
      detail: refusal.detail,
      // The log contains only requests of the hub.
      requestId: isControlAddress(request.url) ? undefined : request.id,
    }),
  })
  // A 401 requires a challenge (RFC 9110 §15.5.2), and a browser could not meet one.
  return sendPage(reply, status === 401 ? 400 : status, page, {
    isFramed: mayBeFramed(deps, request),
  })
}

/** Returns the session to show with an error, unless the error is about its cookie. */
function sessionOfError(deps: PageDeps, request: FastifyRequest) {
  try {
    return pageSession(deps, request, request.method === 'GET' ? request.url : '/')
  } catch {
    return undefined
  }
}

/** Returns the RFC's error code; `undefined` for plain HTTP errors. */
function wordOf({ code }: Refusal): string | undefined {
  if (code === 'unknown_client') return 'invalid_client'
  return isOAuthCode(code) ? code : undefined
}

function describeWord(
  word: string,
  refusal: Refusal,
  request: FastifyRequest,
): Pick<ErrorPage, 'title' | 'error' | 'startOver' | 'keptFromApp'> {
  return {
    title: own(titles, word) ?? 'This request cannot be processed',
    error: word === 'invalid_redirect_uri' ? 'invalid redirect_uri' : word,
    ...(refusal instanceof StaleFormError ? { startOver: refusal.startOver } : {}),
    keptFromApp: request.url.startsWith('/oauth/authorize'),
  }
}
