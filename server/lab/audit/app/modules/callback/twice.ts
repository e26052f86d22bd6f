import { because } from '../../../../checks/evidence.ts'
import { rfc } from '../../../../checks/rule.ts'
import type { AuditModule } from '../../app-module.ts'
import { describeFailure, failsWithoutWords } from '../judgements.ts'
import { inBrowser } from './in-browser.ts'
import { failed, notReached, passed } from '../../../judgement.ts'

export const twice: AuditModule = {
  id: 'callback/twice',
  title: 'The browser opens the callback again.',
  plan: 'full',
  level: 'error',
  must: 'refuse',
  expected: 'The app does not redeem the code again, and shows a page.',
  fix: 'Forget state when it has been used, so that a second callback does not match, and redirect to a page of the app after the first.',
  sources: [rfc(6749, '4.1.2')],
  applies: inBrowser,
  provoke: () => [{ do: 'sign-in' }, { do: 'callback-again' }],
  judge({ redemptions, visits, steps }) {
    const again = visits.filter(({ step }) => step === steps.length - 1)
    if (redemptions.length === 0 || again.length === 0) {
      return notReached('The callback was not opened twice.')
    }
    if (redemptions.length > 1) {
      return failed(
        'The app redeemed the code again.',
        redemptions.slice(0, 2).map((one) => because(one, 'redeems the code', 'code')),
      )
    }
    const broken = again.find(failsWithoutWords)
    if (broken !== undefined) return failed(describeFailure(broken))
    return passed('The app did not redeem the code again.')
  },
}
