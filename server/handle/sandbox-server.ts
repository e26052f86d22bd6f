import type { ControlArguments, ControlLine, ControlStreamKey } from '../contract/control-call.ts'
import type { Fixtures } from '../contract/fixtures-types.ts'
import type { ControlTransport } from './control-client.ts'
import type { Sandbox } from './sandbox-api.ts'

export interface HubRequest {
  method: string
  /** Path and query. */
  path: string
  headers: Readonly<Record<string, string>>
  body?: string
}

/** What the handle of a sandbox asks of the sandbox that runs, in this process or elsewhere. */
export interface SandboxServer {
  /** Where programs reach it. */
  readonly url: string
  readonly issuer: string
  readonly dashboardUrl: string
  readonly certificatePath?: string
  readonly notices: readonly string[]
  /** The fixtures that were loaded, with defaults filled in and without the signing key. */
  fixtures(): Fixtures
  /** Calls of the control API. */
  readonly transport: ControlTransport
  /** A request to the emulated hub. The body of the answer is parsed; none is `{}`. */
  request(request: HubRequest): Promise<{ status: number; body: unknown }>
  /** The lines of an answer that goes on, until it ends, or the signal does. */
  lines<K extends ControlStreamKey>(
    signal: AbortSignal,
    key: K,
    ...input: ControlArguments<K>
  ): AsyncIterable<ControlLine<K>>
  /** Returns to the fixtures; absent = the control API does. @throws {ControlError} */
  reset?(): Promise<void>
  fork(): Promise<Sandbox>
  close(): Promise<void>
}
