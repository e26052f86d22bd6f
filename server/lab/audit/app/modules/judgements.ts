import { because } from '../../../checks/evidence.ts'
import {
  describeStatus,
  judgeAcceptance,
  judgeRefusal,
  neverRequested,
  noSignal,
} from '../judge.ts'
import type { AppJudgement, ModuleEvidence, Visit } from '../app-module.ts'
import { failed, inconclusive, notReached, passed } from '../../judgement.ts'

/** Judges an app that may accept or refuse the sign-in, but must not fail. */
export function judgeUpright(evidence: ModuleEvidence): AppJudgement {
  const { facts, hits, visits, isAlive, signedIn, tokenUses, driverProblem } = evidence
  if (hits === 0) return untested
  const broken = visits.find(failsWithoutWords)
  if (broken !== undefined) return failed(describeFailure(broken))
  if (isAlive === false) return failed('The app no longer responds.')
  const isSeen = visits.length > 0 || signedIn !== undefined || tokenUses.length > 0
  if (!isSeen) return inconclusive(driverProblem ?? noSignal(facts))
  return passed('The app goes on responding.')
}

/** Judges an app that must not sign the user in after a failure of the hub, and must say so. */
export function judgeFailure(evidence: ModuleEvidence): AppJudgement {
  const { hits, redemptions, visits, isAlive } = evidence
  if (hits === 0) return untested
  if (redemptions.length > mostRedemptions) {
    return failed(
      `The app sent the code ${redemptions.length} times.`,
      redemptions.slice(0, 3).map((one) => because(one, 'sends the code', 'code')),
    )
  }
  const broken = visits.find(failsWithoutWords)
  if (broken !== undefined) return failed(describeFailure(broken))
  return isAlive === false ? failed('The app no longer responds.') : judgeRefusal(evidence)
}

/** A code works once: after a lost response it may be tried again once, to learn that it was redeemed. */
const mostRedemptions = 2

/** Same as {@link judgeFailure} for the first of two sign-ins; the second one is undisturbed and must succeed. */
export function judgeFailureAndNext(evidence: ModuleEvidence): AppJudgement {
  const { signedIn: _signedIn, driverProblem: _driverProblem, earlier, ...rest } = evidence
  const next = rest.steps.findLastIndex((step) => step.do === 'sign-in')
  const visits = rest.visits.filter(({ step }) => step < next)
  const judgement = judgeFailure({ ...rest, ...earlier, visits })
  if (judgement.outcome !== 'passed') return judgement
  const last = judgeLastSignIn(evidence)
  return last.outcome === 'failed'
    ? { ...last, observed: `The next sign-in failed, although nothing was wrong. ${last.observed}` }
    : judgement
}

/** Judges the last of several sign-ins alone, which must succeed. */
export function judgeLastSignIn(evidence: ModuleEvidence): AppJudgement {
  const { requests, steps, visits } = evidence
  const last = steps.findLastIndex((step) => step.do === 'sign-in')
  const authorization = requests.findLast(({ path }) => path === '/oauth/authorize')
  const begun = authorization === undefined ? 0 : requests.indexOf(authorization)
  return judgeAcceptance({
    ...evidence,
    visits: visits.filter(({ step }) => step >= last),
    tokenUses: requests
      .slice(begun)
      .filter(({ path, bearer }) => bearer !== undefined && path !== '/oauth/token'),
  })
}

/** Returns whether a response is an error of the app that says nothing to the user. */
export function failsWithoutWords({ status, body }: Visit): boolean {
  return status === 0 || (status >= 500 && wordsOf(body).length < fewestCharacters)
}

/** An apology needs more than the name of a status. */
const fewestCharacters = 12

/** Pages that servers send by themselves say nothing that helps. */
const standardPage = /^(500 )?(internal )?server error\W*$/i

function wordsOf(body: string): string {
  const text = body.replaceAll(/<[^>]*>/g, ' ').trim()
  return standardPage.test(text) ? '' : text
}

export function describeFailure({ status }: Visit): string {
  return status === 0
    ? describeStatus(status)
    : `The app responded with the status ${status} and without an explanation.`
}

/** AppJudgement of an app that has not met what the sandbox changed. */
export const untested = notReached(neverRequested)
