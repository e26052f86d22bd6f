import type { RequestListener, ServerResponse } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { addressOf } from '../core/request-target.ts'
import type { Inject } from './inject.ts'
import { originForm } from './plugins/absolute-form.ts'

/** The whole server with all of its apps. */
export interface SandboxApp {
  readonly routing: RequestListener
  readonly inject: Inject
  readonly log: FastifyInstance['log']
  /** Resolves when all responses are sent. */
  close(): Promise<void>
}

/** App that is built at its first request; requests meanwhile wait. */
export interface LateApp<Built> {
  /** @param url path and query of a request */
  leads(url: string): boolean
  /** Absent = not built yet. */
  built(): FastifyInstance | undefined
  /** Builds the app; the next request retries a failed build. */
  open(): Promise<Built>
  close(): Promise<void>
}

/** @param build called once, and again after a failure */
export function createLateApp<Built extends { app: FastifyInstance }>(
  leads: (url: string) => boolean,
  build: () => Promise<Built>,
): LateApp<Built> {
  let built: FastifyInstance | undefined
  let building: Promise<Built> | undefined
  return {
    leads,
    built: () => built,
    open: () =>
      (building ??= build().then(
        (opened) => {
          built = opened.app
          return opened
        },
        (error: unknown) => {
          building = undefined
          throw error
        },
      )),
    async close() {
      // Waiting requests are passed to the app before it closes.
      const opened = await building?.catch(() => undefined)
      await opened?.app.close()
    },
  }
}

/** Routes each request to the late app of its URL, or else to the main app. */
export function openFrontDoor(
  first: FastifyInstance,
  late: readonly LateApp<{ app: FastifyInstance }>[],
): SandboxApp {
  let isClosing = false

  /** Chooses the app. A stopping server builds none: the main app responds that it stops. */
  function choose(url: string): FastifyInstance | LateApp<{ app: FastifyInstance }> {
    const found = late.find((one) => one.leads(url))
    if (found === undefined) return first
    return found.built() ?? (isClosing ? first : found)
  }

  return {
    log: first.log,
    routing(request, response) {
      const chosen = choose(originForm(request))
      if ('routing' in chosen) return chosen.routing(request, response)
      chosen.open().then(
        ({ app }) => app.routing(request, response),
        (error: unknown) => {
          first.log.error(error)
          refuse(response)
        },
      )
    },
    async inject(request) {
      const url = typeof request === 'string' ? request : request.url
      const chosen = choose(addressOf(url, 'http://localhost')?.pathname ?? url)
      const app = 'routing' in chosen ? chosen : (await chosen.open()).app
      return app.inject(request)
    },
    async close() {
      isClosing = true
      await Promise.all([first.close(), ...late.map((one) => one.close())])
    },
  }
}

/** Sends a bare 500: the request is unchecked, so the response has no details. */
function refuse(response: ServerResponse): void {
  const message =
    'This part of the server failed to start; the log has the reason. The next request starts it again.'
  const body = JSON.stringify({ error: 'failed', message })
  response
    .writeHead(500, {
      'content-type': 'application/json; charset=utf-8',
      'content-length': Buffer.byteLength(body),
      'cache-control': 'no-store',
    })
    .end(body)
}
