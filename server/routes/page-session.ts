import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Deps } from '../core/deps.ts'
import { OAuthError } from '../oauth/errors.ts'
import type { FormNonces } from '../oauth/form-nonce.ts'
import { findSession } from '../oauth/sessions.ts'
import { formatCookie } from '../plugins/cookies.ts'
import { isSameOrigin } from '../plugins/origin-guard.ts'
import { sessionCookie, sessionCookieOf } from '../plugins/principal.ts'
import type { Session, User } from '../state/entities/accounts.ts'

/** Who sits at the browser, by its cookie. */
export function browserSession(
  deps: Deps,
  request: FastifyRequest,
): { session: Session; user: User } | undefined {
  return findSession(deps, sessionCookieOf(request))
}

export function setSessionCookie(
  deps: Deps,
  reply: FastifyReply,
  session: Session | undefined,
): void {
  const maxAge =
    session === undefined ? 0 : Math.round((session.expiresAt - deps.clock.now()) / 1000)
  reply.header(
    'Set-Cookie',
    formatCookie(sessionCookie, session?.id ?? '', {
      maxAge,
      secure: deps.settings.baseUrl.startsWith('https:'),
      sameSite: 'Lax',
    }),
  )
}

/**
 * Refuses a post that a page elsewhere made its visitor send. Without the nonce of our form a post is taken from a
 * program only: it has the session's cookie and none of the headers that every browser sends.
 * @throws {OAuthError} `access_denied` (403)
 */
export function checkFormPost(
  nonces: FormNonces,
  request: FastifyRequest,
  form: { nonce?: string; sessionId: string; subject: string },
): void {
  const { headers } = request
  const fromProgram = headers.origin === undefined && headers['sec-fetch-site'] === undefined
  const genuine =
    form.nonce === undefined
      ? fromProgram
      : isSameOrigin(headers) && nonces.matches(form.nonce, form.sessionId, form.subject)
  if (!genuine) {
    throw new OAuthError(
      'access_denied',
      'This form was not sent from the page that belongs to it. Go back to the app and start again.',
      { status: 403 },
    )
  }
}
