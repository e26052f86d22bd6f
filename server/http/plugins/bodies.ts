import type { FastifyInstance } from 'fastify'
import { assertShallowJson } from '../../core/json-depth.ts'

/**
 * Body parsers beside Fastify's own. A form arrives as `URLSearchParams`, so that a repeated parameter can be told;
 * an empty JSON body counts as none, since the hub's JavaScript client sends its content type with nothing behind it.
 * Deeply nested JSON is refused before it is parsed: it would break whoever works through it later.
 */
export function registerBodyParsers(app: FastifyInstance): void {
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string' },
    (_request, body, done) => done(null, new URLSearchParams(body.toString())),
  )
  const parseJson = app.getDefaultJsonParser('error', 'error')
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (body === '') return done(null, undefined)
    const text = body.toString()
    try {
      assertShallowJson(text)
    } catch (error) {
      return done(error as Error)
    }
    void parseJson(request, text, done)
  })
}
