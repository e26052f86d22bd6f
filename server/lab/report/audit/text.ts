import type { AuditVerdict } from '../../../contract/control-audits.ts'
import { oneLine } from '../../../core/terminal-text.ts'
import { wrap } from '../../../core/wrap.ts'
import {
  type AuditReport,
  auditSentence,
  auditTitle,
  failures,
  notJudged,
  partsOfVerdict,
} from './audit-report.ts'

const width = 100

/** Renders an audit for a terminal: the failures, worst first, then what was not judged, then the counts. */
export function auditText(report: AuditReport): string {
  const tolerated = report.modules.filter(({ outcome }) => outcome === 'tolerated')
  const silent = notJudged(report)
  const notReached = silent.filter(({ outcome }) => outcome === 'not-reached')
  const rest = [...tolerated, ...silent.filter(({ outcome }) => outcome !== 'not-reached')]
  const lines = [
    ...wrap(oneLine(auditTitle(report)), width),
    '',
    ...failures(report).flatMap(failureLines),
    ...rest.flatMap(restLines),
    ...notReachedLines(notReached),
    ...(silent.length + tolerated.length === 0 ? [] : ['']),
    ...wrap(oneLine(auditSentence(report)), width),
  ]
  return `${lines.join('\n')}\n`
}

function failureLines(verdict: AuditVerdict): string[] {
  const { expected, observed, evidence, fix, sources } = partsOfVerdict(verdict)
  const source = sources[0]
  return [
    `${verdict.level}  ${verdict.module}`,
    ...[verdict.title, expected, observed].flatMap(indented),
    ...evidence.map((line) => `    ${oneLine(line)}`),
    ...indented(fix),
    ...(source === undefined ? [] : [`  Source: ${source.name}`]),
    '',
  ]
}

function restLines({ module, outcome, observed }: AuditVerdict): string[] {
  return [`${outcome}  ${module}`, ...indented(observed)]
}

/** Names the modules together that have the same reason. */
function notReachedLines(verdicts: readonly AuditVerdict[]): string[] {
  return [...new Set(verdicts.map(({ observed }) => observed))].flatMap((reason) => {
    const modules = verdicts.filter(({ observed }) => observed === reason)
    const names = modules.map(({ module }) => module).join(', ')
    return [...wrap(`not reached: ${names}`, width), ...indented(reason)]
  })
}

function indented(text: string): string[] {
  return wrap(oneLine(text), width - 2).map((line) => `  ${line}`)
}
