import type { Advice, AdviceFinding, AdviceRule } from '../contract/control-advice.ts'
import { suggestion } from '../contract/suggestion.ts'
import { adviceLevels, type AdviceLevel } from '../contract/words/advice.ts'
import { omitUndefined } from '../core/omit-undefined.ts'
import { listApps, requireApp } from './app-named.ts'
import { CommandError } from './command-error.ts'
import { connect } from './connect.ts'
import { describeFailure } from './failure.ts'
import { print, printJson, printTable } from './output.ts'
import { oneLine } from './paint.ts'
import type { ControlOptions } from './read-options.ts'
import { wrap } from './wrap.ts'

export interface CheckOptions extends ControlOptions {
  app?: string
  failOn?: string
  explain?: string
  list?: boolean
}

const width = 100
const exitCodes = { findings: 1, nothingToCheck: 3 } as const

/**
 * Prints the mistakes that the record shows, and exits with a code that says whether there are any.
 * @throws {CommandError} with exit code 2 for every failure, so that a broken job does not read as a bad app
 */
export async function check(options: CheckOptions): Promise<void> {
  try {
    await printChecks(options)
  } catch (error) {
    const { message } = describeFailure(error)
    throw new CommandError(message, { exitCode: 2, cause: error })
  }
}

async function printChecks(options: CheckOptions): Promise<void> {
  const failOn = readLevel(options.failOn ?? 'error')
  const { call } = await connect(options)
  if (options.list === true || options.explain !== undefined) {
    const { items } = await call('GET advice/rules')
    return printRules(items, options)
  }
  const clientId =
    options.app === undefined ? undefined : requireApp(await listApps(call), options.app).clientId
  const advice = await call('GET advice', { query: omitUndefined({ clientId }) })
  if (options.json === true) printJson(advice)
  else print(textOf(advice))
  process.exitCode = exitCodeOf(advice, failOn)
}

function readLevel(given: string): AdviceLevel {
  const level = adviceLevels.find((known) => known === given)
  if (level !== undefined) return level
  throw new CommandError(
    `Unknown level ${given}${suggestion(given, [...adviceLevels])}. Pass --fail-on with one of: ${adviceLevels.join(', ')}.`,
    { exitCode: 2 },
  )
}

function exitCodeOf({ items, rules }: Advice, failOn: AdviceLevel): number {
  const fails = adviceLevels.slice(0, adviceLevels.indexOf(failOn) + 1)
  if (items.some(({ level, certainty }) => certainty === 'certain' && fails.includes(level))) {
    return exitCodes.findings
  }
  return rules.some(({ judged }) => judged > 0) ? 0 : exitCodes.nothingToCheck
}

function printRules(items: readonly AdviceRule[], options: CheckOptions): void {
  const { explain } = options
  if (explain === undefined) {
    if (options.json === true) return printJson(items)
    return printTable(items.map(({ id, level, title }) => [id, level, title]))
  }
  const rule = items.find(({ id }) => id === explain)
  if (rule === undefined) {
    const ids = items.map(({ id }) => id)
    throw new CommandError(
      `There is no check ${explain}${suggestion(explain, ids)}. List them: hub-sandbox check --list`,
      { exitCode: 2 },
    )
  }
  if (options.json === true) return printJson(rule)
  const { id, level, title, fix, sources } = rule
  print(
    [
      `${id} (${level})`,
      ...wrap(title, width),
      '',
      ...wrap(`Fix: ${fix}`, width),
      ...sources.map(({ name, section, url }) => `${name}, ${section}: ${url}`),
    ].join('\n'),
  )
}

function textOf({ items, rules }: Advice): string {
  const judged = rules.filter((rule) => rule.judged > 0).length
  const total = `${judged} of ${rules.length} checks had something to judge.`
  if (judged === 0) {
    return `Nothing to check: the sandbox has recorded no request of an app and no delivery.`
  }
  if (items.length === 0) return `No mistakes found. ${total}`
  return [...items.flatMap(linesOf), total].join('\n')
}

function linesOf(finding: AdviceFinding): string[] {
  const { level, rule, title, fix, app, webhook, count, evidence, sources } = finding
  const subject = app?.name ?? webhook?.name ?? webhook?.url ?? 'a client without an app'
  const times = count === 1 ? '' : `, ${count} times`
  const source = sources[0] && `${sources[0].name}, ${sources[0].section}`
  return [
    `${level}  ${rule}  ${oneLine(subject)}${times}`,
    ...wrap(title, width - 2).map((line) => `  ${line}`),
    ...evidence.map(({ id, note, line }) =>
      oneLine(`    ${id}  ${line === undefined ? '' : `${line}: `}${note}`),
    ),
    ...wrap(`Fix: ${fix}`, width - 2).map((line) => `  ${line}`),
    ...(source === undefined ? [] : [`  Source: ${source}`]),
    '',
  ]
}
