import { because, type SeenRequest } from '../../evidence.ts'
import { rfc, type Rule } from '../../rule.ts'

const frames = new Set(['iframe', 'frame', 'embed', 'object'])

export const inAFrame: Rule = {
  id: 'sign-in/in-a-frame',
  level: 'warning',
  certainty: 'certain',
  title:
    'The app opens the sign-in in a frame, where cookies and the pages of the Hub may be missing.',
  fix: 'Open the sign-in in the whole window, a new tab or a popup. In a Space the app itself is in a frame: use target=_blank.',
  exceptions: [
    'the request has prompt=none, which shows no page',
    'a Space frame of the dashboard shows the page',
  ],
  sources: [rfc(9700, '4.16')],
  check({ requests }) {
    const judged = requests.filter(isPage)
    return {
      judged: judged.length,
      sightings: judged
        .filter(
          (request) =>
            frames.has(String(request.record.request.headers['sec-fetch-dest'])) &&
            request.query.get('prompt') !== 'none' &&
            isHidden(request),
        )
        .map((request) => ({
          subject: { clientId: request.clientId },
          key: request.path,
          at: request.record.at,
          evidence: [
            because(request, 'was made by a frame, says Sec-Fetch-Dest', 'sec-fetch-dest'),
          ],
        })),
    }
  },
}

/** The app of a Space may show the page in its own frame, as on the Hub. */
function isHidden({ record: { status, response } }: SeenRequest): boolean {
  return status === 403 || response.headers['x-frame-options'] === 'DENY'
}

function isPage({ path, record }: SeenRequest): boolean {
  return (
    (path === '/oauth/authorize' || path === '/login') &&
    record.request.headers['sec-fetch-dest'] !== undefined
  )
}
