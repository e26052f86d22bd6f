import type { ControlTransport } from '../web/control-client.ts'
import type { SandboxApp } from '../web/front-door.ts'
import type { Settings } from '../core/settings.ts'

/** URL for requests of the sandbox to itself: its control API is not reachable by the name of the real Hub. */
export function ownUrl({ baseUrl, interceptedOrigins }: Settings, localUrl: string): string {
  return interceptedOrigins === undefined ? baseUrl : localUrl
}

/** Headers that identify requests of the sandbox to itself. */
export function ownHeaders(settings: Settings, localUrl: string): Record<string, string> {
  const { controlToken } = settings
  return {
    host: new URL(ownUrl(settings, localUrl)).host,
    ...(controlToken === undefined ? {} : { authorization: `Bearer ${controlToken}` }),
  }
}

/** Sends requests to a sandbox of this process without a socket. */
export function injectInto(app: SandboxApp) {
  return async (
    method: string,
    path: string,
    headers: Readonly<Record<string, string>>,
    body: unknown,
  ) => {
    const response = await app.inject({
      method: method as 'GET',
      url: path,
      headers: { ...headers },
      ...(body === undefined ? {} : { payload: body as object }),
    })
    return {
      status: response.statusCode,
      body: response.body === '' ? {} : response.json<unknown>(),
    }
  }
}

/** Control API of a sandbox of this process. */
export function ownTransport(
  app: SandboxApp,
  settings: Settings,
  localUrl: string,
): ControlTransport {
  const own = ownHeaders(settings, localUrl)
  const inject = injectInto(app)
  return ({ method, path, headers, body }) => inject(method, path, { ...headers, ...own }, body)
}
