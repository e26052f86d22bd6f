import type { IncomingMessage, ServerResponse } from 'node:http'
import type { NodeHandler } from './node.ts'

/** Fits `app.use` of Express and of its kin. */
export type ExpressHandler = (
  request: IncomingMessage,
  response: ServerResponse,
  next: () => void,
) => void

/** Answers below `/webhooks`, and leaves every other address to the app. */
export function expressHandler(handle: NodeHandler): ExpressHandler {
  return (request, response, next) => {
    if (/^\/webhooks(?:[/?]|$)/.test(request.url ?? '')) handle(request, response)
    else next()
  }
}
