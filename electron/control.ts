import type { ControlCall } from '../server/contract/control-call.ts'
import { createControlCall } from '../server/web/control-client.ts'
import { omitUndefined } from '../server/core/omit-undefined.ts'
import type { ShownSandbox } from './sandboxes.ts'

/** Timeout: long enough for a busy machine. */
const timeoutMs = 30_000

/** Returns the authorization header with the control token, if any. */
export function controlHeaders({ dashboardUrl }: Pick<ShownSandbox, 'dashboardUrl'>): {
  authorization?: string
} {
  const token = new URL(dashboardUrl).searchParams.get('token')
  return token === null ? {} : { authorization: `Bearer ${token}` }
}

/** Calls the control API of a sandbox in this or another process. */
export function connectControl(sandbox: Pick<ShownSandbox, 'dashboardUrl'>): ControlCall {
  const authorization = controlHeaders(sandbox)
  return createControlCall(async ({ method, path, headers, body }) => {
    const answer = await fetch(new URL(path, sandbox.dashboardUrl), {
      method,
      headers: {
        ...headers,
        ...authorization,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...omitUndefined({ body: body === undefined ? undefined : JSON.stringify(body) }),
      signal: AbortSignal.timeout(timeoutMs),
    })
    const text = await answer.text()
    return { status: answer.status, body: text === '' ? {} : (JSON.parse(text) as unknown) }
  })
}
