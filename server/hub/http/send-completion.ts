import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import type { ChatBody } from '../../contract/hub-inference.ts'
import { completeChat } from '../inference/chat.ts'
import { chatEvents } from '../inference/chat-chunks.ts'
import { HttpRefusal } from '../../web/plugins/refusals.ts'
import type { HubServices } from '../services.ts'

/**
 * Sends the completion of a conversation, as a stream if the request asks for one.
 * @throws {HttpRefusal} the error of a rule
 */
export function sendCompletion(
  deps: HubServices,
  reply: FastifyReply,
  { model, body }: { model: string; body: ChatBody },
): FastifyReply {
  const { request } = reply
  const streamed = body.stream === true
  const result = completeChat(deps, { rules: deps.fixtures().inference.rules, model, body })
  request.inference = { model: request.inference?.model ?? model, streamed, rule: result.rule }
  if ('error' in result) {
    const { status, message } = result.error
    throw new HttpRefusal(status, 'invalid', message, { detail: 'a rule of the fixtures' })
  }
  if (!streamed) return reply.send(result.completion)
  const includeUsage = body.stream_options?.include_usage === true
  return reply
    .type('text/event-stream')
    .header('cache-control', 'no-cache')
    .send(Readable.from(chatEvents(result.completion, includeUsage), { highWaterMark: 1 }))
}
