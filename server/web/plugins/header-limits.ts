import type { IncomingMessage } from 'node:http'
import type { FastifyInstance } from 'fastify'
import {
  headersTooLarge,
  maxHeaderBytes,
  maxTargetBytes,
  targetTooLong,
} from '../../core/header-limit.ts'
import { hasTooManyHeaderLines, tooManyHeaderLines } from '../../core/header-lines.ts'
import { HttpRefusal } from './refusals.ts'

/**
 * Refuses requests with headers larger than {@link maxHeaderBytes}, or with too many lines of them (RFC 6585 §5),
 * or with a URL longer than {@link maxTargetBytes} (RFC 9110 §15.5.15).
 */
export function registerHeaderLimit(app: FastifyInstance): void {
  app.addHook('onRequest', ({ raw }, _reply, done) => done(refusalOf(raw)))
}

function refusalOf(raw: IncomingMessage): HttpRefusal | undefined {
  if ((raw.url ?? '').length > maxTargetBytes) return new HttpRefusal(414, 'invalid', targetTooLong)
  if (headerBytes(raw) > maxHeaderBytes) return new HttpRefusal(431, 'invalid', headersTooLarge)
  return hasTooManyHeaderLines(raw)
    ? new HttpRefusal(431, 'invalid', tooManyHeaderLines)
    : undefined
}

/** Returns the bytes of all header names and values: Node decodes each byte as one character. */
export function headerBytes({ rawHeaders }: Pick<IncomingMessage, 'rawHeaders'>): number {
  let bytes = 0
  for (const text of rawHeaders) bytes += text.length
  return bytes
}
