import type { FastifyInstance } from 'fastify'
import { isLoopbackHost } from '../../core/loopback.ts'
import type { Settings } from '../../core/settings.ts'

type HostSettings = Pick<Settings, 'baseUrl' | 'allowHosts' | 'allowAddressHosts'>

/**
 * Whether a request names a host that the sandbox goes by. A page elsewhere can make its own name resolve to
 * loopback (DNS rebinding); the `Host` header then still tells that name.
 */
export function isKnownHost(settings: HostSettings, host: string | undefined): boolean {
  const name = hostName(host)
  if (name === undefined) return false
  if (isLoopbackHost(name)) return true
  if (name === new URL(settings.baseUrl).hostname) return true
  if (settings.allowHosts.some((allowed) => hostName(allowed) === name)) return true
  return settings.allowAddressHosts && /^(\d{1,3}(\.\d{1,3}){3}|\[[\da-f:.]+\])$/.test(name)
}

function hostName(host: string | undefined): string | undefined {
  const match = /^(\[[\da-f:.]+\]|[a-z\d._-]+)(?::\d{1,5})?$/.exec(host?.toLowerCase() ?? '')
  return match?.[1]?.replace(/\.$/, '')
}

function unknownHostMessage(host: string): string {
  return `The sandbox does not answer for the host ${JSON.stringify(host)}. If you reach it by this name on purpose, start it with --allow-host ${hostName(host) ?? 'NAME'}.`
}

export function registerHostGuard(app: FastifyInstance, settings: HostSettings): void {
  app.addHook('onRequest', (request, reply, done) => {
    if (isKnownHost(settings, request.headers.host)) return done()
    const { host } = request.headers
    if (host === undefined) {
      // RFC 9112 §3.2
      reply.code(400).send({ error: 'missing_host', message: 'The request names no Host.' })
      return
    }
    reply.code(403).send({ error: 'forbidden_host', message: unknownHostMessage(host) })
  })
}
