import type { IncomingMessage } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { headersTooLarge, maxHeaderBytes } from '../../core/header-limit.ts'
import { hasTooManyHeaderLines, tooManyHeaderLines } from '../../core/header-lines.ts'
import { HttpRefusal } from './refusals.ts'

/** Refuses requests with headers larger than {@link maxHeaderBytes}, or with too many lines of them (RFC 6585 §5). */
export function registerHeaderLimit(app: FastifyInstance): void {
  app.addHook('onRequest', ({ raw }, _reply, done) => {
    const problem =
      headerBytes(raw) > maxHeaderBytes
        ? headersTooLarge
        : hasTooManyHeaderLines(raw)
          ? tooManyHeaderLines
          : undefined
    done(problem === undefined ? undefined : new HttpRefusal(431, 'invalid', problem))
  })
}

/** Bytes of the names and values of a request's headers: Node reads each byte as a character. */
export function headerBytes({ rawHeaders }: Pick<IncomingMessage, 'rawHeaders'>): number {
  let bytes = 0
  for (const text of rawHeaders) bytes += text.length
  return bytes
}
