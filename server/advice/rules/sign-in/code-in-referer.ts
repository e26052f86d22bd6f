import { isSecretName } from '../../../core/mask.ts'
import { because, type Evidence, type SeenRequest } from '../../evidence.ts'
import { rfc, type Rule } from '../../rule.ts'

export const codeInReferer: Rule = {
  id: 'sign-in/code-in-referer',
  level: 'warning',
  certainty: 'certain',
  title:
    'The app shows a page at a URL with a code or token, so the browser sends it on in the Referer header.',
  fix: 'Redirect from the callback before a page is shown, and set Referrer-Policy: no-referrer there.',
  exceptions: ['the page is one of the sandbox'],
  sources: [rfc(9700, '4.2.4')],
  check(evidence) {
    const judged = evidence.requests.flatMap((request) => {
      const referer = refererOf(evidence, request)
      return referer === undefined ? [] : [{ request, referer }]
    })
    return {
      judged: judged.length,
      sightings: judged.flatMap(({ request, referer }) => {
        const found = findIssued(evidence, referer)
        if (found === undefined) return []
        return {
          subject: { clientId: found.clientId },
          key: found.what,
          at: request.record.at,
          evidence: [
            {
              ...because(request, `has a ${found.what} in its Referer`, 'referer'),
              // Under a usual name, such as code, it is masked where it is.
              ...(isSecretName(found.name) ? {} : { isSecret: true }),
            },
          ],
        }
      }),
    }
  },
}

/** Pages of the sandbox itself have their own addresses in Referer. */
function refererOf({ issuer }: Evidence, { record }: SeenRequest): URL | undefined {
  const { referer } = record.request.headers
  if (referer === undefined || !URL.canParse(referer)) return undefined
  const url = new URL(referer)
  return url.origin === new URL(issuer).origin ? undefined : url
}

function findIssued({ state }: Evidence, { searchParams, hash }: URL) {
  for (const [name, value] of [...searchParams, ...new URLSearchParams(hash.slice(1))]) {
    const code = state.codes.get(value)
    if (code !== undefined) return { what: 'code', name, clientId: code.clientId }
    const token = state.tokens.find('token', value) ?? state.refreshTokens.get(value)
    if (token !== undefined) return { what: 'token', name, clientId: token.clientId }
  }
  return undefined
}
