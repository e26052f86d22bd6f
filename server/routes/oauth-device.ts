import type { FastifyPluginAsync } from 'fastify'
import type { ServerDeps } from '../core/server-deps.ts'
import { createCodeGuesses } from '../oauth/code-guesses.ts'
import { answerDevice, findPendingDevice } from '../oauth/device-authorization.ts'
import { OAuthError } from '../oauth/errors.ts'
import type { FormNonces } from '../oauth/form-nonce.ts'
import {
  renderDeviceCodePage,
  renderDeviceConsentPage,
  renderDeviceDonePage,
} from '../pages/device.ts'
import { sendPage } from '../plugins/page-headers.ts'
import { consentApp, consentOrganizations, localPicture } from './consent-view.ts'
import { registerPageErrors } from './page-errors.ts'
import { browserSession, checkFormPost } from './page-session.ts'

const tags = ['sign-in']

/** The page where a user types the code of a device, and answers for it. */
export const oauthDeviceRoutes: FastifyPluginAsync<{
  deps: ServerDeps
  nonces: FormNonces
}> = async (app, { deps, nonces }) => {
  registerPageErrors(app)
  const guesses = createCodeGuesses(deps.clock)
  deps.bus.on('sandbox.reset', () => guesses.clear())

  const ask = {
    summary: 'Ask the user for the code of a device',
    tags,
  }
  app.get<{ Querystring: { user_code?: string } }>(
    '/oauth/device',
    { schema: ask },
    (request, reply) => {
      const found = browserSession(deps, request)
      const loginUrl = `/login?next=${encodeURIComponent(request.url)}`
      if (found === undefined) return reply.redirect(loginUrl, 303)
      // A code in the address is only filled in: the user still says yes on the next page (RFC 8628 §5.4).
      const value = request.query.user_code
      return sendPage(reply, 200, codePage(found, typeof value === 'string' ? { value } : {}))
    },
  )

  const verify = {
    summary: 'Take the code, then the answer',
    tags,
  }
  app.post('/oauth/device/verify', { bodyLimit: 16 * 1024, schema: verify }, (request, reply) => {
    const found = browserSession(deps, request)
    if (found === undefined) return reply.redirect('/login?next=/oauth/device', 303)
    const form = request.body instanceof URLSearchParams ? request.body : new URLSearchParams()
    const nonce = form.get('nonce')
    checkFormPost(nonces, request, {
      ...(nonce === null ? {} : { nonce }),
      sessionId: found.session.id,
      subject: 'device',
      startOver: '/oauth/device',
    })

    const typed = form.get('user_code') ?? ''
    const wait = guesses.waitSeconds(found.user.id)
    if (wait > 0) {
      const error = `Too many wrong codes. Try again in ${wait} seconds.`
      return sendPage(reply, 429, codePage(found, { value: typed, error }))
    }
    let authorization
    try {
      authorization = findPendingDevice(deps, typed)
    } catch (error) {
      if (!(error instanceof OAuthError)) throw error
      guesses.wrong(found.user.id)
      return sendPage(reply, 400, codePage(found, { value: typed, error: error.message }))
    }
    guesses.right(found.user.id)

    const client = deps.state.apps.get(authorization.clientId)
    if (client === undefined) {
      throw new OAuthError('invalid_client', 'The app behind this code no longer exists.', {
        status: 400,
      })
    }
    const decision = form.get('decision')
    if (decision !== 'approve' && decision !== 'deny') {
      const page = renderDeviceConsentPage({
        app: consentApp(deps, client),
        user: {
          username: found.user.username,
          avatarUrl: localPicture(found.user.avatarUrl, found.user.username),
        },
        scopes: authorization.scopes,
        organizations: consentOrganizations(deps, found.user, new Set()),
        userCode: authorization.userCode,
        nonce: nonces.make(found.session.id, 'device'),
        switchUserUrl: `/login?next=${encodeURIComponent(`/oauth/device?user_code=${authorization.userCode}`)}`,
      })
      return sendPage(reply, 200, page)
    }
    answerDevice(deps, {
      authorization,
      decision,
      user: found.user,
      organizationIds: form.getAll('organization'),
      authTime: found.session.createdAt,
    })
    const done = { appName: client.name, approved: decision === 'approve' }
    return sendPage(reply, 200, renderDeviceDonePage(done))
  })

  function codePage(
    { session, user }: NonNullable<ReturnType<typeof browserSession>>,
    input: { value?: string; error?: string },
  ): string {
    return renderDeviceCodePage({
      nonce: nonces.make(session.id, 'device'),
      username: user.username,
      switchUserUrl: '/login?next=/oauth/device',
      ...input,
    })
  }
}
