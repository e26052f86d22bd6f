import { because } from '../../evidence.ts'
import { rfc, type Rule } from '../../rule.ts'

/** Web views of Android, apps of Facebook and Electron. */
const embedded = /; wv\)|FBA[NV]\/| Electron\//

export const embeddedBrowser: Rule = {
  id: 'sign-in/embedded-browser',
  level: 'note',
  certainty: 'likely',
  title: 'The sign-in seems to run in a browser inside the app, which could read the password.',
  fix: 'Open the sign-in in the system browser: Custom Tabs, ASWebAuthenticationSession, shell.openExternal.',
  exceptions: [],
  sources: [rfc(8252, '8.12')],
  check({ requests }) {
    const pages = requests.filter(
      ({ path, record }) =>
        path === '/oauth/authorize' && record.request.headers['user-agent'] !== undefined,
    )
    return {
      judged: pages.length,
      sightings: pages
        .filter(({ record }) => embedded.test(record.request.headers['user-agent'] ?? ''))
        .map((request) => ({
          subject: { clientId: request.clientId },
          key: 'user-agent',
          at: request.record.at,
          evidence: [because(request, 'has the User-Agent of an embedded browser', 'user-agent')],
        })),
    }
  },
}
