import { json } from 'node:stream/consumers'
import { omitUndefined } from '../core/omit-undefined.ts'
import type { ControlArguments, ControlLine, ControlStreamKey } from '../contract/control-call.ts'
import { controlRequest } from '../contract/control-request.ts'
import { withoutSigningKey } from '../fixtures/export-fixtures.ts'
import { createControlCall } from '../web/control-client.ts'
import { ControlError } from '../web/control-error.ts'
import { parsedLines } from './lines.ts'
import type { Sandbox } from './sandbox-api.ts'
import type { SandboxServer } from './sandbox-server.ts'
import { injectInto, ownHeaders, ownTransport, ownUrl } from '../app/own-transport.ts'
import type { RunningSandbox } from '../app/run-sandbox.ts'

/**
 * Connects a handle with a sandbox of this process, by the same routes as other programs use.
 * @param fork starts another sandbox from the present state
 */
export function embed(running: RunningSandbox, fork: () => Promise<Sandbox>): SandboxServer {
  const { app, deps, url: issuer, localUrl, dashboardUrl, notices, certificatePath } = running
  const url = ownUrl(deps.settings, localUrl)
  const own = ownHeaders(deps.settings, localUrl)
  const inject = injectInto(app)
  const transport = ownTransport(app, deps.settings, localUrl)
  return {
    url,
    issuer,
    dashboardUrl,
    notices,
    ...omitUndefined({ certificatePath }),
    fixtures: () => withoutSigningKey(deps.fixtures()),
    transport,
    request: ({ method, path, headers, body }) => inject(method, path, headers, body),
    async *lines<K extends ControlStreamKey>(
      signal: AbortSignal,
      key: K,
      ...input: ControlArguments<K>
    ) {
      const { method, path } = controlRequest(key, ...input)
      const { raw, statusCode, stream } = await app.inject({
        method: method as 'GET',
        url: `/_sandbox/api/${path}`,
        headers: own,
        payloadAsStream: true,
      })
      // Reports to the server, as a socket would, that the caller has disconnected.
      const hangUp = () => raw.res.destroy()
      signal.addEventListener('abort', hangUp)
      try {
        if (signal.aborted) return
        if (statusCode >= 400) throw new ControlError(statusCode, await json(stream()))
        yield* parsedLines<ControlLine<K>>(stream())
      } catch (error) {
        // A caller that has disconnected gets no error of the stream.
        if (!signal.aborted) throw error
      } finally {
        signal.removeEventListener('abort', hangUp)
        hangUp()
      }
    },
    async reset() {
      // Tests reset first: the control API is not loaded for that, since most suites never need it.
      try {
        await deps.segments.endBefore(() => deps.reset())
      } catch {
        // Nothing has changed; the control API words the refusal.
        await createControlCall(transport)('POST reset')
      }
      await deps.committed()
    },
    fork,
    close: () => running.close(),
  }
}
