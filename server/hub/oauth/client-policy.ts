import type { App } from '../../store/entities/oauth-entities.ts'
import {
  type AuthenticationMethod,
  deviceCodeGrant,
  type GrantType,
  secretMethods,
  tokenExchangeGrant,
} from '../../contract/words/oauth-words.ts'

/** Kind of client (RFC 6749 §2.1). */
export type ClientKind = 'public' | 'confidential' | 'metadata-document'

interface Rule {
  /** Allowed authentication methods; empty = this kind may not use the grant. */
  readonly authentication: readonly AuthenticationMethod[]
  /** Whether PKCE is required where the grant starts at the authorization endpoint. */
  readonly pkce?: 'required' | 'optional'
}

const none = ['none'] as const

/** Grants and authentication methods of each kind of client. */
export const policy: Record<GrantType, Record<ClientKind, Rule>> = {
  refresh_token: {
    public: { authentication: none },
    confidential: { authentication: secretMethods },
    'metadata-document': { authentication: none },
  },
  authorization_code: {
    public: { authentication: none, pkce: 'required' },
    confidential: { authentication: secretMethods, pkce: 'optional' },
    'metadata-document': { authentication: none, pkce: 'required' },
  },
  [deviceCodeGrant]: {
    public: { authentication: none },
    confidential: { authentication: secretMethods },
    'metadata-document': { authentication: none },
  },
  // Also requires the privilege and an organization on the Enterprise plan (grants/token-exchange.ts).
  [tokenExchangeGrant]: {
    public: { authentication: [] },
    confidential: { authentication: ['client_secret_basic'] },
    'metadata-document': { authentication: [] },
  },
}

export const offeredGrants = Object.keys(policy) as GrantType[]

export function clientKind(app: Pick<App, 'origin' | 'clientSecret'>): ClientKind {
  if (app.origin === 'metadata-document') return 'metadata-document'
  return app.clientSecret === undefined ? 'public' : 'confidential'
}

export function isGrantType(value: string): value is GrantType {
  return Object.hasOwn(policy, value)
}
