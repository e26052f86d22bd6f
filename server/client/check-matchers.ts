import { AssertionError } from 'node:assert'
import { refuseUnknownKeys, show, takeObject } from '../core/arguments.ts'
import { suggestion } from '../contract/suggestion.ts'
import type { Advice, AdviceFinding } from '../contract/control-types.ts'
import { type AdviceLevel, adviceLevels } from '../contract/words/advice-words.ts'
import { pausedSentence } from '../lab/report/check-report.ts'
import { type MatcherResult, nothingToJudge } from './matchers.ts'
import type { Sandbox } from './sandbox-api.ts'

/** Part of a sandbox that the matchers of the checks use. */
export type CheckedSandbox = Pick<Sandbox, 'advice' | 'idle'>

/** Findings that count; omitted members exclude nothing. */
export interface FindingMatch {
  /** Level that counts, and worse ones. Default: `warning`. */
  level?: AdviceLevel
  /** Checks that do not count. */
  ignore?: readonly string[]
  /** Only findings of this app. */
  clientId?: string
  /** Whether likely findings count. Default: false. */
  likely?: boolean
}

const keys = { level: true, ignore: true, clientId: true, likely: true } as const satisfies Record<
  keyof FindingMatch,
  true
>

/**
 * Matchers of the checks for `expect.extend(checkMatchers)` in vitest, jest and Playwright:
 *
 *     await expect(sandbox).toHaveNoFindings()
 *     await expect(sandbox).toHaveFinding('token/refresh-race')
 *
 * Declare them like `SandboxMatchers`: `interface Matchers<T> extends CheckMatchers<Promise<void>> {}`.
 */
export const checkMatchers = {
  /** Passes if apps and receivers made no mistake, and at least one check had something to judge. */
  async toHaveNoFindings(
    sandbox: CheckedSandbox,
    which: FindingMatch = {},
  ): Promise<MatcherResult> {
    const { clientId } = which
    const advice = await readAdvice(sandbox, clientId === undefined ? {} : { clientId })
    const findings = selectFindings(advice, which)
    const judged = advice.rules.filter((rule) => rule.judged > 0).length
    const pass = findings.length === 0
    if (pass && judged === 0) nothingToJudge('toHaveNoFindings()', whyNothing(advice))
    return {
      pass,
      message: () =>
        pass
          ? `expected findings, but ${judged} checks had something to judge and found none`
          : `expected no findings:${describeFindings(findings)}`,
    }
  },

  /** Passes if a check has found its mistake. */
  async toHaveFinding(sandbox: CheckedSandbox, rule: string): Promise<MatcherResult> {
    const advice = await readAdvice(sandbox, {})
    const ids = advice.rules.map(({ id }) => id)
    if (!ids.includes(rule)) {
      throw new TypeError(
        `toHaveFinding() requires the id of a check, not ${show(rule)}${suggestion(rule, ids)}`,
      )
    }
    const pass = advice.items.some((finding) => finding.rule === rule)
    if (!pass && advice.rules.find(({ id }) => id === rule)?.judged === 0) {
      const isSilent = advice.rules.every(({ judged }) => judged === 0)
      nothingToJudge(
        'toHaveFinding()',
        isSilent ? whyNothing(advice) : `no request or delivery was one that ${rule} is about`,
      )
    }
    return {
      pass,
      message: () =>
        `expected ${pass ? 'no ' : ''}finding of ${rule}; these were found:${describeFindings(advice.items)}`,
    }
  },
}

function whyNothing(advice: Advice): string {
  return advice.paused > 0
    ? pausedSentence(advice)
    : 'the sandbox has recorded no request of the app'
}

/** Types of {@link checkMatchers}, see there. */
export interface CheckMatchers<R = unknown> {
  toHaveNoFindings(which?: FindingMatch): R
  toHaveFinding(rule: string): R
}

/**
 * Assertion for test runners without `expect`, such as `node:test`.
 * @throws {AssertionError} with the findings
 */
export async function assertNoFindings(
  sandbox: CheckedSandbox,
  which?: FindingMatch,
): Promise<void> {
  const { pass, message } = await checkMatchers.toHaveNoFindings(sandbox, which)
  if (!pass) throw new AssertionError({ message: message() })
}

/** Waits for deliveries in flight first. */
async function readAdvice(sandbox: CheckedSandbox, query: { clientId?: string }): Promise<Advice> {
  await sandbox.idle().catch(() => undefined)
  return sandbox.advice.read(query)
}

/** Findings that count, without those that are ignored. */
export function selectFindings(
  { items }: Pick<Advice, 'items'>,
  which: FindingMatch,
): AdviceFinding[] {
  takeObject('toHaveNoFindings()', which, "{ level: 'warning' }")
  refuseUnknownKeys('toHaveNoFindings()', which, Object.keys(keys))
  const { level = 'warning', ignore = [], likely = false } = which
  const place = adviceLevels.indexOf(level)
  if (place < 0) {
    throw new TypeError(
      `the level must be one of ${adviceLevels.join(', ')}, not ${show(level)}${suggestion(level, [...adviceLevels])}`,
    )
  }
  return items.filter(
    (finding) =>
      finding.ignored === undefined &&
      adviceLevels.indexOf(finding.level) <= place &&
      (likely || finding.certainty === 'certain') &&
      !ignore.includes(finding.rule),
  )
}

/** Maximum number of findings in a message. */
const mostShown = 5

/** Describes findings for the message of a failed test, each with its fix. */
export function describeFindings(findings: readonly AdviceFinding[]): string {
  if (findings.length === 0) return ' none'
  const shown = findings.slice(0, mostShown).map((finding) => {
    const { level, rule, title, fix, app, webhook, evidence } = finding
    const subject = app?.name ?? webhook?.name ?? webhook?.url ?? 'a client without an app'
    const lines = evidence.map(({ line, note, id }) => `\n    ${line ?? id} ${note}`)
    return `\n  ${level} ${rule}, ${subject}: ${title}${lines.join('')}\n    Fix: ${fix}`
  })
  const more = findings.length - shown.length
  return `${shown.join('')}${more > 0 ? `\n  and ${more} more` : ''}`
}
