import { json } from 'node:stream/consumers'
import { omitUndefined } from '../core/omit-undefined.ts'
import type { ControlArguments, ControlLine, ControlStreamKey } from '../contract/control-call.ts'
import { controlRequest } from '../contract/control-request.ts'
import { withoutSigningKey } from '../fixtures/export/export-fixtures.ts'
import { type ControlTransport, createControlCall } from '../embedded/control-client.ts'
import { ControlError } from '../embedded/control-error.ts'
import { parsedLines } from '../embedded/lines.ts'
import type { Sandbox } from '../embedded/sandbox-api.ts'
import type { SandboxServer } from '../embedded/sandbox-server.ts'
import type { RunningSandbox } from './run.ts'

/**
 * A sandbox that runs in this process, as its handle asks for it: by the same routes as a program outside.
 * @param fork makes another from its present state
 */
export function embed(running: RunningSandbox, fork: () => Promise<Sandbox>): SandboxServer {
  const { app, deps, url: issuer, localUrl, dashboardUrl, notices, certificatePath } = running
  const { controlToken, interceptedOrigins } = deps.settings
  // Under the name of the real hub it is reached by who is led there alone, and its control API by nobody.
  const url = interceptedOrigins === undefined ? issuer : localUrl
  const own = {
    host: new URL(url).host,
    ...(controlToken === undefined ? {} : { authorization: `Bearer ${controlToken}` }),
  }
  async function inject(
    method: string,
    path: string,
    headers: Readonly<Record<string, string>>,
    body: unknown,
  ) {
    const answer = await app.inject({
      method: method as 'GET',
      url: path,
      headers: { ...headers },
      ...(body === undefined ? {} : { payload: body as object }),
    })
    return { status: answer.statusCode, body: answer.body === '' ? {} : answer.json() }
  }
  const transport: ControlTransport = ({ method, path, headers, body }) =>
    inject(method, path, { ...headers, ...own }, body)
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
      // What a socket would tell the server: the caller has hung up.
      const hangUp = () => raw.res.destroy()
      signal.addEventListener('abort', hangUp)
      try {
        if (signal.aborted) return
        if (statusCode !== 200) throw new ControlError(statusCode, await json(stream()))
        yield* parsedLines<ControlLine<K>>(stream())
      } catch (error) {
        // Whoever has hung up hears of no broken stream.
        if (!signal.aborted) throw error
      } finally {
        signal.removeEventListener('abort', hangUp)
        hangUp()
      }
    },
    async reset() {
      // Tests reset before anything else: the control API, most of which a suite never needs, is not built for that.
      try {
        deps.reset()
      } catch {
        // Nothing has changed, and the control API words the refusal.
        await createControlCall(transport)('POST reset')
      }
      await deps.committed()
    },
    fork,
    close: () => running.close(),
  }
}
