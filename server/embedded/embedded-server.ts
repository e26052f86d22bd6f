import type { Fixtures } from '../contract/fixtures-types.ts'
import type { KeptState } from '../state/kept-state.ts'

export interface EmbeddedRequest {
  method: string
  /** Path and query. */
  path: string
  headers: Readonly<Record<string, string>>
  /** An object goes out as JSON. */
  body?: object | string
}

/** What the handle of a sandbox in this process asks of the sandbox that runs. */
export interface EmbeddedServer {
  readonly url: string
  readonly dashboardUrl: string
  readonly certificatePath?: string
  readonly notices: readonly string[]
  readonly controlToken?: string
  /** The fixtures that were loaded, with defaults filled in. */
  fixtures(): Fixtures
  /** Asks the server without a socket. The body of the answer is parsed; none is `{}`. */
  request(request: EmbeddedRequest): Promise<{ status: number; body: unknown }>
  /**
   * Tells the id of each delivery that is queued, waits for a retry or is done.
   * @returns a function that stops it
   */
  followDeliveries(listener: (deliveryId: string) => void): () => void
  /** The present state as another sandbox can begin with it. */
  captureState(): KeptState
  close(): Promise<void>
}
