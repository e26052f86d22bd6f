import type { CastApp } from './cast.ts'
import { type AppResponse, getJson } from './client.ts'
import type { Ending, Scene } from './scene.ts'

/** Content of an ID token that the app accepted. */
export interface AcceptedIdToken {
  /** Subject, which the userinfo response must have, too. */
  sub: unknown
}

/**
 * Checks the ID token of a token response as an app must (OpenID Connect Core §3.1.3.7): signature, issuer, audience,
 * expiry and nonce.
 * @param nonce of the authorization request, if it had one
 * @returns the ending when the app refuses the token; `undefined` for a response without an ID token
 */
export async function checkIdToken(
  scene: Scene,
  app: CastApp,
  answer: AppResponse,
  nonce: string | undefined,
): Promise<AcceptedIdToken | Ending | undefined> {
  const { id_token: idToken } = answer.body
  if (idToken === undefined) return undefined
  if (typeof idToken !== 'string') return refuses(app, 'it is not a string')
  const { createLocalJWKSet, jwtVerify } = await import('jose')
  const { body: keys } = await getJson(scene, '/oauth/jwks')
  try {
    const { payload } = await jwtVerify(
      idToken,
      createLocalJWKSet(keys as unknown as Parameters<typeof createLocalJWKSet>[0]),
      {
        issuer: scene.issuer,
        audience: app.clientId,
        algorithms: ['RS256'],
        requiredClaims: ['exp', 'iat', 'sub'],
        currentDate: new Date(scene.now()),
      },
    )
    if (payload['nonce'] !== nonce) {
      return refuses(app, 'its nonce differs from the one that the app sent')
    }
    return { sub: payload.sub }
  } catch (error) {
    return refuses(app, error instanceof Error ? error.message : String(error))
  }
}

function refuses({ name }: CastApp, reason: string): Ending {
  return { outcome: 'refused', explanation: `${name} refuses the ID token: ${reason}.` }
}
