import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import type { ChatBody } from '../contract/hub-inference.ts'
import { completeChat } from '../hub/inference/chat.ts'
import { chatEvents } from '../hub/inference/chat-chunks.ts'
import { HttpRefusal } from './plugins/refusals.ts'
import type { ServerDeps } from './server-deps.ts'

/**
 * Sends the completion of a conversation, as a stream if the request asks for one.
 * @throws {HttpRefusal} the error of a rule
 */
export function sendCompletion(
  deps: ServerDeps,
  reply: FastifyReply,
  { model, body }: { model: string; body: ChatBody },
): FastifyReply {
  const result = completeChat(deps, { rules: deps.fixtures().inference.rules, model, body })
  if ('error' in result) {
    const { status, message } = result.error
    throw new HttpRefusal(status, 'invalid', message, { detail: 'a rule of the fixtures' })
  }
  if (body.stream !== true) return reply.send(result.completion)
  const includeUsage = body.stream_options?.include_usage === true
  return reply
    .type('text/event-stream')
    .header('cache-control', 'no-cache')
    .send(Readable.from(chatEvents(result.completion, includeUsage)))
}
