import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Deps } from '../../../events/deps.ts'
import type { FormNonces, FormVerdict } from '../../../oauth/form-nonce.ts'
import { findSession } from '../../../hub/access/credentials.ts'
import type { PageSession } from '../../pages/layout.ts'
import { cookieOfPort, formatCookie } from '../../plugins/cookies.ts'
import { isFromProgram, isOwnPage, type OwnPageSettings } from '../../plugins/own-pages.ts'
import { HttpRefusal } from '../../plugins/refusals.ts'
import { readSessionCookie, sessionCookie } from '../../plugins/session-cookie.ts'
import type { Session, User } from '../../../state/entities/accounts.ts'

export interface BrowserSession {
  session: Session
  user: User
}

/**
 * User of the browser that sent a request, by its cookie; noted for the request log.
 * @throws {HttpRefusal} 400 when several cookies have the name
 */
export function browserSession(deps: Deps, request: FastifyRequest): BrowserSession | undefined {
  const found = findSession(deps, readSessionCookie(deps.settings, request.headers))
  if (found !== undefined) request.signedInUserId = found.user.id
  return found
}

/**
 * Describes the signed-in user for a page.
 * @param next path to come back to as another user; default: where the page is
 */
export function pageSession(
  deps: Deps,
  request: FastifyRequest,
  next = request.url,
): PageSession | undefined {
  const found = browserSession(deps, request)
  return found === undefined ? undefined : { username: found.user.username, next }
}

export function setSessionCookie(
  deps: Deps,
  reply: FastifyReply,
  session: Session | undefined,
): void {
  const maxAge =
    session === undefined ? 0 : Math.round((session.expiresAt - deps.clock.now()) / 1000)
  reply.header(
    'set-cookie',
    formatCookie(cookieOfPort(sessionCookie, deps.settings), session?.id ?? '', {
      maxAge,
      secure: deps.settings.baseUrl.startsWith('https:'),
      sameSite: 'Lax',
    }),
  )
}

/** Decision that came too late; the user may start over. */
export class StaleFormError extends HttpRefusal {
  /** Path of the page to open again. */
  readonly startOver: string

  constructor(description: string, startOver: string) {
    super(403, 'access_denied', description)
    this.startOver = startOver
  }
}

/**
 * Refuses a post that a page elsewhere made its visitor send. Without the nonce of our form a post is taken from a
 * program only: it has the session's cookie and none of the headers that every browser sends. A nonce counts once.
 * @param form `startOver` is the page of the form
 * @throws {StaleFormError} when the form was answered before, or is older than this start of the sandbox
 * @throws {Refusal} `access_denied` (403)
 */
export function checkFormPost(
  { nonces, settings }: { nonces: FormNonces; settings: OwnPageSettings },
  request: FastifyRequest,
  form: { nonce?: string; sessionId: string; subject: string; startOver: string },
): void {
  const { headers } = request
  const { nonce, sessionId, subject, startOver } = form
  let verdict: FormVerdict = 'foreign'
  if (nonce === undefined) verdict = isFromProgram(headers) ? 'genuine' : 'foreign'
  else if (isOwnPage(settings, headers)) verdict = nonces.redeem(nonce, sessionId, subject)
  if (verdict === 'restarted') {
    throw new StaleFormError(
      'The sandbox was restarted since this page was opened, so the answer was not taken.',
      startOver,
    )
  }
  if (verdict === 'used') {
    throw new StaleFormError(
      'This page was already submitted; only the first decision counts.',
      startOver,
    )
  }
  if (verdict === 'foreign') {
    throw new HttpRefusal(
      403,
      'access_denied',
      'This form was not sent from the page that belongs to it. Go back to the app and start again.',
    )
  }
}
