import type { AdviceLevel } from '../../contract/words/advice-words.ts'
import {
  isOpen,
  partsOf,
  pausedSentence,
  type Report,
  subjectOf,
  uselessIgnores,
} from './report.ts'
import type { ReportSource } from './sarif.ts'

/** Workflow command of a level. */
export const commandOfLevel: Readonly<Record<AdviceLevel, string>> = {
  error: 'error',
  warning: 'warning',
  note: 'notice',
}

/** Renders the open findings of a report as workflow commands of GitHub Actions, which become annotations. */
export function githubOf(report: Report, source?: ReportSource): string {
  const findings = report.findings.filter(isOpen).map((finding) => {
    const { title, evidence, fix } = partsOf(finding)
    const text = [`${subjectOf(finding)}: ${title}`, ...evidence, `Fix: ${fix}`].join('\n')
    return command(commandOfLevel[finding.level], text, {
      ...(source && { file: source.file, line: String(source.lineOf(finding)) }),
      title: finding.rule,
    })
  })
  const notices = [
    ...uselessIgnores(report),
    ...(report.paused > 0 ? [pausedSentence(report)] : []),
  ].map((sentence) => command('notice', sentence, {}))
  return [...findings, ...notices].map((line) => `${line}\n`).join('')
}

/** Renders a workflow command. */
export function command(name: string, text: string, properties: Record<string, string>): string {
  const named = Object.entries(properties).map(
    ([key, value]) => `${key}=${escapeData(value).replaceAll(':', '%3A').replaceAll(',', '%2C')}`,
  )
  return `::${name}${named.length === 0 ? '' : ` ${named.join(',')}`}::${escapeData(text)}`
}

/** Escapes as actions/toolkit does; other control characters would reach the terminal of the log. */
function escapeData(text: string): string {
  return text
    .replaceAll('%', '%25')
    .replaceAll('\r', '%0D')
    .replaceAll('\n', '%0A')
    .replaceAll(/[\p{Cc}\p{Bidi_Control}\u2028\u2029]/gu, '\uFFFD')
}
