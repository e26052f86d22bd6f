import { rfc } from '../../../../checks/rule.ts'
import type { AuditModule } from '../../app-module.ts'
import { inBrowser } from './in-browser.ts'
import { failed, notReached, passed } from '../../../judgement.ts'
import { untested } from '../judgements.ts'
import { poisonCallback } from '../poisoned-sign-in.ts'

const element = '<hs-probe-7f3a>'

export const markup: AuditModule = {
  id: 'callback/markup',
  title: 'The description of an error contains markup.',
  plan: 'core',
  level: 'error',
  must: 'refuse',
  expected: 'No page of the app contains the markup unescaped.',
  fix: 'Escape error and error_description like any text of a stranger, or show your own words for each error code.',
  sources: [
    rfc(6749, '10.14'),
    {
      name: 'OWASP Cross Site Scripting Prevention Cheat Sheet',
      section: 'Output Encoding',
      url: 'https://cheatsheetseries.owasp.org/cheatsheets/Cross_Site_Scripting_Prevention_Cheat_Sheet.html',
    },
  ],
  applies: inBrowser,
  provoke: () =>
    poisonCallback({
      set: { error: 'server_error', error_description: `It's "broken" ${element}` },
      remove: ['code'],
    }),
  judge({ hits, visits }) {
    if (hits === 0) return untested
    const reflecting = visits.find(
      ({ contentType, body }) => /\bx?html\b/i.test(contentType) && body.includes(element),
    )
    if (reflecting !== undefined) return failed('A page of the app contains the markup unescaped.')
    return visits.length === 0
      ? notReached('The browser saw no page of the app.')
      : passed('No page of the app contains the markup.')
  },
}
