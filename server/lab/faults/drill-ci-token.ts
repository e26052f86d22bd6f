import type { CiDrill } from '../../contract/words/ci-words.ts'
import { isObject } from '../../core/is-object.ts'
import { own } from '../../core/own.ts'
import { Refusal } from '../../core/refusal.ts'
import { type CiIdToken, readIdToken } from '../../hub/oauth/ci/ci-id-token.ts'
import { providerOfSandboxIssuer } from '../../hub/oauth/ci/issuers.ts'
import { type MintDeps, mintCiToken } from '../../hub/oauth/ci/mint.ts'

const parameter = 'subject_token'

/**
 * Returns the ID token of a CI job in the body of a token request. One of a foreign issuer is left out: the sandbox
 * cannot sign it again.
 */
export function sandboxIdToken({ settings }: MintDeps, body: unknown): CiIdToken | undefined {
  const text =
    body instanceof URLSearchParams
      ? body.get(parameter)
      : isObject(body)
        ? own(body, parameter)
        : undefined
  if (typeof text !== 'string') return undefined
  try {
    const idToken = readIdToken(text)
    return providerOfSandboxIssuer(settings, idToken.issuer) === undefined ? undefined : idToken
  } catch (error) {
    // A text that the hub refuses anyway.
    if (error instanceof Refusal) return undefined
    throw error
  }
}

/** Claims that each ID token has of its own. */
const ownClaims = new Set(['iss', 'aud', 'iat', 'nbf', 'exp', 'jti'])

/** Mints the ID token of the same job with a mistake, and puts it in the body in the place of the right one. */
export async function drillIdToken(deps: MintDeps, body: unknown, drill: CiDrill): Promise<void> {
  const idToken = sandboxIdToken(deps, body)
  const provider = idToken && providerOfSandboxIssuer(deps.settings, idToken.issuer)
  if (idToken === undefined || provider === undefined) return
  const claims = Object.fromEntries(
    Object.entries(idToken.claims).filter(([name]) => !ownClaims.has(name)),
  )
  const { token } = await mintCiToken(deps, { provider, claims, drill })
  if (body instanceof URLSearchParams) body.set(parameter, token)
  else if (isObject(body)) Object.assign(body, { [parameter]: token })
}
