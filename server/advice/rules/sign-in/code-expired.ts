import type { AuthorizationCode } from '../../../state/entities/oauth.ts'
import { because, type SeenRequest, waitBetween } from '../../evidence.ts'
import { rfc, type Rule } from '../../rule.ts'

export const codeExpired: Rule = {
  id: 'sign-in/code-expired',
  level: 'note',
  certainty: 'certain',
  title: 'The app redeems the code after it has expired.',
  fix: 'Redeem the code in the callback itself, before anything else.',
  exceptions: ['the clock was moved', 'the clock stood still'],
  sources: [rfc(6749, '4.1.2')],
  check({ signIns, state }) {
    const sent = signIns.flatMap((signIn) => {
      const { issued, redemptions, clientId } = signIn
      const [first] = redemptions
      const code = issued && state.codes.get(issued.code)
      if (issued === undefined || code === undefined || first === undefined) return []
      return [{ clientId, issued, first, code }]
    })
    return {
      judged: sent.length,
      sightings: sent
        .filter(({ first, issued, code }) => isLate(first, issued.by, code))
        .map(({ clientId, issued, first }) => ({
          subject: { clientId },
          key: 'code',
          at: first.record.at,
          evidence: [
            because(issued.by, 'was answered with the code'),
            because(
              first,
              `sent the code ${Math.round(waitBetween(issued.by, first) / 1000)} s later`,
            ),
          ],
        })),
    }
  },
}

type Lifetime = Pick<AuthorizationCode, 'createdAt' | 'expiresAt'>

/** Both clocks count: a clock that was moved makes nobody late, and while it stands still no code expires. */
function isLate(
  { record }: SeenRequest,
  issuedBy: SeenRequest,
  { createdAt, expiresAt }: Lifetime,
): boolean {
  return (
    record.error === 'invalid_grant' &&
    record.at >= expiresAt &&
    record.receivedMs - issuedBy.record.receivedMs >= expiresAt - createdAt
  )
}
