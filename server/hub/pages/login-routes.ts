import { omitUndefined } from '../../core/omit-undefined.ts'
import type { FastifyPluginAsync } from 'fastify'
import type { HubServices } from '../services.ts'
import { equalSecrets } from '../../core/secrets.ts'
import type { FormNonces } from '../oauth/form-nonce.ts'
import { readForm } from '../oauth/forms.ts'
import { subjectOfHint } from '../oauth/id-token.ts'
import { loginAddress, requestOfLogin } from '../oauth/login-address.ts'
import { endSession, startSession } from '../oauth/sessions.ts'
import { type LoginPage, renderLoginPage } from './login-page.ts'
import { isOwnPage } from '../../web/plugins/own-pages.ts'
import { HttpRefusal } from '../../web/plugins/refusals.ts'
import { mayBeFramed } from '../http/framed-pages.ts'
import { sendPage } from '../../web/plugins/page-headers.ts'
import { findSession } from '../access/credentials.ts'
import type { Session, User } from '../../store/entities/account-entities.ts'
import { nameKey } from '../../store/state.ts'
import { localPicture } from './local-picture.ts'
import { registerPageErrors } from './page-errors.ts'
import { browserSession, pageSession, setSessionCookie } from './page-session.ts'
import { addSignInMark } from './sign-in-mark.ts'
import { site } from '../http/site-route.ts'

/** Owner of the forms of the login page: they are shown before there is a session. */
const nobody = { sessionId: '', userId: '' }
const subject = 'login'

/** Sign-in as a fixture user, and sign-out. */
export const loginRoutes: FastifyPluginAsync<{ deps: HubServices; nonces: FormNonces }> = async (
  app,
  { deps, nonces },
) => {
  registerPageErrors(app, deps)
  const { state } = deps
  const users = () =>
    [...state.users.values()].map((user) => ({
      user,
      avatarUrl: localPicture(user.avatarUrl, user.username),
    }))

  site(app, 'GET /login', async (request, reply) => {
    const next = localPath(requestOfLogin(request.url) ?? request.query['next'])
    const page = {
      users: users(),
      next,
      nonce: newNonce(),
      session: pageSession(deps, request, next),
      ...(await describeRequest(next)),
    }
    return sendPage(reply, 200, renderLoginPage(page), { isFramed: mayBeFramed(deps, request) })
  })

  site(app, 'POST /login', async (request, reply) => {
    if (!isOwnPage(deps.settings, request.headers)) {
      throw new HttpRefusal(403, 'access_denied', 'Sign in from the sandbox’s own page.')
    }
    const { user: username = '', password, next: wanted, nonce } = readForm(request.body)
    const next = localPath(wanted)
    const user = state.users.find('name', nameKey(username))
    if (user === undefined) {
      throw new HttpRefusal(
        404,
        'access_denied',
        `The sandbox has no user ${JSON.stringify(username)}.`,
      )
    }
    if (user.password !== undefined && !equalSecrets(password ?? '', user.password)) {
      const passwordFor = {
        user,
        avatarUrl: localPicture(user.avatarUrl, user.username),
        ...(password === undefined ? {} : { error: 'This password is wrong.' }),
      }
      const session = pageSession(deps, request, next)
      const page = renderLoginPage({ users: [], next, nonce: newNonce(), passwordFor, session })
      return sendPage(reply, password === undefined ? 200 : 403, page, {
        isFramed: mayBeFramed(deps, request),
      })
    }
    const before = browserSession(deps, request)
    const session = await sessionOf(user, nonce, [username, password ?? '', next])
    if (before !== undefined && before.session !== session) endSession(deps, before.session.id)
    setSessionCookie(deps, reply, session)
    const target = addSignInMark(nonces, session.id, next)
    return reply.header('cache-control', 'no-store').redirect(target, 303)
  })

  site(app, 'POST /logout', (request, reply) => {
    if (!isOwnPage(deps.settings, request.headers)) {
      throw new HttpRefusal(403, 'access_denied', 'Sign out from the sandbox’s own page.')
    }
    const signedIn = browserSession(deps, request)
    if (signedIn !== undefined) endSession(deps, signedIn.session.id)
    setSessionCookie(deps, reply, undefined)
    const next = localPath(readForm(request.body)['next'])
    const target = next === '/' ? '/login' : loginAddress(next)
    return reply.header('cache-control', 'no-store').redirect(target, 303)
  })

  const newNonce = () => nonces.make(nobody, subject)

  /**
   * Starts a session. A browser that sends a form again gets the session of its first post while that lasts, so that
   * pages opened in it stay valid.
   */
  async function sessionOf(
    user: User,
    nonce: string | undefined,
    answer: readonly string[],
  ): Promise<Session> {
    const start = () => startSession(deps, user)
    if (nonce === undefined || nonces.check(nonce, nobody, subject) !== 'genuine') return start()
    const taken = nonces.take(nonce, JSON.stringify(answer), async () => start().id)
    const found = taken.kind === 'used' ? undefined : findSession(deps, await taken.outcome)
    return found?.session ?? start()
  }

  /** Reads the app and the expected user from the waiting authorization request. */
  async function describeRequest(
    next: string,
  ): Promise<Pick<LoginPage, 'appName' | 'suggested' | 'isOnlyFor'>> {
    if (!next.startsWith('/oauth/authorize?')) return {}
    const query = new URLSearchParams(next.slice(next.indexOf('?')))
    const appName = state.apps.get(query.get('client_id') ?? '')?.name
    const idToken = query.get('id_token_hint') ?? ''
    const hinted = idToken === '' ? undefined : await subjectOfHint(deps, idToken)
    const hint = nameKey(query.get('login_hint') ?? '')
    const suggested =
      hinted === undefined
        ? (state.users.find('name', hint) ?? state.users.find('email', hint))
        : state.users.get(hinted)
    return {
      ...omitUndefined({ appName }),
      ...(suggested === undefined ? {} : { suggested, isOnlyFor: hinted !== undefined }),
    }
  }
}

/** Accepts only local paths: others would make the login page an open redirector (RFC 9700 §4.11). */
export function localPath(next: unknown): string {
  return typeof next === 'string' && /^\/(?![/\\])[\x21-\x7e]*$/.test(next) ? next : '/'
}
