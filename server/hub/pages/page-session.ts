import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Deps } from '../deps.ts'
import type { HubServices } from '../services.ts'
import type { FormNonces, FormOwner } from '../oauth/form-nonce.ts'
import { findSession } from '../access/credentials.ts'
import type { PageSession } from './layout.ts'
import { cookieOfPort, formatCookie } from '../../web/plugins/cookies.ts'
import { isFromProgram, isOwnPage, type OwnPageSettings } from '../../web/plugins/own-pages.ts'
import { HttpRefusal, noteRemark } from '../../web/plugins/refusals.ts'
import { readSessionCookie, sessionCookie } from '../http/session-cookie.ts'
import { isForeignFrame } from '../http/framed-pages.ts'
import type { Session, User } from '../../store/entities/account-entities.ts'

export interface BrowserSession {
  session: Session
  user: User
}

/** Dependencies of pages that show who is signed in. */
export type PageDeps = Deps & Pick<HubServices, 'frames'>

/**
 * User of the browser that sent a request, by its cookie; noted for the request log. A frame of another site has no session.
 * @throws {HttpRefusal} 400 when several cookies have the name
 */
export function browserSession(
  deps: PageDeps,
  request: FastifyRequest,
): BrowserSession | undefined {
  if (isForeignFrame(deps, request)) return undefined
  const found = findSession(deps, readSessionCookie(deps.settings, request.headers))
  if (found !== undefined) request.signedInUserId = found.user.id
  return found
}

/**
 * Describes the signed-in user for a page.
 * @param next path to come back to as another user; default: where the page is
 */
export function pageSession(
  deps: PageDeps,
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

/** Post of a page's form, by the user whose session its cookie names. */
export interface FormPost {
  form: URLSearchParams
  found: BrowserSession
  /** What the form is about: a nonce of another subject is refused. */
  subject: string
  /** Path of the page of the form. */
  startOver: string
}

/**
 * Takes a form once, and refuses a post that a page elsewhere made its visitor send. An equal second post of the same form
 * gets the outcome of the first. Without the nonce of our form a post is taken from a program only: it has the session's
 * cookie and none of the headers that every browser sends.
 * @param take applies the decision
 * @throws {StaleFormError} when the form was submitted with another answer, opened by another user or in an earlier session, or
 *   is older than this start of the sandbox
 * @throws {Refusal} `access_denied` (403)
 */
export async function takeFormPost(
  { nonces, settings }: { nonces: FormNonces; settings: OwnPageSettings },
  request: FastifyRequest,
  { form, found, subject, startOver }: FormPost,
  take: () => Promise<string>,
): Promise<{ outcome: string; isRepeated: boolean }> {
  const { headers } = request
  const nonce = form.get('nonce')
  if (nonce === null) {
    if (!isFromProgram(headers)) refuseForeignForm()
    return { outcome: await take(), isRepeated: false }
  }
  if (!isOwnPage(settings, headers)) refuseForeignForm()
  const verdict = nonces.check(nonce, ownerOf(found), subject)
  if (verdict === 'foreign') refuseForeignForm()
  if (verdict !== 'genuine') throw new StaleFormError(staleTexts[verdict](found.user), startOver)
  const taken = nonces.take(nonce, String(form), take)
  if (taken.kind === 'used') {
    throw new StaleFormError(
      'This page was already submitted; only the first decision counts.',
      startOver,
    )
  }
  const outcome = await taken.outcome
  const isRepeated = taken.kind === 'repeated'
  if (isRepeated) {
    noteRemark(
      request,
      'The form was submitted before: the response repeats that of its first post.',
    )
  }
  return { outcome, isRepeated }
}

const staleTexts = {
  restarted: () =>
    'The sandbox was restarted since this page was opened, so the answer was not taken.',
  'other user': ({ username }: User) =>
    `You are now signed in as ${username}. Another user was signed in when this page was opened, so the answer was not taken.`,
  'other session': ({ username }: User) =>
    `You signed in as ${username} again since this page was opened, so the answer was not taken.`,
}

export function ownerOf({ session, user }: BrowserSession): FormOwner {
  return { sessionId: session.id, userId: user.id }
}

function refuseForeignForm(): never {
  throw new HttpRefusal(
    403,
    'access_denied',
    'This form was not sent from the page that belongs to it. Go back to the app and start again.',
  )
}
