import type { FastifyPluginAsync, FastifyReply } from 'fastify'
import type { ServerDeps } from '../../server-deps.ts'
import { answerDevice, findPendingDevice } from '../../../oauth/device-authorization.ts'
import { Refusal } from '../../../core/refusal.ts'
import type { FormNonces } from '../../../oauth/form-nonce.ts'
import {
  renderDeviceCodePage,
  renderDeviceConsentPage,
  renderDeviceDonePage,
} from '../../pages/device.ts'
import { sendPage } from '../../plugins/page-headers.ts'
import type { App, DeviceAuthorization } from '../../../state/entities/oauth.ts'
import { consentApp, consentOrganizations } from './consent-view.ts'
import { registerPageErrors } from '../pages/page-errors.ts'
import { browserSession, checkFormPost } from '../pages/page-session.ts'

const tags = ['sign-in']

/** The page where a user types the code of a device, and answers for it. */
export const oauthDeviceRoutes: FastifyPluginAsync<{
  deps: ServerDeps
  nonces: FormNonces
}> = async (app, { deps, nonces }) => {
  registerPageErrors(app, deps)
  const { guesses } = deps

  const ask = {
    summary: 'Ask the user for the code of a device',
    tags,
  }
  app.get<{ Querystring: CodeQuery }>('/oauth/device', { schema: ask }, (request, reply) => {
    const found = browserSession(deps, request)
    const loginUrl = `/login?next=${encodeURIComponent(request.url)}`
    if (found === undefined) return reply.redirect(loginUrl, 303)
    // A code in the address is only filled in: the user still says yes on the next page (RFC 8628 §5.4).
    const value = request.query.user_code
    return sendPage(reply, 200, codePage(found, typeof value === 'string' ? { value } : {}))
  })

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
      if (!(error instanceof Refusal)) throw error
      guesses.wrong(found.user.id)
      return sendPage(reply, 400, codePage(found, { value: typed, error: error.message }))
    }
    guesses.right(found.user.id)

    const { userCode } = authorization
    const decision = form.get('decision')
    if (decision !== 'approve' && decision !== 'deny') {
      const checked = nonces.make(found.session.id, checkedCode(userCode))
      return redirect(reply, `/oauth/device/verify?user_code=${userCode}&checked=${checked}`)
    }
    requireClient(authorization)
    answerDevice(deps, {
      authorization,
      decision,
      user: found.user,
      organizationIds: form.getAll('organization'),
      authTime: found.session.createdAt,
    })
    return redirect(reply, `/oauth/device/done?user_code=${userCode}`)
  })

  // Reached by typing the code alone: who could open it for any code could guess codes, and send links to this page.
  const confirm = {
    summary: 'Ask the user to allow the device',
    tags,
  }
  app.get<{ Querystring: CodeQuery & { checked?: unknown } }>(
    '/oauth/device/verify',
    { schema: confirm },
    (request, reply) => {
      const found = browserSession(deps, request)
      if (found === undefined) return redirect(reply, '/login?next=/oauth/device')
      const { checked } = request.query
      const userCode = textOf(request.query.user_code)
      const isChecked =
        typeof checked === 'string' &&
        nonces.matches(checked, found.session.id, checkedCode(userCode))
      if (!isChecked) return redirect(reply, codeAddress(userCode))
      let authorization
      try {
        authorization = findPendingDevice(deps, userCode)
      } catch (error) {
        if (!(error instanceof Refusal)) throw error
        return sendPage(reply, 400, codePage(found, { value: userCode, error: error.message }))
      }
      const page = renderDeviceConsentPage({
        app: consentApp(deps, requireClient(authorization)),
        scopes: authorization.scopes,
        organizations: consentOrganizations(deps, found.user, new Set()),
        userCode,
        nonce: nonces.make(found.session.id, 'device'),
        session: { username: found.user.username, next: codeAddress(userCode) },
      })
      return sendPage(reply, 200, page)
    },
  )

  const outcome = {
    summary: 'What became of a device',
    tags,
  }
  app.get<{ Querystring: CodeQuery }>(
    '/oauth/device/done',
    { schema: outcome },
    (request, reply) => {
      const found = browserSession(deps, request)
      const userCode = textOf(request.query.user_code)
      const authorization = deps.state.deviceAuthorizations.find('userCode', userCode)
      if (found === undefined || authorization?.userId !== found.user.id) {
        return redirect(reply, '/oauth/device')
      }
      const page = renderDeviceDonePage({
        appName: requireClient(authorization).name,
        approved: authorization.status !== 'denied',
        session: { username: found.user.username, next: '/oauth/device' },
      })
      return sendPage(reply, 200, page)
    },
  )

  function requireClient({ clientId }: DeviceAuthorization): App {
    const client = deps.state.apps.get(clientId)
    if (client !== undefined) return client
    throw new Refusal('unknown_client', 'The app behind this code no longer exists.')
  }

  function codePage(
    { session, user }: NonNullable<ReturnType<typeof browserSession>>,
    input: { value?: string; error?: string },
  ): string {
    return renderDeviceCodePage({
      nonce: nonces.make(session.id, 'device'),
      session: { username: user.username, next: '/oauth/device' },
      ...input,
    })
  }
}

interface CodeQuery {
  user_code?: unknown
}

/** A parameter that comes twice is none. */
function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

function checkedCode(userCode: string): string {
  return `device ${userCode}`
}

function codeAddress(userCode: string): string {
  return `/oauth/device?user_code=${encodeURIComponent(userCode)}`
}

/** After a post, so that reloading what follows sends nothing again. */
function redirect(reply: FastifyReply, path: string): FastifyReply {
  return reply.header('Cache-Control', 'no-store').redirect(path, 303)
}
