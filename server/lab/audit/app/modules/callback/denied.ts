import { because } from '../../../../checks/evidence.ts'
import { rfc } from '../../../../checks/rule.ts'
import { describeStatus, passProbe } from '../../judge.ts'
import type { AuditModule } from '../../app-module.ts'
import { failed, inconclusive, passed } from '../../../judgement.ts'
import { untested } from '../judgements.ts'
import { poisonCallback } from '../poisoned-sign-in.ts'

export const denied: AuditModule = {
  id: 'callback/denied',
  title: 'The user denies access.',
  plan: 'core',
  level: 'error',
  must: 'refuse',
  expected: 'The app shows a page with a status below 500 and signs nobody in.',
  fix: 'Read error before code in the callback, and show a page that offers to try again.',
  sources: [rfc(6749, '4.1.2.1')],
  provoke: () =>
    poisonCallback({
      set: { error: 'access_denied', error_description: 'The user denied access.' },
      remove: ['code'],
    }),
  judge({ facts, hits, after, visits, signedIn, isAlive }) {
    if (hits === 0) return untested
    const asked = after.find(({ path }) => path === '/oauth/token')
    if (asked !== undefined) {
      const evidence = [because(asked, 'asks for a token without a code')]
      return failed('The app sent a token request.', evidence)
    }
    if (signedIn === true) return failed('The user is signed in.')
    const broken = visits.find(({ status }) => status === 0 || status >= 500)
    if (broken !== undefined) return failed(describeStatus(broken.status))
    if (isAlive === false) return failed('The app no longer responds.')
    return signedIn === undefined && visits.length === 0
      ? inconclusive(`Requests do not show what the user saw: ${passProbe(facts)}`)
      : passed('The app responded, and signed nobody in.')
  },
}
