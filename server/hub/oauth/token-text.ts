import type { Clock } from '../../core/clock.ts'
import type { Ids } from '../../core/ids.ts'
import { issueSeconds } from './id-token.ts'

/** Facts contained in an access token. */
export interface TokenFacts {
  id: string
  userId: string
  clientId?: string
  scopes: readonly string[]
  familyId?: string
  expiresInSeconds: number
}

const header = encode({ alg: 'EdDSA', typ: 'JWT' })
/** Bytes of an Ed25519 signature (RFC 8032 §5.1.6). */
const signatureBytes = 64

/**
 * Text of a new access token in the Hub's shape: `hf_oauth_sandbox_` and a JWT of 350 characters or more. Clients must
 * treat it as opaque (RFC 6749 §1.4), and so does the sandbox: the signature is random, and only a text that the state
 * knows is valid.
 */
export function composeAccessToken(
  { ids, clock, baseUrl }: { ids: Pick<Ids, 'bytes'>; clock: Clock; baseUrl: string },
  { id, userId, clientId, scopes, familyId, expiresInSeconds }: TokenFacts,
  prefix: 'hf_oauth_sandbox_' | 'hf_jwt_sandbox_' = 'hf_oauth_sandbox_',
): string {
  const issuedAt = issueSeconds(clock)
  const payload = encode({
    scope: scopes,
    aud: baseUrl,
    oauthApp: clientId,
    sessionId: familyId?.replaceAll('-', '').slice(0, 24) ?? id,
    iat: issuedAt,
    exp: issuedAt + expiresInSeconds,
    sub: userId,
    iss: baseUrl,
  })
  const signature = Buffer.from(ids.bytes(signatureBytes)).toString('base64url')
  return `${prefix}${header}.${payload}.${signature}`
}

function encode(part: object): string {
  return Buffer.from(JSON.stringify(part)).toString('base64url')
}
