import { groupBy } from '../../../core/group-by.ts'
import { because, findBurst, type SeenSignIn } from '../../evidence.ts'
import type { Rule } from '../../rule.ts'

/** Sign-ins without a page that make a loop, and their time. */
const fewest = 4
const withinMs = 10_000

export const loop: Rule = {
  id: 'sign-in/loop',
  level: 'warning',
  certainty: 'certain',
  title:
    'The app sends the browser back to the Hub again and again, because it does not recognize the user after the sign-in.',
  fix: 'Keep the session cookie of the app: no Secure on http, SameSite=Lax, and one host (localhost and 127.0.0.1 have different cookies).',
  exceptions: [
    'the app sends prompt=none, which asks for no page',
    'a person answers a page in each of them',
    'the sign-ins are hours apart',
  ],
  sources: [
    {
      name: 'RFC 6265bis',
      section: '5.6',
      url: 'https://datatracker.ietf.org/doc/html/draft-ietf-httpbis-rfc6265bis#section-5.6',
    },
  ],
  check({ signIns }) {
    const silent = signIns.filter(isWithoutPage)
    const groups = groupBy(silent, ({ clientId, authorization }) => {
      const session = sessionOf(authorization.record.request.headers.cookie)
      return session && JSON.stringify([clientId, session])
    })
    return {
      judged: [...groups.values()].flat().length,
      sightings: [...groups.values()].flatMap((group) => {
        const burst = findBurst(
          group.map(({ authorization }) => authorization),
          fewest,
          withinMs,
        )
        const [first, last] = [burst?.[0], burst?.at(-1)]
        if (first === undefined || last === undefined) return []
        return {
          subject: { clientId: group[0]?.clientId },
          key: 'session',
          at: last.record.at,
          evidence: [
            because(first, 'was answered with a code'),
            because(last, `is sign-in ${fewest} of the same browser within 10 seconds`),
          ],
        }
      }),
    }
  },
}

/** The hub answers with a code at once: nobody has answered a page, and the app did not ask for that by prompt=none. */
function isWithoutPage({ issued, authorization, asked }: SeenSignIn): boolean {
  return (
    issued?.by === authorization && authorization.record.method === 'GET' && !asked.has('prompt')
  )
}

function sessionOf(cookie: string | undefined): string | undefined {
  return /hub_sandbox_session\w*=([^;]+)/.exec(cookie ?? '')?.[1]
}
