import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { isOAuthCode, Refusal } from '../../core/refusal.ts'
import { wireDescription } from '../oauth/wire-description.ts'
import { own } from '../../core/own.ts'
import {
  bearerChallenge,
  headerText,
  HttpRefusal,
  noteRefusal,
  statusOf,
  textOfFailure,
} from '../../web/plugins/refusals.ts'

/** Refusals by Fastify before the route runs, by its error code. */
export type BodyRefusals = Readonly<
  Record<string, { status: number; code?: 'invalid_client_metadata'; description: string }>
>

/** Refusals of a form, with the error codes of RFC 6749 §5.2. */
export const formRefusals: BodyRefusals = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: {
    status: 400,
    description: 'Send the body as application/x-www-form-urlencoded.',
  },
  FST_ERR_CTP_BODY_TOO_LARGE: { status: 413, description: 'The body is too large.' },
  FST_ERR_CTP_INVALID_JSON_BODY: { status: 400, description: 'The body is not valid JSON.' },
  FST_ERR_CTP_EMPTY_JSON_BODY: { status: 400, description: 'The body is empty.' },
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: {
    status: 400,
    description: 'The body is not as long as Content-Length says.',
  },
}

/** Returns the RFCs' code and description of an error; an unexpected one is only `server_error`. */
export function toOAuthRefusal(error: unknown, bodies = formRefusals): Refusal {
  if (error instanceof Refusal && isOAuthCode(error.code)) return error
  if (error instanceof HttpRefusal) {
    return new HttpRefusal(error.status, 'invalid_request', error.message)
  }
  const { code = '', statusCode = 500, message = '' } = error as Partial<FastifyError>
  const refusal = own(bodies, code)
  if (refusal !== undefined) {
    const { status, code: word = 'invalid_request', description } = refusal
    return new HttpRefusal(status, word, description)
  }
  if (statusCode >= 400 && statusCode < 500) {
    return new HttpRefusal(statusCode, 'invalid_request', message)
  }
  return new Refusal('server_error', textOfFailure(error), { cause: error })
}

/**
 * Sends an error as JSON with the headers of its RFC: `WWW-Authenticate: Basic` when Basic was used
 * (RFC 6749 §5.2), a Bearer challenge for token errors, which names the error only where a token was sent (RFC 6750 §3).
 */
export function sendOAuthError(reply: FastifyReply, refusal: Refusal): FastifyReply {
  const { code, message } = refusal
  const { body, headers } = reply.request
  const { authorization } = headers
  if (code === 'invalid_client') {
    if (authorization !== undefined) reply.header('www-authenticate', 'Basic realm="hub-sandbox"')
  } else if (code === 'invalid_token' || code === 'insufficient_scope') {
    const sentToken =
      authorization !== undefined ||
      (body instanceof URLSearchParams && body.get('access_token') !== null)
    const challenge = sentToken
      ? `${bearerChallenge}, error="${code}", error_description="${wireDescription(message)}"`
      : bearerChallenge
    reply.header('www-authenticate', challenge).header('x-error-message', headerText(message))
  }
  return reply
    .code(statusOf(refusal))
    .header('cache-control', 'no-store')
    .header('pragma', 'no-cache')
    .send({ error: code, error_description: wireDescription(message) })
}

/**
 * Sends errors of the OAuth endpoints registered on this instance as {@link answerOAuthError} does.
 * @param bodies refusals of bodies that no route sees
 */
export function registerOAuthErrors(app: FastifyInstance, bodies = formRefusals): void {
  app.setErrorHandler((error, request, reply) => answerOAuthError(error, request, reply, bodies))
}

/** Sends an error with the codes of the RFCs, and records it in the request log. */
export function answerOAuthError(
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
  bodies = formRefusals,
): FastifyReply {
  const refusal = toOAuthRefusal(error, bodies)
  noteRefusal(request, refusal.code, refusal.detail ?? refusal.message)
  if (refusal.code === 'server_error') request.log.error(error)
  return sendOAuthError(reply, refusal)
}
