import type { FastifyInstance } from 'fastify'
import {
  assertShallowJson,
  deepestJson,
  mostImportValues,
  mostJsonValues,
} from '../../core/json-depth.ts'
import { nextTurn } from '../../core/timers.ts'

import { largestImportBytes } from '../../contract/fixtures/limits.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Source text of the parsed body, for the request log. */
    bodyText: string | undefined
  }
}

/**
 * Registers body parsers in addition to Fastify's own. A form becomes `URLSearchParams`, so that a repeated parameter can be
 * detected. An empty JSON body counts as no body, because the Hub's JavaScript client sends the content type without one.
 * JSON that is nested deeply, or has too many values, is refused before it is parsed; fixtures files may have more values.
 */
export function registerBodyParsers(app: FastifyInstance): void {
  app.decorateRequest('bodyText', undefined)
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string' },
    (request, body, done) => {
      request.bodyText = body.toString()
      done(null, new URLSearchParams(request.bodyText))
    },
  )
  const parseJson = app.getDefaultJsonParser('error', 'error')
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (body === '') return done(null, undefined)
    const text = (request.bodyText = body.toString())
    const { bodyLimit } = request.routeOptions
    const isFile = bodyLimit !== undefined && bodyLimit >= largestImportBytes
    try {
      assertShallowJson(text, deepestJson, isFile ? mostImportValues : mostJsonValues)
    } catch (error) {
      return done(error as Error)
    }
    if (isFile) void nextTurn().then(() => parseJson(request, text, done))
    else void parseJson(request, text, done)
  })
}
