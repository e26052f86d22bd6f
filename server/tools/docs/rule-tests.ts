import { readdirSync, readFileSync } from 'node:fs'
import type { Rule } from '../../lab/checks/rule.ts'

/**
 * Returns what tests of rules lack. A test of a rule is a call of `testRule` with requests that the rule reports, requests
 * that it judges without a finding, and requests for each exception. When it runs, it requires the same.
 * @param folder tests of the rules
 */
export function lackingRuleTests(rules: readonly Rule[], folder: URL): string[] {
  const tests = new Map(
    readTests([folder]).flatMap((text) =>
      text
        .split(/\btestRule\(\s*/)
        .slice(1)
        .map((call) => [/^'([^']+)'/.exec(call)?.[1], { call, text }] as const),
    ),
  )
  return rules.flatMap(({ id, exceptions }) => {
    const test = tests.get(id)
    if (test === undefined) return [`testRule('${id}', …)`]
    const own = test.call.split(/^\}\)/m, 1)[0] ?? ''
    return [
      ...(/^ {2}reports: \{\s*(?:'|\.\.\.)/m.test(own) ? [] : ['requests that it reports']),
      ...(/^ {2}silent(?:: (?:\{\s*(?:'|\.\.\.)|\w+)|,)/m.test(own)
        ? []
        : ['requests that it judges and does not report']),
      // A constant of the file may have it, which several rules share.
      ...exceptions
        .filter((exception) => !test.text.includes(`'${exception}': `))
        .map((exception) => `the exception "${exception}"`),
    ].map((what) => `${id}: ${what}`)
  })
}

/** Mistakes of example programs, each with the modules that it fails. */
export type Mistakes = Readonly<Record<string, readonly string[]>>

/** Returns the modules that no example program fails. */
export function lackingPrograms(
  modules: readonly { readonly id: string }[],
  mistakes: readonly Mistakes[],
): string[] {
  const failed = new Set(mistakes.flatMap((one) => Object.values(one).flat()))
  return modules.map(({ id }) => id).filter((id) => !failed.has(id))
}

function readTests(folders: readonly URL[]): string[] {
  return folders.flatMap((folder) =>
    readdirSync(folder)
      .filter((name) => name.endsWith('.test.ts'))
      .map((name) => readFileSync(new URL(name, folder), 'utf8')),
  )
}
