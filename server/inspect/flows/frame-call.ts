import type { SpaceFrameCall } from '../../contract/control-frames.ts'

/** The sandbox's own authorization request in a redirect of the app. */
export interface StartedSignIn {
  readonly clientId: string
  readonly state: string
  readonly redirectUri: string
}

/** A request of a browser to a framed app. */
export interface FrameCall extends Omit<SpaceFrameCall, 'at'> {
  /** Milliseconds since 1970 on the sandbox clock. */
  readonly at: number
  /** Real time since the process started. */
  readonly receivedMs: number
  readonly answeredMs?: number
  /** Parameters of a redirect of the Hub; with secrets. */
  readonly callback?: { readonly code?: string; readonly state?: string }
  /** Authorization request that the response redirects to. */
  readonly signIn?: StartedSignIn
}
