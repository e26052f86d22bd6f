import type { EvidenceItem } from '../../checks/rule.ts'
import { type ModuleDescription, type Verdict, verdictOf } from '../verdict.ts'
import { judgeAcceptance, judgeRefusal, neverRequested, noSignal, passProbe } from './judge.ts'
import {
  type AppJudgement,
  type AuditModule,
  type ControlFacts,
  type ModuleEvidence,
  plansOf,
  type Step,
} from './app-module.ts'
import { inconclusive, notApplicable, tolerate } from '../judgement.ts'

/** Describes a module for catalogues and reports. */
export function describeModule(module: AuditModule): ModuleDescription {
  const { id, title, level, expected, fix, sources, needsProbe } = module
  return {
    id,
    kind: 'app',
    plans: plansOf(module),
    sends: title,
    title,
    level,
    expected,
    fix,
    sources: [...sources],
    ...(needsProbe === true ? { needs: 'signedIn' } : {}),
  }
}

/**
 * Returns why a module cannot be run, before anything is poisoned; `undefined` if it can.
 */
export function judgeBefore(module: AuditModule, facts: ControlFacts): AppJudgement | undefined {
  const reason = module.applies?.(facts)
  if (reason !== undefined) return notApplicable(reason)
  if (module.needsProbe === true && !facts.signals.probe) {
    return inconclusive(`Requests look the same in both cases: ${passProbe(facts)}`)
  }
  const steps = module.provoke(facts)
  const { canUse, isBrowser } = facts.driver
  if (!canUse && steps.some((step) => step.do === 'use')) {
    return inconclusive(
      'The app has to be used after the sign-in: pass --use with a URL by which it calls the Hub, or --use-command.',
    )
  }
  const isOfOther = (step: Step) =>
    step.do === 'foreign-callback' || (step.do === 'sign-in' && step.as === 'other')
  if (!isBrowser && steps.some((step) => step.do === 'callback-again' || isOfOther(step))) {
    return inconclusive('Only a browser of the sandbox can do this: pass --start.')
  }
  if (facts.otherUser === undefined && steps.some(isOfOther)) {
    return inconclusive('The sandbox has one user only: add another one.')
  }
  const judgesByDefault = module.judge === undefined && module.must === 'refuse'
  const { probe, tokenUses } = facts.signals
  if (judgesByDefault && !probe && tokenUses.length === 0) {
    return inconclusive(noSignal(facts))
  }
  return undefined
}

/** Judges what an app did in a module. A source may allow it to accept the mistake. */
export function judgeModule(module: AuditModule, evidence: ModuleEvidence): AppJudgement {
  const standard = module.must === 'refuse' ? judgeRefusal : judgeAcceptance
  const judged = module.judge?.(evidence) ?? standard(evidence)
  const judgement =
    judged.observed === neverRequested ? { ...judged, observed: whyNotReached(evidence) } : judged
  if (judgement.outcome !== 'failed' || module.tolerated === undefined) return judgement
  return tolerate(judgement, module.tolerated)
}

/** Routes of metadata and keys, which an app may have read before. */
const readOnce = /^\/(?:\.well-known\/|oauth\/jwks$)/

/** Says what kept a module from its app: the step that is missing in what it did. */
function whyNotReached({ steps, requests, driverProblem, facts }: ModuleEvidence): string {
  if (driverProblem !== undefined) return driverProblem
  const signsIn = steps.some((step) => step.do === 'sign-in')
  const begun = requests.some(({ path }) => /^\/oauth\/(?:authorize|device)$/.test(path))
  if (signsIn && !begun) return 'The app did not begin a sign-in, so it met nothing wrong.'
  const routes = steps.flatMap((step) =>
    step.do === 'poison' ? step.faults.flatMap(({ match }) => match.route ?? []) : [],
  )
  const missing = [...new Set(routes)].filter(
    (route) => !requests.some(({ path }) => path === route),
  )
  if (missing.length === 0) {
    return 'The app sent no request after the sandbox had changed something.'
  }
  const restart = facts.driver.canRestart
    ? ''
    : ' It may have read them before: pass --restart with a command that restarts it.'
  return `The app did not request ${missing.join(' or ')} in this module.${missing.every((route) => readOnce.test(route)) ? restart : ''}`
}

/** Builds the verdict of a module. */
export function verdictOfModule(
  module: AuditModule,
  { evidence = [], ...judgement }: AppJudgement,
  lineOf: (item: EvidenceItem) => string | undefined,
  tookMs: number,
): Verdict {
  const shown = evidence.map((item) => {
    const line = lineOf(item)
    return { id: item.id, note: line === undefined ? item.note : `${line} ${item.note}` }
  })
  return verdictOf(describeModule(module), { ...judgement, evidence: shown }, tookMs)
}
