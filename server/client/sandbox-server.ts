import type { ControlArguments, ControlLine, ControlStreamKey } from '../contract/control-call.ts'
import type { Fixtures } from '../contract/fixtures-types.ts'
import type { ControlTransport } from '../web/control-client.ts'
import type { Sandbox } from './sandbox-api.ts'

export interface HubRequest {
  method: string
  /** Path and query. */
  path: string
  headers: Readonly<Record<string, string>>
  body?: string
}

/** Interface between the handle and the running sandbox. */
export interface SandboxServer {
  /** URL for programs. */
  readonly url: string
  readonly issuer: string
  readonly dashboardUrl: string
  readonly certificatePath?: string
  readonly notices: readonly string[]
  /** The fixtures that were loaded, with defaults filled in and without the signing key. */
  fixtures(): Fixtures
  /** Calls of the control API. */
  readonly transport: ControlTransport
  /** Sends a request to the emulated hub. The response body is parsed; an empty one is `{}`. */
  request(request: HubRequest): Promise<{ status: number; body: unknown }>
  /** Streams the lines of a response until it ends or the signal aborts. */
  lines<K extends ControlStreamKey>(
    signal: AbortSignal,
    key: K,
    ...input: ControlArguments<K>
  ): AsyncIterable<ControlLine<K>>
  /** Resets to the fixtures; absent = use the control API. @throws {ControlError} */
  reset?(): Promise<void>
  fork(): Promise<Sandbox>
  close(): Promise<void>
}
