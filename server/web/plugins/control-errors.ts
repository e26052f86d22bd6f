import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { ConfigError } from '../../core/config-error.ts'
import type { ErrorBody } from '../../contract/control.ts'
import type { Issue } from '../../core/config-error.ts'
import { isOAuthCode, Refusal, type RefusalReason } from '../../core/refusal.ts'
import { wholeSentence } from '../../core/sentence.ts'
import { noteRefusal, statusOf, textOfFailure } from './refusals.ts'

/** Error codes of the control API; an error without one is named by its status. */
const words: Partial<Record<RefusalReason, string>> = {
  invalid: 'invalid_request',
  invalid_shape: 'invalid_request',
  unknown_client: 'invalid_client',
  forbidden: 'forbidden',
  not_found: 'not_found',
  conflict: 'conflict',
  rate_limited: 'overloaded',
  overloaded: 'overloaded',
}

/** Sends errors of the routes registered on this instance as {@link sendControlError} does. */
export function registerControlErrors(app: FastifyInstance): void {
  app.setErrorHandler(sendControlError)
}

/** Sends an error in the shape of the control API: `{error, message, issues?}`. */
export function sendControlError(
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const { status, ...body } = describe(error, request)
  if (request.standIn !== undefined) noteRefusal(request, body.error, body.message)
  if (status >= 500) request.log.error(error)
  if (error instanceof Refusal && error.retryAfterSeconds !== undefined) {
    reply.header('retry-after', error.retryAfterSeconds)
  }
  return reply.code(status).send(body)
}

function describe(error: unknown, request: FastifyRequest): ErrorBody & { status: number } {
  if (error instanceof Refusal) return describeRefusal(error)
  if (error instanceof ConfigError) {
    const { message, issues } = error
    return { status: 400, error: 'invalid_fixtures', message, ...withIssues(issues) }
  }
  const { code, statusCode = 500, message } = error as FastifyError
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE') {
    const { bodyLimit } = request.routeOptions
    const limit = `The body is larger than ${bodyLimit} bytes, the limit.`
    return { status: statusCode, error: 'invalid_request', message: limit }
  }
  if (statusCode < 500) return { status: statusCode, error: 'invalid_request', message }
  return { status: 500, error: 'failed', message: textOfFailure(error) }
}

function describeRefusal(refusal: Refusal): ErrorBody & { status: number } {
  const { code, message, detail, issues } = refusal
  const status = statusOf(refusal)
  if (isOAuthCode(code)) {
    // The caller is the developer, so the response may contain the reason.
    const sentences = [message, detail].filter((text) => text !== undefined).map(wholeSentence)
    return { status, error: code, message: sentences.join(' ') }
  }
  return { status, error: words[code] ?? `http_${status}`, message, ...withIssues(issues) }
}

function withIssues(issues: readonly Issue[]): { issues?: Issue[] } {
  return issues.length === 0 ? {} : { issues: [...issues] }
}
