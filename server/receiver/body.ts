import { settlePayload } from './validate.ts'
import type { WebhookPayload } from './payload.ts'
import { Rejection } from './rejection.ts'

/** Largest body, in bytes. */
export const maxBodyBytes = 1024 * 1024

/** Error of adapters if the framework has consumed the body. */
export class BodyConsumedError extends Error {
  override readonly name = 'BodyConsumedError'
}

const consumedMessage =
  'The body was consumed before it reached the receiver. ' +
  'Express: mount hooks.express() before other body parsers, or use express.json(). ' +
  'Fastify: register hooks.fastify() as a plugin, and do not read the body in a hook. ' +
  'Elsewhere: pass the unread request, or request.clone().'

/**
 * Reads the bytes of a delivery.
 * @throws {Rejection} 413 over the limit, 400 when the sender disconnects, 500 when other code has read the stream
 */
export async function readBody(request: Request): Promise<Uint8Array> {
  if (request.bodyUsed) throw new Rejection(500, consumedMessage)
  if (Number(request.headers.get('content-length')) > maxBodyBytes) throw tooLarge()
  if (request.body === null) return new Uint8Array()
  const chunks: Uint8Array[] = []
  let size = 0
  try {
    // Leaving the loop early cancels the stream, so the rest of a large body is not kept.
    for await (const chunk of request.body as ReadableStream<Uint8Array>) {
      size += chunk.byteLength
      if (size > maxBodyBytes) throw tooLarge()
      chunks.push(chunk)
    }
  } catch (error) {
    if (error instanceof Rejection) throw error
    if (error instanceof BodyConsumedError) throw new Rejection(500, consumedMessage)
    throw new Rejection(400, `The body was cut off: ${(error as Error).message}`)
  }
  return Buffer.concat(chunks)
}

/**
 * Parses and checks the bytes of a delivery.
 * @throws {Rejection} 422 with the path of each mistake
 */
export function parseBody(bytes: Uint8Array): WebhookPayload {
  const body = parseJson(bytes)
  const issues = settlePayload(body)
  if (issues.length > 0) throw invalid(issues)
  return body as WebhookPayload
}

/** @throws {Rejection} 415 unless the content type is JSON */
export function assertJsonContent(request: Request): void {
  const type = request.headers.get('content-type')
  if (type !== null && /^application\/(?:[\w.-]+\+)?json\s*(?:;|$)/i.test(type)) return
  throw new Rejection(
    415,
    `Content-Type must be application/json, got ${type === null ? 'none' : JSON.stringify(type)}.`,
  )
}

function parseJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch (error) {
    throw invalid([{ path: '', message: `is not JSON: ${(error as Error).message}` }])
  }
}

function invalid(issues: ReturnType<typeof settlePayload>): Rejection {
  const [first] = issues
  const where = first?.path === '' ? 'The body' : first?.path
  return new Rejection(422, `Invalid webhook payload. ${where} ${first?.message}.`, { issues })
}

function tooLarge(): Rejection {
  return new Rejection(413, `The body is larger than ${maxBodyBytes} bytes.`)
}
