import { decodeJwt } from 'jose'
import { because, type Evidence } from '../../evidence.ts'
import { kindOfCall } from '../../kind-of-call.ts'
import { openIdCore, rfc, type Rule } from '../../rule.ts'

export const idTokenAsBearer: Rule = {
  id: 'token/id-token-as-bearer',
  level: 'error',
  certainty: 'certain',
  title:
    'The app sends an ID token as its access token. An ID token is for the app alone, and no API accepts it.',
  fix: 'Send access_token of the token response in the Authorization header.',
  exceptions: [],
  sources: [openIdCore('2'), rfc(9700, '2.3')],
  check(evidence) {
    const judged = evidence.requests.filter(({ bearer }) => bearer !== undefined)
    return {
      judged: judged.length,
      sightings: judged
        .filter(({ bearer = '' }) => isIdToken(evidence, bearer))
        .map((request) => ({
          subject: { clientId: request.clientId ?? audienceOf(request.bearer ?? '') },
          key: kindOfCall(request),
          at: request.record.at,
          evidence: [because(request, 'sent an ID token as Bearer', 'authorization')],
        })),
    }
  },
}

/** Access tokens have a prefix, so a bare JWT of the sandbox is an ID token. */
function isIdToken({ issuer }: Evidence, bearer: string): boolean {
  return claimsOf(bearer)?.iss === issuer
}

function audienceOf(bearer: string): string | undefined {
  const audience = claimsOf(bearer)?.aud
  return typeof audience === 'string' ? audience : audience?.[0]
}

function claimsOf(bearer: string) {
  if (!bearer.startsWith('eyJ')) return undefined
  try {
    return decodeJwt(bearer)
  } catch {
    return undefined
  }
}
