import { readdirSync, readFileSync } from 'node:fs'
import type { Rule } from '../../advice/rule.ts'

const tested = /\btestRule\(\s*'([^']+)'/g

/**
 * Returns the rules that lack a test. A test of a rule is a call of `testRule`, whose types require requests that the rule
 * reports and requests that it judges without a finding.
 * @param folder tests of the rules
 */
export function rulesWithoutTest(rules: readonly Rule[], folder: URL): string[] {
  const files = readdirSync(folder).filter((name) => name.endsWith('.test.ts'))
  const ids = new Set(
    files.flatMap((name) =>
      Array.from(readFileSync(new URL(name, folder), 'utf8').matchAll(tested), ([, id]) => id),
    ),
  )
  return rules.map(({ id }) => id).filter((id) => !ids.has(id))
}

/**
 * Returns the modules that no test names.
 * @param folders tests of the audits
 */
export function modulesWithoutTest(
  modules: readonly { readonly id: string }[],
  folders: readonly URL[],
): string[] {
  const texts = folders.flatMap((folder) =>
    readdirSync(folder)
      .filter((name) => name.endsWith('.test.ts'))
      .map((name) => readFileSync(new URL(name, folder), 'utf8')),
  )
  return modules.map(({ id }) => id).filter((id) => !texts.some((text) => text.includes(`'${id}'`)))
}

/**
 * Returns the modules of the app audit that no example app fails.
 * @param file list of the mistakes of example apps, with the modules that each one fails
 */
export function modulesWithoutApp(
  modules: readonly { readonly id: string }[],
  file: URL,
): string[] {
  const text = readFileSync(file, 'utf8')
  return modules.map(({ id }) => id).filter((id) => !text.includes(`'${id}'`))
}
