import { openIdCore } from '../../../../checks/rule.ts'
import { parseScope } from '../../../../../hub/oauth/scope.ts'
import type { AuditModule, ControlFacts } from '../../app-module.ts'
import { inBrowser } from '../callback/in-browser.ts'
import { showsUser } from '../shown-user.ts'
import { failed, inconclusive, passed } from '../../../judgement.ts'
import { untested } from '../judgements.ts'
import { redemption } from '../poisoned-sign-in.ts'

export const unverifiedEmail: AuditModule = {
  id: 'identity/unverified-email',
  title: 'A user has the email address of another user, and has not verified it.',
  plan: 'full',
  level: 'error',
  must: 'refuse',
  needsProbe: true,
  expected: 'The app does not sign the user in as the other one.',
  fix: 'Know users by sub, which never changes. Link accounts by email only if email_verified is true.',
  sources: [openIdCore('5.7')],
  applies: (facts) => inBrowser(facts) ?? hasEmails(facts),
  provoke: ({ otherUser }) => {
    const claims = { email: otherUser?.email ?? '', email_verified: false }
    return [
      { do: 'sign-in', as: 'other' },
      {
        do: 'poison',
        next: true,
        faults: [
          { match: redemption, idToken: { claims } },
          { match: { route: '/oauth/userinfo' }, set: claims },
        ],
      },
      { do: 'sign-in' },
    ]
  },
  judge(evidence) {
    if (evidence.hits === 0) return untested
    if (evidence.signedIn === false) {
      return passed('The user is not signed in.')
    }
    const { user, otherUser } = evidence.facts
    if (showsUser(evidence, user)) {
      return passed('The user is not signed in as the other user.')
    }
    if (showsUser(evidence, otherUser)) return failed('The user is signed in as the other user.')
    return inconclusive(
      'The page of --signed-in does not show who is signed in: pass a URL whose page has the user name.',
    )
  },
}

function hasEmails({ asked, otherUser, hasIdToken, signals }: ControlFacts): string | undefined {
  if (!parseScope(asked.get('scope') ?? '').includes('email')) {
    return 'The app does not ask for the scope email.'
  }
  if (!hasIdToken && !signals.tokenUses.includes('/oauth/userinfo')) {
    return 'The app reads neither an ID token nor userinfo.'
  }
  return otherUser?.email === undefined ? 'The sandbox has no other user with an email.' : undefined
}
