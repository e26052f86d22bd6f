import type { AdviceIgnoreItem, AdviceRule } from '../contract/control-advice.ts'
import type { AuditModuleItem } from '../contract/control-audits.ts'
import { parseDuration } from '../contract/durations.ts'
import { longestDurationMs } from '../contract/fixtures/limits.ts'
import { suggestion } from '../contract/suggestion.ts'
import { omitUndefined } from '../core/omit-undefined.ts'
import { escapeControls } from '../core/terminal-text.ts'
import { isoTime } from '../core/time.ts'
import { wrap } from '../core/wrap.ts'
import { type Findings, findingsOf, reportOfFindings } from '../lab/report/check-report.ts'
import { renderReport } from '../lab/report/formats.ts'
import { reportExitCodes } from '../lab/report/report.ts'
import { listApps, requireApp } from './app-named.ts'
import { readBaseline, writeBaseline } from './check-baseline.ts'
import { sourceOf } from './check-source.ts'
import { CommandError } from './command-error.ts'
import { connect, nextCommand } from './connect.ts'
import { prepareFile, writeWhole } from './exec/written-file.ts'
import { describeFailure } from './failure.ts'
import { readGate } from './gate-command.ts'
import { print, printJson, printTable, writeOut } from './output.ts'
import type { ControlOptions } from './read-options.ts'
import { readFormat } from './report-format.ts'

export interface CheckOptions extends ControlOptions {
  app?: string
  since?: string
  failOn?: string
  maxWarnings?: string
  ignore?: string[]
  baseline?: string
  updateBaseline?: boolean
  format?: string
  out?: string
  source?: string
  explain?: string
  list?: boolean
}

const width = 100

/**
 * Prints the mistakes that the record shows, and exits with a code that says whether there are any.
 * @throws {CommandError} with exit code 2 for every failure, so that a broken job does not read as a bad app
 */
export async function check(options: CheckOptions): Promise<void> {
  try {
    await printChecks(options)
  } catch (error) {
    const { message } = describeFailure(error)
    throw new CommandError(message, { exitCode: reportExitCodes.unusable, cause: error })
  }
}

async function printChecks(options: CheckOptions): Promise<void> {
  const gate = readGate(options)
  const format = readFormat(options)
  const ignores = (options.ignore ?? []).map(readIgnore)
  const sinceMs = readSince(options.since)
  if (options.updateBaseline === true && options.baseline === undefined) {
    throw new CommandError('--update-baseline requires --baseline FILE.')
  }
  if (options.out !== undefined) prepareFile('--out', options.out)
  const { call } = await connect(options)
  const { items: rules } = await call('GET advice/rules')
  if (options.list === true) return listRules(rules, options)
  if (options.explain !== undefined) {
    const { items: modules } = await call('GET audits/modules')
    return explain(options.explain, { rules, modules }, options)
  }
  for (const { rule } of ignores) requireRule(rules, rule)
  const clientId =
    options.app === undefined ? undefined : requireApp(await listApps(call), options.app).clientId
  const { now } = await call('GET clock')
  const since = typeof sinceMs === 'number' ? isoTime(Date.parse(now) - sinceMs) : undefined
  const isWhole = sinceMs !== 'reset'
  const advice = await call('GET advice', {
    query: omitUndefined({ clientId, since, run: isWhole ? ('1' as const) : undefined }),
  })
  const { resets } = await call('GET overview')
  const findings = await withBaseline(
    withIgnores({ ...findingsOf(advice, rules, now), ...(isWhole && { resets }) }, ignores),
    options,
  )
  if (options.updateBaseline === true && options.baseline !== undefined) {
    await writeBaseline(options.baseline, findings)
  }
  const report = reportOfFindings(findings, gate)
  const text =
    options.json === true && options.format === undefined
      ? `${escapeControls(JSON.stringify(advice, undefined, 2))}\n`
      : renderReport(format, report, await sourceOf(options.source))
  if (options.out === undefined) writeOut(text)
  else await writeWhole(options.out, text)
  process.exitCode = options.updateBaseline === true ? 0 : report.exitCode
}

/** @returns milliseconds, or `reset` for what came after the last reset */
function readSince(text: string | undefined): number | 'reset' | undefined {
  if (text === undefined || text === 'reset') return text
  const ms = parseDuration(text)
  // Of a longer one, the time would be before any that can be written.
  if (ms !== undefined && ms <= longestDurationMs) return ms
  throw new CommandError(
    `Invalid duration "${text}": pass --since with a duration, such as 10m, or with reset.`,
  )
}

/** `RULE=REASON` */
function readIgnore(text: string): { rule: string; reason: string } {
  const [, rule, reason = ''] = /^([^=]+)=?(.*)$/s.exec(text) ?? []
  if (rule !== undefined && reason.trim() !== '') return { rule, reason: reason.trim() }
  throw new CommandError(
    `An ignore needs a reason. Pass it after =: --ignore "${rule ?? 'token/dead-bearer'}=this test sends one on purpose".`,
  )
}

function withIgnores(
  content: Findings,
  given: readonly { rule: string; reason: string }[],
): Findings {
  const ignores = given.map(({ rule, reason }): AdviceIgnoreItem => {
    const findings = content.findings.filter((finding) => finding.rule === rule).length
    return { id: rule, rule, reason, source: 'control', findings }
  })
  const reasons = new Map(given.map(({ rule, reason }) => [rule, reason]))
  return {
    ...content,
    ignores: [...content.ignores, ...ignores],
    findings: content.findings.map((finding) => {
      const reason = reasons.get(finding.rule)
      if (reason === undefined || finding.ignored !== undefined) return finding
      return { ...finding, ignored: { id: finding.rule, reason } }
    }),
  }
}

async function withBaseline(
  content: Findings,
  { baseline, updateBaseline }: CheckOptions,
): Promise<Findings> {
  if (baseline === undefined) return content
  const known = await readBaseline(baseline, updateBaseline === true)
  const present = new Set(content.findings.map(({ id }) => id))
  return {
    ...content,
    findings: content.findings.map((finding) => ({ ...finding, isKnown: known.has(finding.id) })),
    fixed: [...known].filter((id) => !present.has(id)),
  }
}

function requireRule(
  rules: readonly AdviceRule[],
  id: string,
  others: readonly { id: string }[] = [],
): AdviceRule {
  const rule = rules.find((known) => known.id === id)
  if (rule !== undefined) return rule
  const ids = [...rules, ...others].map((known) => known.id)
  throw new CommandError(
    `There is no check ${id}${suggestion(id, ids)}. List them: ${nextCommand(['check', '--list'], {})}`,
  )
}

function listRules(items: readonly AdviceRule[], { json }: CheckOptions): void {
  if (json === true) return printJson(items)
  printTable(
    items.map(({ id, level, certainty, title }) => [
      id,
      certainty === 'likely' ? `${level}, likely` : level,
      title,
    ]),
  )
}

/** Explains a check, or a module of an audit. */
function explain(
  id: string,
  { rules, modules }: { rules: readonly AdviceRule[]; modules: readonly AuditModuleItem[] },
  { json }: CheckOptions,
): void {
  const module = modules.find((one) => one.id === id)
  const known = module ?? requireRule(rules, id, modules)
  if (json === true) return printJson(known)
  const { level, fix, sources } = known
  const likely = 'certainty' in known && known.certainty === 'likely' ? ', likely' : ''
  const lines =
    'certainty' in known
      ? [known.title, ...known.exceptions.map((exception) => `Not reported if ${exception}.`)]
      : [
          `Module of the audit of ${known.kind === 'app' ? 'apps' : 'receivers'} (${known.plans.join(', ')}).`,
          `Sends: ${known.sends.replace(/\.$/, '')}.`,
          `Expected: ${known.expected}`,
          ...(known.needs === undefined ? [] : [`Needs: ${known.needs}.`]),
        ]
  print(
    [
      `${id} (${level}${likely})`,
      ...lines.flatMap((line) => wrap(line, width)),
      '',
      ...wrap(`Fix: ${fix}`, width),
      ...sources.map(({ name, section, url }) => `${name}, ${section}: ${url}`),
    ].join('\n'),
  )
}
