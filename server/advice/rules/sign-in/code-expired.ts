import { because, type Evidence, waitBetween } from '../../evidence.ts'
import { rfc, type Rule } from '../../rule.ts'

export const codeExpired: Rule = {
  id: 'sign-in/code-expired',
  level: 'note',
  certainty: 'certain',
  title: 'The app redeems the code after it has expired.',
  fix: 'Redeem the code in the callback itself, before anything else.',
  exceptions: ['the clock was moved'],
  sources: [rfc(6749, '4.1.2')],
  check({ signIns, state }) {
    const sent = signIns.flatMap((signIn) => {
      const { issued, redemptions, clientId } = signIn
      const [first] = redemptions
      const code = issued && state.codes.get(issued.code)
      if (issued === undefined || code === undefined || first === undefined) return []
      return [{ clientId, issued, first, lifetimeMs: code.expiresAt - code.createdAt }]
    })
    return {
      judged: sent.length,
      sightings: sent
        .filter(({ first, issued, lifetimeMs }) => isLate(first, issued.by, lifetimeMs))
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

type Request = Evidence['requests'][number]

/** A clock that was moved makes nobody late, so real time counts. */
function isLate(redemption: Request, issuedBy: Request, lifetimeMs: number): boolean {
  return (
    redemption.record.error === 'invalid_grant' &&
    redemption.record.receivedMs - issuedBy.record.receivedMs >= lifetimeMs
  )
}
