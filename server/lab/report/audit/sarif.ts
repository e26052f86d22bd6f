import { createHash } from 'node:crypto'
import type { AuditVerdict } from '../../../contract/control-audits.ts'
import { oneLine } from '../../../core/terminal-text.ts'
import { plainText, sarifFile, sarifPlace, sarifRule } from '../sarif.ts'
import { type AuditReport, failures, partsOfVerdict } from './audit-report.ts'

/** Renders an audit as SARIF 2.1.0: a rule for each module, a result for each failure. */
export function auditSarif(report: AuditReport, file?: string): string {
  const rules = report.modules.map((verdict) =>
    sarifRule(
      { ...verdict, id: verdict.module, certainty: 'certain' },
      { outcome: verdict.outcome },
    ),
  )
  return sarifFile(
    report,
    rules,
    failures(report).map((verdict) => resultOf(report, verdict, file)),
  )
}

function resultOf(report: AuditReport, verdict: AuditVerdict, file?: string) {
  const { modules, kind } = report
  const subject = oneLine(report.subject)
  const { module, level, title } = verdict
  const { expected, observed, evidence, fix } = partsOfVerdict(verdict)
  const text = [`${subject}: ${title}`, expected, observed, ...evidence, fix].join('\n')
  return {
    ruleId: module,
    ruleIndex: modules.findIndex((one) => one.module === module),
    kind: 'fail',
    level,
    message: { text: plainText(text) },
    locations: [
      {
        ...(file !== undefined && sarifPlace(file, 1)),
        logicalLocations: [{ name: subject, fullyQualifiedName: subject, kind }],
      },
    ],
    partialFingerprints: { 'hubSandbox/v1': fingerprint(module, report.subject) },
  }
}

/** The same in every run: the module and the program, never a value. */
function fingerprint(module: string, subject: string): string {
  return createHash('sha256').update(`${module}\n${subject}`).digest('hex').slice(0, 16)
}
