import type { ControlTransport } from '../handle/control-client.ts'
import type { SandboxApp } from '../http/front-door.ts'
import type { Settings } from '../core/settings.ts'

/** Where the sandbox itself sends its requests: under the name of the real Hub nobody reaches its control API. */
export function ownUrl({ baseUrl, interceptedOrigins }: Settings, localUrl: string): string {
  return interceptedOrigins === undefined ? baseUrl : localUrl
}

/** Headers by which the sandbox takes a request for its own. */
export function ownHeaders(settings: Settings, localUrl: string): Record<string, string> {
  const { controlToken } = settings
  return {
    host: new URL(ownUrl(settings, localUrl)).host,
    ...(controlToken === undefined ? {} : { authorization: `Bearer ${controlToken}` }),
  }
}

/** Sends requests to the routes of a sandbox of this process, without a socket. */
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

/** The control API of a sandbox of this process. */
export function ownTransport(
  app: SandboxApp,
  settings: Settings,
  localUrl: string,
): ControlTransport {
  const own = ownHeaders(settings, localUrl)
  const inject = injectInto(app)
  return ({ method, path, headers, body }) => inject(method, path, { ...headers, ...own }, body)
}
