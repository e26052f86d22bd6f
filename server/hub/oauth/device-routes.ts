import { encodeText } from '../../core/encode-text.ts'
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import type { HubServices } from '../services.ts'
import {
  CodeRefusal,
  readDeviceQuestion,
  requireDeviceClient,
  verifyDevice,
} from './device-verification.ts'
import type { FormNonces } from './form-nonce.ts'
import { readPageForm } from './forms.ts'
import { loginAddress } from './login-address.ts'
import {
  renderDeviceCodePage,
  renderDeviceConsentPage,
  renderDeviceDonePage,
} from '../pages/device-page.ts'
import { sendPage } from '../../web/plugins/page-headers.ts'
import { noteRefusal, statusOf } from '../../web/plugins/refusals.ts'
import type { Session } from '../../store/entities/account-entities.ts'
import { consentApp, consentOrganizations } from '../pages/consent-view.ts'
import { registerPageErrors } from '../pages/page-errors.ts'
import {
  type BrowserSession,
  browserSession,
  ownerOf,
  takeFormPost,
} from '../pages/page-session.ts'
import { site } from '../http/site-route.ts'

/** Pages where a user enters a device code and decides. */
export const oauthDeviceRoutes: FastifyPluginAsync<{
  deps: HubServices
  nonces: FormNonces
}> = async (app, { deps, nonces }) => {
  registerPageErrors(app, deps)
  const { guesses } = deps

  site(app, 'GET /oauth/device', (request, reply) => {
    const found = browserSession(deps, request)
    if (found === undefined) return reply.redirect(loginAddress(request.url), 303)
    // A code in the URL only fills the form: the user still confirms on the next page (RFC 8628 §5.4).
    const value = request.query['user_code']
    return sendPage(reply, 200, codePage(found, typeof value === 'string' ? { value } : {}))
  })

  site(app, 'POST /oauth/device/verify', async (request, reply) => {
    const found = browserSession(deps, request)
    if (found === undefined) return reply.redirect('/login?next=/oauth/device', 303)
    const form = readPageForm(request.body)
    const userCode = form.get('user_code') ?? ''
    const post = { form, found, subject: 'device', startOver: '/oauth/device' }
    try {
      const { outcome: next } = await takeFormPost(
        { nonces, settings: deps.settings },
        request,
        post,
        async () => {
          const verified = verifyDevice(deps, guesses, {
            user: found.user,
            authTime: found.session.createdAt,
            userCode,
            decision: form.get('decision'),
            organizationIds: form.getAll('organization'),
          })
          return addressAfter(found.session, verified)
        },
      )
      return redirect(reply, next)
    } catch (error) {
      return sendTypeAgain(request, reply, { found, userCode, error })
    }
  })

  // Only a typed code leads here: a direct link would let others guess codes and send links to this page.
  site(app, 'GET /oauth/device/verify', async (request, reply) => {
    const found = browserSession(deps, request)
    if (found === undefined) return redirect(reply, '/login?next=/oauth/device')
    const checked = request.query['checked']
    const userCode = textOf(request.query['user_code'])
    const isChecked =
      typeof checked === 'string' && nonces.isSeal(checked, found.session.id, checkedCode(userCode))
    if (!isChecked) return redirect(reply, codeAddress(userCode))
    try {
      return sendPage(reply, 200, await consentPage(found, userCode))
    } catch (error) {
      return sendTypeAgain(request, reply, { found, userCode, error })
    }
  })

  site(app, 'GET /oauth/device/done', (request, reply) => {
    const found = browserSession(deps, request)
    const userCode = textOf(request.query['user_code'])
    const authorization = deps.state.deviceAuthorizations.find('userCode', userCode)
    if (found === undefined || authorization?.userId !== found.user.id) {
      return redirect(reply, '/oauth/device')
    }
    const page = renderDeviceDonePage({
      appName: requireDeviceClient(deps, authorization).name,
      approved: authorization.status !== 'denied',
      session: { username: found.user.username, next: '/oauth/device' },
    })
    return sendPage(reply, 200, page)
  })

  /** @throws {CodeRefusal} for an unknown, expired or used code */
  async function consentPage(found: BrowserSession, userCode: string) {
    const { user } = found
    const { app: client, authorization } = readDeviceQuestion(deps, userCode)
    return renderDeviceConsentPage({
      app: consentApp(deps, client),
      scopes: authorization.scopes,
      organizations: consentOrganizations(deps, user, new Set()),
      userCode,
      nonce: nonces.make(ownerOf(found), 'device'),
      session: { username: user.username, next: codeAddress(userCode) },
    })
  }

  function addressAfter(
    session: Session,
    { userCode, isAnswered }: { userCode: string; isAnswered: boolean },
  ): string {
    if (isAnswered) return `/oauth/device/done?user_code=${userCode}`
    const checked = nonces.seal(session.id, checkedCode(userCode))
    return `/oauth/device/verify?user_code=${userCode}&checked=${checked}`
  }

  /** Shows the form again; errors unrelated to the code go to the error page. */
  function sendTypeAgain(
    request: FastifyRequest,
    reply: FastifyReply,
    { found, userCode, error }: { found: BrowserSession; userCode: string; error: unknown },
  ): FastifyReply {
    if (!(error instanceof CodeRefusal)) throw error
    noteRefusal(request, error.code, error.message)
    const page = codePage(found, { value: userCode, error: error.message })
    return sendPage(reply, statusOf(error), page)
  }

  function codePage(found: BrowserSession, input: { value?: string; error?: string }): string {
    return renderDeviceCodePage({
      nonce: nonces.make(ownerOf(found), 'device'),
      session: { username: found.user.username, next: '/oauth/device' },
      ...input,
    })
  }
}

/** Treats a repeated parameter as missing. */
function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

function checkedCode(userCode: string): string {
  return `device ${userCode}`
}

function codeAddress(userCode: string): string {
  return `/oauth/device?user_code=${encodeText(userCode)}`
}

/** Redirects after a POST, so that a reload repeats nothing. */
function redirect(reply: FastifyReply, path: string): FastifyReply {
  return reply.header('cache-control', 'no-store').redirect(path, 303)
}
