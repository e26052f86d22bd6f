import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import type { HubServices } from '../services.ts'
import {
  approvalLocation,
  codeBar,
  denialLocation,
  denyAuthorization,
  issueCode,
  nextAuthorizationStep,
  type SignedIn,
} from './authorization.ts'
import { readAuthorizationRequest } from './authorization-request.ts'
import type { Clients } from './client-authentication.ts'
import { Refusal } from '../../core/refusal.ts'
import type { FormNonces } from './form-nonce.ts'
import { readPageForm } from './forms.ts'
import { checkRequestLength, loginAddress } from './login-address.ts'
import { renderConsentPage } from '../pages/consent-page.ts'
import { type Requester, requesterOf } from '../../web/plugins/fetch-metadata.ts'
import { HttpRefusal, noteRemark } from '../../web/plugins/refusals.ts'
import { isForeignFrame, mayBeFramed } from '../http/framed-pages.ts'
import { sendPage } from '../../web/plugins/page-headers.ts'
import { clientFinderFor } from '../http/client-finder.ts'
import { consentApp, consentOrganizations } from '../pages/consent-view.ts'
import { registerPageErrors } from '../pages/page-errors.ts'
import { browserSession, ownerOf, StaleFormError, takeFormPost } from '../pages/page-session.ts'
import { isSignInMark, readSignInMark } from '../pages/sign-in-mark.ts'
import { site } from '../http/site-route.ts'

/** The authorization endpoint: the user's pages of the code flow. */
export const oauthAuthorizeRoutes: FastifyPluginAsync<{
  deps: HubServices
  clients: Clients
  nonces: FormNonces
}> = async (app, { deps, clients, nonces }) => {
  registerPageErrors(app, deps, (error) => {
    deps.bus.emit('authorization.denied', {
      clientId: error.clientId,
      error: error.code,
      detail: error.detail ?? error.message,
    })
  })

  site(app, 'GET /oauth/authorize', async (request, reply) => {
    const requester = knownRequester(request)
    const { query, mark } = readQuery(request)
    const authorization = await readAuthorizationRequest(
      deps,
      clientFinderFor(request, clients),
      new URLSearchParams(query),
    )
    noteRemark(request, authorization.remark)
    const isFramed = mayBeFramed(deps, request)
    if (requester === 'frame' && !isFramed && !authorization.prompt.has('none')) refuseFrame()
    const found = browserSession(deps, request)
    const step = nextAuthorizationStep(deps, authorization, found && signedIn(found), {
      justSignedIn: found !== undefined && isSignInMark(nonces, mark, found.session.id, query),
      mayAutoApprove: requester === 'navigation' || requester === 'program',
      isForeignFrame: isForeignFrame(deps, request),
    })
    reply.header('cache-control', 'no-store')
    if (step.kind === 'redirect') return reply.redirect(step.location, 303)
    const here = `/oauth/authorize?${query}`
    if (step.kind === 'login' || found === undefined) return reply.redirect(loginAddress(here), 303)

    const selected = new Set(
      step.organizations
        .filter((choice) => choice.selected)
        .map(({ organization }) => organization.id),
    )
    const page = renderConsentPage({
      app: consentApp(deps, authorization.app),
      scopes: authorization.scopes,
      organizations: consentOrganizations(deps, found.user, selected),
      nonce: nonces.make(ownerOf(found), query),
      action: here,
      redirectUri: authorization.redirectUri,
      session: { username: found.user.username, next: here },
    })
    return sendPage(reply, 200, page, { isFramed })
  })

  // Everything is read and checked again: what a form says about the request is never trusted. A body with a request
  // of its own is a new request (OpenID Connect Core §3.1.2.1), whatever site sends it, and never a decision.
  site(app, 'POST /oauth/authorize', async (request, reply) => {
    const form = readPageForm(request.body)
    if (form.has('client_id')) return askFor(form, reply)
    knownRequester(request)
    const { query } = readQuery(request)
    const authorization = await readAuthorizationRequest(
      deps,
      clientFinderFor(request, clients),
      new URLSearchParams(query),
    )
    noteRemark(request, authorization.remark)
    const startOver = `/oauth/authorize?${query}`
    const found = browserSession(deps, request)
    if (found === undefined) {
      throw new StaleFormError('No user is signed in any more.', startOver)
    }
    const post = { form, found, subject: query, startOver }
    const { outcome: code, isRepeated } = await takeFormPost(
      { nonces, settings: deps.settings },
      request,
      post,
      async () => {
        // A program that posts an empty form approves.
        const decision = form.size === 0 ? 'approve' : form.get('decision')
        if (decision === 'deny') {
          denyAuthorization(deps, authorization, found.user)
          return denied
        }
        if (decision !== 'approve') {
          throw new Refusal('invalid_request', 'decision must be approve or deny.')
        }
        const answer = { organizationIds: form.getAll('organization'), onPage: true }
        return issueCode(deps, authorization, signedIn(found), form.has('nonce') ? answer : {})
      },
    )
    const bar = code === denied || !isRepeated ? undefined : codeBar(deps, code)
    if (bar !== undefined) {
      throw new StaleFormError(`This page was already submitted, and ${bar}.`, startOver)
    }
    const location =
      code === denied ? denialLocation(authorization) : approvalLocation(authorization, code)
    return reply.header('cache-control', 'no-store').redirect(location, 303)
  })
}

/** Outcome of a denial, which has no code. */
const denied = ''

/**
 * Identifies the requester. A foreign page that loads this URL as an image is refused before any lookup.
 * @throws {Refusal} `access_denied` (403)
 */
function knownRequester({ headers }: FastifyRequest): Requester {
  const requester = requesterOf(headers)
  if (requester === 'subresource' && headers['sec-fetch-site'] !== 'same-origin') {
    throw new HttpRefusal(
      403,
      'access_denied',
      'A page asked for this address in the background. Sign-ins begin by a link or a redirect of the window.',
    )
  }
  return requester
}

/** Refuses consent in a frame, since a page may hide its frames. */
function refuseFrame(): never {
  throw new HttpRefusal(
    403,
    'access_denied',
    'A frame gets a response only with prompt=none, or in a Space frame of the dashboard. Start the sign-in with a link or a redirect of the window.',
  )
}

function askFor(request: URLSearchParams, reply: FastifyReply): FastifyReply {
  const query = String(request)
  checkRequestLength(query)
  return reply.header('cache-control', 'no-store').redirect(`/oauth/authorize?${query}`, 303)
}

function signedIn({ session, user }: NonNullable<ReturnType<typeof browserSession>>): SignedIn {
  return { user, authTime: session.createdAt }
}

/** Reads the request from the query, as its client built it. */
function readQuery({ url }: FastifyRequest): { query: string; mark?: string } {
  const start = url.indexOf('?')
  const read = readSignInMark(start < 0 ? '' : url.slice(start + 1))
  checkRequestLength(read.query)
  return read
}
