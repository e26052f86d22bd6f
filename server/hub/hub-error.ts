/** `X-Error-Code` values the hub's clients turn into exceptions of their own. */
export type HubErrorCode = 'RepoNotFound' | 'RevisionNotFound' | 'EntryNotFound' | 'GatedRepo'

export interface HubErrorOptions {
  code?: HubErrorCode
  /** Scope that would have been enough; sent as an RFC 6750 challenge. */
  scope?: string
  /** Why, for the developer: request log and dashboard only, never on the wire. */
  detail?: string
  /** Further members of the body. */
  body?: Record<string, unknown>
}

/** A refusal of the hub's API: `{"error": message}`, the same text in `X-Error-Message`. */
export class HubError extends Error {
  readonly status: number
  readonly options: HubErrorOptions

  constructor(status: number, message: string, options: HubErrorOptions = {}) {
    super(message)
    this.name = 'HubError'
    this.status = status
    this.options = options
  }
}
