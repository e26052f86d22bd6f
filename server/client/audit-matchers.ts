import { AssertionError } from 'node:assert'
import { appModules as catalog } from '../lab/audit/app/app-catalog.ts'
import { plansOf } from '../lab/audit/app/app-module.ts'
import { refuseUnknownKeys, show, takeObject } from '../core/arguments.ts'
import { suggestion } from '../contract/suggestion.ts'
import type { AuditRunItem } from '../contract/control-types.ts'
import { type AdviceLevel, adviceLevels } from '../contract/words/advice-words.ts'
import { type AuditPlan, auditPlans } from '../contract/words/audit-words.ts'
import { type MatcherResult, nothingToJudge } from './matchers.ts'

/** Module of the app audit, for `it.each`. */
export interface AppModule {
  /** Such as `id-token/nonce`. */
  id: string
  /** What the sandbox does. */
  title: string
}

/**
 * Lists the modules of the app audit, to make a test of each:
 *
 *     it.each(appModules('core'))('$id: $title', async ({ id }) => {
 *       await expect(sandbox.audit.app({ module: id, clientId, signIn })).resolves.toHavePassed()
 *     })
 *
 * @param plan default: `core`
 */
export function appModules(plan: AuditPlan = 'core'): AppModule[] {
  if (!auditPlans.includes(plan)) {
    throw new TypeError(
      `appModules() requires one of ${auditPlans.join(', ')}, not ${show(plan)}${suggestion(plan, [...auditPlans])}`,
    )
  }
  return catalog
    .filter((module) => module.flow !== 'device' && plansOf(module).includes(plan))
    .map(({ id, title }) => ({ id, title }))
}

/** Failures that count; omitted members exclude nothing. */
export interface AuditMatch {
  /** Level that counts, and worse ones. Default: `warning`. */
  level?: AdviceLevel
}

/**
 * Matchers of the audits for `expect.extend(auditMatchers)` in vitest, jest and Playwright:
 *
 *     await expect(sandbox.audit.app({ clientId, signIn })).resolves.toHavePassed()
 *
 * Declare them like `SandboxMatchers`: `interface Matchers<T> extends AuditMatchers<Promise<void>> {}`.
 */
export const auditMatchers = {
  /** Passes if no module failed and each one that concerns the app could judge it: silence is no pass. */
  toHavePassed(run: Pick<AuditRunItem, 'verdicts'>, which: AuditMatch = {}): MatcherResult {
    if (!Array.isArray((run as Partial<AuditRunItem> | undefined)?.verdicts)) {
      throw new TypeError(
        `toHavePassed() requires the result of an audit, not ${show(run)}: await it, or use .resolves`,
      )
    }
    const open = problemsOf(run, which)
    const judged = run.verdicts.filter(({ outcome }) => outcome !== 'not-applicable')
    const pass = open.length === 0
    if (run.verdicts.length === 0) nothingToJudge('toHavePassed()', 'the audit ran no module')
    if (!pass && open.every(({ outcome }) => outcome !== 'failed')) {
      nothingToJudge(
        'toHavePassed()',
        `no module failed, and these judged nothing:${open.map(describe).join('')}`,
      )
    }
    return {
      pass,
      message: () =>
        pass
          ? `expected a module that has not passed, but all ${judged.length} passed`
          : `expected all modules to pass:${open.map(describe).join('')}`,
    }
  },
}

/** Types of {@link auditMatchers}, see there. */
export interface AuditMatchers<R = unknown> {
  toHavePassed(which?: AuditMatch): R
}

/**
 * Assertion for test runners without `expect`, such as `node:test`.
 * @throws {AssertionError} with the modules that have not passed
 */
export function assertPassed(run: Pick<AuditRunItem, 'verdicts'>, which?: AuditMatch): void {
  const { pass, message } = auditMatchers.toHavePassed(run, which)
  if (!pass) throw new AssertionError({ message: message() })
}

type Verdict = AuditRunItem['verdicts'][number]

function problemsOf({ verdicts }: Pick<AuditRunItem, 'verdicts'>, which: AuditMatch): Verdict[] {
  takeObject('toHavePassed()', which, "{ level: 'error' }")
  refuseUnknownKeys('toHavePassed()', which, ['level'])
  const { level = 'warning' } = which
  const place = adviceLevels.indexOf(level)
  if (place < 0) {
    throw new TypeError(
      `the level must be one of ${adviceLevels.join(', ')}, not ${show(level)}${suggestion(level, [...adviceLevels])}`,
    )
  }
  return verdicts.filter(
    ({ outcome, level: own }) =>
      outcome === 'inconclusive' ||
      outcome === 'not-reached' ||
      (outcome === 'failed' && adviceLevels.indexOf(own) <= place),
  )
}

function describe({ module, outcome, level, title, observed, evidence, fix }: Verdict): string {
  const lines = evidence.map(({ note }) => `\n    ${note}`)
  const help = outcome === 'failed' ? `\n    Fix: ${fix}` : ''
  const what = outcome === 'failed' ? `${level} ${module}` : `${outcome} ${module}`
  return `\n  ${what}: ${title} ${observed}${lines.join('')}${help}`
}
