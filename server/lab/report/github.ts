import type { AdviceLevel } from '../../contract/words/advice-words.ts'
import { openMistakes, type Report, type ReportSource } from './report.ts'

const commandOfLevel: Readonly<Record<AdviceLevel, string>> = {
  error: 'error',
  warning: 'warning',
  note: 'notice',
}

/** Renders the open mistakes of a report as workflow commands of GitHub Actions, which become annotations. */
export function githubOf(report: Report, source?: ReportSource): string {
  const mistakes = openMistakes(report).open.map((mistake) => {
    const { check, level, subject, title, details, evidence, fix, names } = mistake
    const text = [`${subject}: ${title}`, ...details, ...evidence, `Fix: ${fix}`].join('\n')
    return command(commandOfLevel[level], text, {
      ...(source && { file: source.file, line: String(source.lineOf(names)) }),
      title: check,
    })
  })
  const level = report.problem === undefined ? 'notice' : 'error'
  const others = report.annotations.map((sentence) => command(level, sentence, {}))
  return [...mistakes, ...others].map((line) => `${line}\n`).join('')
}

/** Renders a workflow command. */
function command(name: string, text: string, properties: Record<string, string>): string {
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
