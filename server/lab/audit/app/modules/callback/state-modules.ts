import { because } from '../../../../checks/evidence.ts'
import type { AppJudgement, ControlFacts, ModuleEvidence } from '../../app-module.ts'
import { notReached, passed } from '../../../judgement.ts'

/** Returns why modules about `state` do not concern an app. */
export function sendsState({ asked }: ControlFacts): string | undefined {
  return asked.has('state') ? undefined : 'The app sends no state.'
}

/** Judges an app that must not redeem a code. With PKCE a stolen code is of no use, so that a failure is a warning. */
export function judgeCode({ facts, hits, redemptions }: ModuleEvidence): AppJudgement {
  if (hits === 0) return notReached('No redirect with a code was sent.')
  const [redemption] = redemptions
  if (redemption === undefined) {
    return passed('The app did not redeem the code.')
  }
  return {
    outcome: 'failed',
    observed: 'The app redeemed the code.',
    evidence: [because(redemption, 'redeems the code', 'code')],
    ...(facts.asked.has('code_challenge') ? { level: 'warning' as const } : {}),
  }
}
