import { because } from '../../../../checks/evidence.ts'
import type { AppJudgement, ControlFacts, ModuleEvidence, PoisonFault } from '../../app-module.ts'
import { describeFailure, failsWithoutWords } from '../judgements.ts'
import { failed, notReached, passed } from '../../../judgement.ts'

/** Longer than an access token of the hub lives. */
export const whileTokenExpires = { do: 'advance', by: '9h' } as const

/** Returns why modules about a session do not concern an app, or cannot judge it. */
export function canBeUsed({ driver }: ControlFacts): string | undefined {
  return driver.canUse
    ? undefined
    : 'The sandbox cannot use the app after the sign-in: pass --use with a URL for signed-in users, or --use-command.'
}

/** Same as {@link canBeUsed}, for an app that can refresh its token. */
export function canRefresh(facts: ControlFacts): string | undefined {
  return canBeUsed(facts) ?? (facts.hasRefreshToken ? undefined : 'The app gets no refresh token.')
}

/** Rule for the refresh of the present sign-in. */
export function poisonRefresh(effect: Omit<PoisonFault, 'match'>) {
  const match = { route: '/oauth/token', grantType: 'refresh_token' }
  return { do: 'poison', faults: [{ match, ...effect }] } as const
}

/** Judges an app whose token is refused: it refreshes or asks for a sign-in, and does not go on with the token. */
export function judgeDeadToken(evidence: ModuleEvidence): AppJudgement {
  const { tokenUses, refreshes } = evidence
  const refused = tokenUses.filter(({ record }) => record.status === 401)
  if (refused.length > mostDeadUses) {
    return failed(
      `The app used the refused token ${refused.length} times.`,
      refused.slice(0, 3).map((use) => because(use, 'uses the refused token')),
    )
  }
  const broken = brokenUse(evidence)
  if (broken !== undefined) return broken
  if (refused.length === 0 && refreshes.length === 0 && evidence.signedIn !== false) {
    return notReached('The app did not use its token again.')
  }
  return passed('The app gave the refused token up.')
}

/** One use tells that the token is refused; a second one may be on its way. */
const mostDeadUses = 2

/** Judges an app whose refresh is refused or lost: it stops soon, and signs the user out. */
export function judgeRefusedRefresh(most: number) {
  return (evidence: ModuleEvidence): AppJudgement => {
    const { refreshes, signedIn } = evidence
    if (refreshes.length === 0) {
      return notReached('The app did not refresh its token.')
    }
    if (refreshes.length > most) {
      return failed(
        `The app tried to refresh ${refreshes.length} times.`,
        refreshes.slice(0, 3).map((one) => because(one, 'refreshes', 'refresh_token')),
      )
    }
    const broken = brokenUse(evidence)
    if (broken !== undefined) return broken
    return signedIn === true
      ? failed('The user is still signed in.')
      : passed('The app stopped refreshing.')
  }
}

/** Judges an app that breaks when it is used. */
export function brokenUse({ visits, isAlive }: ModuleEvidence): AppJudgement | undefined {
  const broken = visits.find(failsWithoutWords)
  if (broken !== undefined) return failed(describeFailure(broken))
  return isAlive === false ? failed('The app no longer responds.') : undefined
}
