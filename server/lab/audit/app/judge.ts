import { because } from '../../checks/evidence.ts'
import type { AppJudgement, ControlFacts, ModuleEvidence } from './app-module.ts'
import { failed, inconclusive, notReached, passed } from '../judgement.ts'

/**
 * Judges an app that must refuse the sign-in. A probe decides: an app may use the token before it checks the ID token.
 * Without one, the app has noticed only if a signal of the control run is missing.
 */
export function judgeRefusal(evidence: ModuleEvidence): AppJudgement {
  const { facts, hits, signedIn, tokenUses } = evidence
  if (hits === 0) return missed(evidence)
  const used = tokenUses.slice(0, 2).map((request) => because(request, 'uses the token'))
  if (signedIn === true) {
    return failed('The user is signed in.', used)
  }
  if (evidence.driverProblem !== undefined && signedIn === undefined) return driverFailed(evidence)
  if (signedIn === false) {
    return evidence.isAlive === false
      ? inconclusive('The user is not signed in, but the app no longer responds.')
      : passed('The user is not signed in.')
  }
  if (used.length > 0) {
    return failed('The app used the token of the sign-in.', used)
  }
  if (facts.signals.tokenUses.length === 0) return inconclusive(noSignal(facts))
  return evidence.isAlive === false
    ? inconclusive('The app did not use the token, but it no longer responds.')
    : passed('The app did not use the token of the sign-in.')
}

/** Judges an app that must not stumble: each signal of the control run must come again. */
export function judgeAcceptance(evidence: ModuleEvidence): AppJudgement {
  const { facts, hits, signedIn, tokenUses, visits, isAlive } = evidence
  if (hits === 0) return missed(evidence)
  const { signals } = facts
  const failure = visits.findLast(({ status }) => status === 0 || status >= 500)
  if (failure !== undefined) return failed(describeStatus(failure.status))
  if (signedIn === false) return failed('The user is not signed in.')
  if (isAlive === false) return failed('The app no longer responds.')
  if (evidence.driverProblem !== undefined) return driverFailed(evidence)
  if (signedIn === undefined && signals.tokenUses.length > 0 && tokenUses.length === 0) {
    return failed('The app did not use the token of the sign-in.')
  }
  const landing = visits.at(-1)?.status
  if (signals.landing !== undefined && signals.landing < 400 && (landing ?? 0) >= 400) {
    return failed(`The sign-in ended at a page with the status ${landing}.`)
  }
  const hasSignal =
    signedIn === true || signals.tokenUses.length > 0 || signals.landing !== undefined
  if (!hasSignal) return inconclusive(noSignal(facts))
  return passed('The sign-in succeeded.')
}

/** Why no signal decides, with the fix. */
export function noSignal(facts: Pick<ControlFacts, 'driver'>): string {
  return `The app shows nothing after a sign-in that the sandbox could miss: ${passProbe(facts)}`
}

/** How to let the sandbox ask whether the user is signed in. A probe needs the cookies of a browser. */
export function passProbe({ driver }: Pick<ControlFacts, 'driver'>): string {
  const start = driver.isBrowser ? '' : '--start, and '
  return `pass ${start}--signed-in with a URL that only signed-in users see.`
}

/** Why a module was not reached, before its steps say more. */
export const neverRequested = 'The app never requested what the sandbox had changed.'

function missed({ driverProblem }: ModuleEvidence): AppJudgement {
  return notReached(driverProblem ?? neverRequested)
}

function driverFailed({ driverProblem = '' }: ModuleEvidence): AppJudgement {
  return inconclusive(driverProblem)
}

/** Describes a response of the app that fails a module. */
export function describeStatus(status: number): string {
  return status === 0
    ? 'The app closed the connection without a response.'
    : `The app responded with the status ${status}.`
}
