import { omitUndefined } from '../core/omit-undefined.ts'
import { packageVersion } from '../core/package-root.ts'
import type { Overview } from '../contract/control-health.ts'
import type { Fixtures } from '../contract/fixtures-types.ts'
import { takeOptions } from '../core/arguments.ts'
import { ConnectError } from './connect-error.ts'
import { createControlCall } from '../web/control-client.ts'
import { ControlError } from '../web/control-error.ts'
import { findSandbox, type FoundSandbox } from './find-sandbox.ts'
import { noteMadeThings } from './made-things.ts'
import type { Sandbox, WebAddress } from './sandbox-api.ts'
import { createSandboxHandle } from './sandbox-handle.ts'
import type { HubRequest, SandboxServer } from './sandbox-server.ts'
import { createSocketClient, type Hints, type SocketClient } from './socket-client.ts'

/** Timeout of the health check. */
const answerMs = 10_000

const hints: Hints = {
  command: ['npx', '--no', 'hub-sandbox'],
  sayWhere: 'by connectSandbox(url) or HUB_SANDBOX_URL',
}

export interface ConnectSandboxOptions {
  /** Control token, if required. Default: `HUB_SANDBOX_CONTROL_TOKEN`, or that of the data folder's sandbox. */
  controlToken?: string
}

/**
 * Connects to a running sandbox: in another process, a container, Playwright's `webServer`, or `hub-sandbox exec`.
 *
 *     const sandbox = await connectSandbox()
 *     await sandbox.reset()
 *
 * Closing it deletes what this connection created, and does not stop the sandbox.
 * @param url default: `HUB_SANDBOX_URL`, else the sandbox of the user's data folder, else `http://localhost:7420`
 * @throws {ConnectError} with the cause and how to start a sandbox
 */
export async function connectSandbox(
  url?: string | WebAddress,
  options?: ConnectSandboxOptions,
): Promise<Sandbox> {
  const { controlToken } = takeOptions('connectSandbox()', options, { controlToken: true })
  const given = omitUndefined({ url: typeof url === 'object' ? url?.href : url, controlToken })
  return connectTo(findSandbox(given, 'the url of connectSandbox()'))
}

async function connectTo(
  found: FoundSandbox,
  end: () => Promise<void> = async () => {},
): Promise<Sandbox> {
  const client = await createSocketClient(found, hints)
  try {
    const { overview, fixtures } = await meet(client, found)
    return createSandboxHandle(serverOf(client, found, overview, fixtures, end))
  } catch (error) {
    client.close()
    throw error
  }
}

/** Checks that the server is a compatible sandbox, and reads its constant properties. */
async function meet(
  client: SocketClient,
  found: FoundSandbox,
): Promise<{ overview: Overview; fixtures: Fixtures }> {
  await findOut(client)
  const call = createControlCall(client.transport)
  try {
    const overview = await call('GET overview')
    if (!isAlike(overview.version, packageVersion)) {
      throw new ConnectError(
        'version',
        `The sandbox at ${found.url} is hub-sandbox ${overview.version}, but this is ${packageVersion}: use the same version on both sides.`,
      )
    }
    return { overview, fixtures: await call('GET fixtures') }
  } catch (error) {
    if (!(error instanceof ControlError) || error.status !== 401) throw error
    const problem =
      found.controlToken === undefined ? 'requires its control token' : 'has another control token'
    throw new ConnectError(
      'control-token',
      `The sandbox at ${found.url} ${problem}: pass the right one with connectSandbox(url, { controlToken }) or HUB_SANDBOX_CONTROL_TOKEN.`,
      { cause: error },
    )
  }
}

/** Identifies the server before sending the control token. */
async function findOut({ url, request }: SocketClient): Promise<void> {
  const signal = AbortSignal.timeout(answerMs)
  const { status, headers, body } = await request({
    method: 'GET',
    path: '/_sandbox/health',
    signal,
  })
  const health = parseHealth(body)
  if (status === 200 && typeof health?.status === 'string') return
  if (status === 403 && typeof health?.message === 'string') {
    throw new ConnectError('unreachable', `The sandbox at ${url} refuses: ${health.message}`)
  }
  const said =
    headers.location === undefined
      ? body.slice(0, 80).trim()
      : `it redirects to ${headers.location}`
  throw new ConnectError(
    'stranger',
    `The server at ${url} is not a sandbox: ${said || `it answers ${status}`}`,
  )
}

function parseHealth(body: string): { status?: unknown; message?: unknown } | undefined {
  try {
    return JSON.parse(body) as { status?: unknown; message?: unknown } | undefined
  } catch {
    return undefined
  }
}

/** Versions are compatible by npm's caret rule: `0.3.1` and `0.3.4`, `1.2.0` and `1.9.0`. */
function isAlike(one: string, other: string): boolean {
  const kind = (version: string) => /^(0\.)*\d+/.exec(version)?.[0]
  return kind(one) === kind(other)
}

function serverOf(
  client: SocketClient,
  found: FoundSandbox,
  { baseUrl }: Overview,
  fixtures: Fixtures,
  end: () => Promise<void>,
): SandboxServer {
  const { url, lines, request } = client
  const made = noteMadeThings(client.transport)
  const forks = new Set<Sandbox>()
  const query =
    found.controlToken === undefined ? '' : `?token=${encodeURIComponent(found.controlToken)}`
  let closed: Promise<void> | undefined

  async function fork(): Promise<Sandbox> {
    const call = createControlCall(made.transport)
    const { id, url: forkUrl } = await call('POST forks', { body: { temporary: true } })
    const followed = new AbortController()
    const letGo = async () => {
      followed.abort()
      forks.delete(sandbox)
      await call('DELETE forks/:id', { params: { id } }).catch(() => undefined)
    }
    await keepOpen(
      lines(followed.signal, 'GET forks/:id', { params: { id }, query: { follow: '1' } }),
    )
    // Uses the host name of the sandbox as seen from here; that of the fork may not resolve.
    const address = new URL(url)
    address.port = new URL(forkUrl).port
    const at = { ...found, url: address.origin }
    const sandbox = await connectTo(at, letGo).catch(async (error: unknown) => {
      followed.abort()
      throw error instanceof ConnectError
        ? new ConnectError(
            error.obstacle,
            `The fork listens at port ${address.port}, where the sandbox runs, and cannot be reached from here: ${error.message}`,
            { cause: error },
          )
        : error
    })
    forks.add(sandbox)
    return sandbox
  }

  async function close(): Promise<void> {
    await Promise.all([...forks].map((sandbox) => sandbox.close()))
    await made.end()
    await end()
    client.close()
  }
  return {
    url,
    issuer: baseUrl,
    dashboardUrl: `${url}/_sandbox/${query}`,
    notices: [],
    ...omitUndefined({ certificatePath: client.certificatePath }),
    fixtures: () => fixtures,
    transport: made.transport,
    request: async ({ method, path, headers, body }: HubRequest) => {
      const answer = await request({
        method,
        path,
        headers: { ...headers },
        ...omitUndefined({ body }),
      })
      const text = answer.body === '' ? '{}' : answer.body
      return { status: answer.status, body: JSON.parse(text) as unknown }
    },
    lines,
    fork,
    close: () => (closed ??= close()),
  }
}

/** Reads the first line, and then keeps the stream open. */
async function keepOpen(lines: AsyncIterable<unknown>): Promise<void> {
  const reader = lines[Symbol.asyncIterator]()
  await reader.next()
  void reader.next().catch(() => undefined)
}
