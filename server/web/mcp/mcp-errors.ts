import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Refusal } from '../../core/refusal.ts'
import { isObject } from '../../core/is-object.ts'
import { errorDescription, noteRefusal, statusOf, textOfFailure } from '../plugins/refusals.ts'

/** Errors of JSON-RPC 2.0 §5.1. The SDK is not imported for them: it is large. */
const parseError = -32_700
const invalidRequest = -32_600
const internalError = -32_603
/** First code that a server may define: the request is refused. */
const serverError = -32_000

/**
 * Sends errors of the routes registered on this instance as JSON-RPC errors; a refusal that a sign-in changes has a challenge.
 * @see MCP 2025-11-25, Authorization, Error Handling; RFC 9728 §5.1
 */
export function registerMcpErrors(app: FastifyInstance): void {
  app.setErrorHandler<FastifyError | Refusal>((error, request, reply) => {
    if (error instanceof Refusal) return sendRefusal(request, reply, error)
    const status = error.statusCode ?? 500
    if (status >= 500) request.log.error(error)
    noteRefusal(request, error.code ?? `http_${status}`, error.message)
    const isUnreadable = error.code === 'FST_ERR_CTP_INVALID_JSON_BODY'
    const code = status >= 500 ? internalError : isUnreadable ? parseError : invalidRequest
    reply.code(status)
    return sendJsonRpcError(
      request,
      reply,
      code,
      status >= 500 ? textOfFailure(error) : error.message,
    )
  })
}

function sendRefusal(request: FastifyRequest, reply: FastifyReply, refusal: Refusal): FastifyReply {
  const { code, detail, message, scope } = refusal
  noteRefusal(request, code, detail ?? message)
  const status = statusOf(refusal)
  if (status === 401 || scope !== undefined) {
    reply.header('www-authenticate', challengeFor(request, refusal))
  }
  return sendJsonRpcError(request, reply.code(status), serverError, message)
}

/** The URL of the metadata is that of the request, so that a client keeps `?login`. */
function challengeFor({ root, url }: FastifyRequest, { code, scope, message }: Refusal): string {
  const metadata = `resource_metadata="${root}/.well-known/oauth-protected-resource/mcp${isLogin(url) ? '?login' : ''}"`
  const description = errorDescription(message)
  if (scope !== undefined) {
    return `Bearer error="insufficient_scope", scope="${scope}", ${metadata}, ${description}`
  }
  // RFC 6750 §3: no error where no credentials were sent.
  return code === 'invalid_token'
    ? `Bearer error="invalid_token", ${metadata}, ${description}`
    : `Bearer ${metadata}`
}

/** Returns whether the URL of a request requires a sign-in. */
export function isLogin(url: string): boolean {
  return /\?(?:.*&)?login(?:[=&]|$)/.test(url)
}

/** Sends a JSON-RPC error with the id of the request, or `null` without a valid one (JSON-RPC 2.0 §5). */
export function sendJsonRpcError(
  { body }: FastifyRequest,
  reply: FastifyReply,
  code: number,
  message: string,
): FastifyReply {
  const { id } = isObject(body) ? body : {}
  const error = { code, message }
  return reply
    .header('cache-control', 'no-store')
    .send({ jsonrpc: '2.0', error, id: isRequestId(id) ? id : null })
}

function isRequestId(id: unknown): id is string | number {
  return typeof id === 'string' || typeof id === 'number'
}
