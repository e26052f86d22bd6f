import { because } from '../../../../checks/evidence.ts'
import { rfc } from '../../../../checks/rule.ts'
import type { AuditModule } from '../../app-module.ts'
import { inBrowser } from './in-browser.ts'
import { failed, notReached, passed } from '../../../judgement.ts'

export const foreignSession: AuditModule = {
  id: 'callback/foreign-session',
  title: 'The callback of another user is opened in a browser that has begun no sign-in.',
  plan: 'core',
  level: 'error',
  must: 'refuse',
  expected: 'The app does not sign the browser in.',
  fix: 'Bind the sign-in to the browser that began it: keep state and the PKCE verifier in its session, and refuse a callback without them.',
  sources: [rfc(9700, '4.5'), rfc(9700, '4.7')],
  applies: inBrowser,
  provoke: () => [{ do: 'foreign-callback' }],
  judge({ redemptions, signedIn, visits }) {
    const [redemption] = redemptions
    const evidence =
      redemption === undefined ? [] : [because(redemption, 'redeems a foreign code', 'code')]
    if (signedIn === true) {
      return failed('The browser is signed in as the other user.', evidence)
    }
    if (redemption?.record.status === 200) {
      return failed('The app redeemed a code for a browser that began no sign-in.', evidence)
    }
    return visits.length === 0
      ? notReached('The callback was not opened.')
      : passed('The app refused the callback.')
  },
}
