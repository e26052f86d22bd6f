import { groupBy } from '../../../core/group-by.ts'
import { because, findBurst, type SeenRequest } from '../evidence.ts'
import type { Rule } from '../rule.ts'

/** Reads within a minute that a client with a cache does not make. */
const fewestReads = 10
const minuteMs = 60_000

const everyRequest: Rule = {
  id: 'discovery/every-request',
  level: 'note',
  certainty: 'certain',
  title: 'The app reads the metadata or the keys of the Hub for every sign-in.',
  fix: 'Create the client of the OAuth library once at the start, and let it keep metadata and keys.',
  exceptions: ['many clients sign in meanwhile'],
  sources: [
    {
      name: 'OpenID Connect Core',
      section: '10.1.1',
      url: 'https://openid.net/specs/openid-connect-core-1_0.html#RotateSigKeys',
    },
    { name: 'RFC 9111', section: '4', url: 'https://www.rfc-editor.org/rfc/rfc9111#section-4' },
  ],
  watch({ requests }) {
    const reads = requests.filter(isDiscovery)
    const groups = groupBy(reads, ({ record, path }) =>
      JSON.stringify([record.request.headers['user-agent'], path]),
    )
    return {
      judged: reads.length,
      sightings: [...groups.values()].flatMap((group) => {
        const burst = findBurst(group, fewestReads, minuteMs)
        const [first, last] = [burst?.[0], burst?.at(-1)]
        if (first === undefined || last === undefined) return []
        if (tokenRequests(requests, first, last) > fewestReads) return []
        return {
          subject: {},
          key: first.path,
          at: last.record.at,
          evidence: [
            because(first, `read ${first.path}`),
            because(last, `is read ${fewestReads} of the same client within a minute`),
          ],
        }
      }),
    }
  },
}

function isDiscovery({ path }: SeenRequest): boolean {
  return path === '/oauth/jwks' || path.startsWith('/.well-known/')
}

/** Token requests of all clients meanwhile: many clients read as often as one without a cache. */
function tokenRequests(
  requests: readonly SeenRequest[],
  { record: first }: SeenRequest,
  { record: last }: SeenRequest,
): number {
  return requests.filter(
    ({ path, record }) =>
      path === '/oauth/token' &&
      record.receivedMs >= first.receivedMs &&
      record.receivedMs <= last.receivedMs,
  ).length
}

export const discoveryRules: readonly Rule[] = [everyRequest]
