import type { RequestListener, ServerResponse } from 'node:http'
import type { FastifyInstance } from 'fastify'
import type { Inject } from './inject.ts'
import { originForm } from './plugins/absolute-form.ts'

/** The server as a whole, whichever of its apps answers a request. */
export interface SandboxApp {
  readonly routing: RequestListener
  readonly inject: Inject
  readonly log: FastifyInstance['log']
  /** Resolves when nothing is answered any more. */
  close(): Promise<void>
}

/**
 * Leads requests below `/_sandbox` to the control app and all others to the hub. The control app is built when the
 * first request for it comes; those that come meanwhile wait. A build that fails is tried again by the next request.
 */
export function openFrontDoor(
  hub: FastifyInstance,
  buildControl: () => Promise<FastifyInstance>,
): SandboxApp {
  let control: FastifyInstance | undefined
  let building: Promise<FastifyInstance> | undefined
  let isClosing = false

  function openControl(): Promise<FastifyInstance> {
    return (building ??= buildControl().then(
      (built) => (control = built),
      (error: unknown) => {
        building = undefined
        throw error
      },
    ))
  }

  /** A server that stops builds nothing any more: the hub says that it stops. */
  const appFor = (isControl: boolean) => (isControl && !isClosing ? control : hub)

  return {
    log: hub.log,
    routing(request, response) {
      const app = appFor(isControlAddress(originForm(request)))
      if (app !== undefined) return app.routing(request, response)
      openControl().then(
        (built) => built.routing(request, response),
        (error: unknown) => {
          hub.log.error(error)
          refuse(response)
        },
      )
    },
    async inject(request) {
      const url = typeof request === 'string' ? request : request.url
      const isControl = isControlAddress(new URL(url, 'http://localhost').pathname)
      const app = appFor(isControl) ?? (await openControl())
      return app.inject(request)
    },
    async close() {
      isClosing = true
      // Requests that wait for the control app are handed to it before it closes.
      const closed = building?.then((built) => built.close())
      await Promise.all([hub.close(), closed?.catch(() => undefined)])
    },
  }
}

/** @param url path and query of a request */
function isControlAddress(url: string): boolean {
  return /^\/_sandbox(?:[/?#]|$)/.test(url)
}

/** Nothing of the request has been checked: it is told nothing of what went wrong. */
function refuse(response: ServerResponse): void {
  const message = 'The control API could not be opened; the log tells why. Ask again to try again.'
  const body = JSON.stringify({ error: 'failed', message })
  response
    .writeHead(500, {
      'content-type': 'application/json; charset=utf-8',
      'content-length': Buffer.byteLength(body),
      'cache-control': 'no-store',
    })
    .end(body)
}
