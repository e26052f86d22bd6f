/**
 * Error codes on the wire, each from the RFC that defines it:
 * RFC 6749 §4.1.2.1 and §5.2, RFC 6750 §3.1, RFC 7591 §3.2.2, RFC 8628 §3.5, RFC 8693 §2.2.2,
 * OpenID Connect Core §3.1.2.6.
 */
export type OAuthErrorCode =
  | 'invalid_request'
  | 'invalid_client'
  | 'invalid_grant'
  | 'unauthorized_client'
  | 'unsupported_grant_type'
  | 'unsupported_response_type'
  | 'invalid_scope'
  | 'access_denied'
  | 'server_error'
  | 'temporarily_unavailable'
  | 'invalid_token'
  | 'insufficient_scope'
  | 'invalid_redirect_uri'
  | 'invalid_client_metadata'
  | 'authorization_pending'
  | 'slow_down'
  | 'expired_token'
  | 'invalid_target'
  | 'login_required'
  | 'consent_required'
  | 'interaction_required'
  | 'request_not_supported'
  | 'request_uri_not_supported'
  | 'registration_not_supported'

const statuses: Partial<Record<OAuthErrorCode, number>> = {
  invalid_client: 401,
  invalid_token: 401,
  insufficient_scope: 403,
  server_error: 500,
  temporarily_unavailable: 503,
}

export interface OAuthErrorOptions {
  /** For the developer, in the dashboard and the request log; never on the wire. */
  detail?: string
  cause?: unknown
  status?: number
}

/** RFC 6749 §5.2: an `error_description` is printable ASCII without quotation mark and backslash. */
export function wireDescription(text: string): string {
  return text.replaceAll('"', "'").replaceAll(/[^\x20-\x7e]|\\/g, '?')
}

/** A refusal in the words of the RFCs. `message` is the `error_description`. */
export class OAuthError extends Error {
  readonly code: OAuthErrorCode
  readonly status: number
  readonly detail?: string

  constructor(code: OAuthErrorCode, description: string, options: OAuthErrorOptions = {}) {
    super(description, options.cause === undefined ? {} : { cause: options.cause })
    this.name = 'OAuthError'
    this.code = code
    this.status = options.status ?? statuses[code] ?? 400
    if (options.detail !== undefined) this.detail = options.detail
  }

  toJSON(): { error: OAuthErrorCode; error_description: string } {
    return { error: this.code, error_description: wireDescription(this.message) }
  }
}
