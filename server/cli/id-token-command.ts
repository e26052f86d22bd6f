import { compactVerify, createLocalJWKSet, decodeJwt, decodeProtectedHeader } from 'jose'
import type { Connection } from './connect.ts'

/** Content of an ID token, and whether the hub's key signed it. */
export interface ReadIdToken {
  header: Record<string, unknown>
  claims: Record<string, unknown>
  signature: string
}

/**
 * Decodes an ID token and checks its signature as an app does: by the keys that the hub publishes (OpenID Connect Core
 * §3.1.3.7).
 */
export async function readIdToken(
  { request }: Pick<Connection, 'request'>,
  token: string,
): Promise<ReadIdToken> {
  const { body } = await request({ method: 'GET', path: '/oauth/jwks' })
  return {
    header: { ...decodeProtectedHeader(token) },
    claims: decodeJwt(token),
    signature: await describeSignature(token, body),
  }
}

async function describeSignature(token: string, jwks: string): Promise<string> {
  try {
    const keys = createLocalJWKSet(JSON.parse(jwks) as Parameters<typeof createLocalJWKSet>[0])
    const { protectedHeader } = await compactVerify(token, keys)
    return `valid: signed with the Hub’s key ${protectedHeader.kid ?? ''}`.trimEnd()
  } catch (error) {
    return `invalid: ${(error as Error).message}`
  }
}
