import type { IncomingMessage } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { headersTooLarge, maxHeaderBytes } from '../../core/header-limit.ts'
import { HttpRefusal } from './refusals.ts'

/** Refuses requests whose headers are larger than {@link maxHeaderBytes} (RFC 6585 §5). */
export function registerHeaderLimit(app: FastifyInstance): void {
  app.addHook('onRequest', ({ raw }, _reply, done) => {
    const isTooLarge = headerBytes(raw) > maxHeaderBytes
    done(isTooLarge ? new HttpRefusal(431, 'invalid', headersTooLarge) : undefined)
  })
}

/** Bytes of the names and values of a request's headers: Node reads each byte as a character. */
export function headerBytes({ rawHeaders }: Pick<IncomingMessage, 'rawHeaders'>): number {
  let bytes = 0
  for (const text of rawHeaders) bytes += text.length
  return bytes
}
