import { encodeText } from '../../core/encode-text.ts'
import type { AdviceRule } from '../../contract/control-advice.ts'
import { plainMarkdown } from '../../core/markdown.ts'
import { escapeControls, manyLines, oneLine } from '../../core/terminal-text.ts'
import { partsOf, type Report, type ReportedFinding, subjectOf } from './report.ts'

/** File that a finding is shown at: GitHub shows only results with a place. */
export interface ReportSource {
  /** Relative to the root of the project. */
  readonly file: string
  /** Line of the app or webhook, from 1. */
  lineOf(finding: ReportedFinding): number
}

const schema =
  'https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json'

/** Renders a report as SARIF 2.1.0, for code scanning. */
export function sarifOf(report: Report, source?: ReportSource): string {
  const { rules, findings } = report
  return sarifFile(
    report,
    rules.map((rule) => sarifRule(rule, { judged: rule.judged })),
    findings.map((finding) => resultOf(report, finding, source)),
  )
}

/** Renders a SARIF file with one run. */
export function sarifFile(
  {
    tool,
    startedAt,
    problem,
  }: Pick<Report, 'tool' | 'startedAt'> & { problem?: string | undefined },
  rules: readonly object[],
  results: readonly object[],
): string {
  const log = {
    $schema: schema,
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: {
            name: tool.name,
            version: tool.version,
            semanticVersion: tool.version,
            informationUri: 'https://github.com/hub-sandbox/hub-sandbox',
            rules,
          },
        },
        // Times of the run are those of the sandbox.
        invocations: [
          {
            executionSuccessful: problem === undefined,
            startTimeUtc: startedAt,
            ...(problem !== undefined && {
              toolExecutionNotifications: [
                { level: 'error', message: { text: plainText(problem) } },
              ],
            }),
          },
        ],
        columnKind: 'utf16CodeUnits',
        results,
      },
    ],
  }
  return `${escapeControls(JSON.stringify(log, undefined, 2))}\n`
}

/** Describes a check or a module. */
export function sarifRule(
  { id, level, certainty, title, fix, sources }: Omit<AdviceRule, 'exceptions'>,
  properties: Readonly<Record<string, unknown>>,
) {
  const links = sources.map(({ name, section, url }) => `[${name}, ${section}](${url})`)
  return {
    id,
    name: nameOf(id),
    shortDescription: { text: title },
    fullDescription: { text: title },
    help: { text: fix, markdown: `${plainMarkdown(fix)}\n\n${links.join(' · ')}` },
    ...(sources[0] && { helpUri: sources[0].url }),
    defaultConfiguration: { level },
    properties: {
      precision: certainty === 'certain' ? 'very-high' : 'medium',
      tags: [...tagsOf({ id, level, sources }), 'hub-sandbox'],
      ...properties,
    },
  }
}

/** `token/refresh-race` is `TokenRefreshRace`: names of SARIF are Pascal case. */
function nameOf(id: string): string {
  return id
    .split(/[/-]/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('')
}

/** Rules with a section of the security practices as a source. */
function tagsOf({ level, sources }: Pick<AdviceRule, 'id' | 'level' | 'sources'>): string[] {
  const isSecurity = level !== 'note' && sources.some(({ name }) => name === 'RFC 9700')
  return isSecurity ? ['security'] : []
}

function resultOf(report: Report, finding: ReportedFinding, source: ReportSource | undefined) {
  const { id, rule, level, ignored, isKnown, app, webhook, count, firstAt, lastAt } = finding
  const { title, evidence, fix } = partsOf(finding)
  const subject = oneLine(subjectOf(finding))
  const text = [`${subject}: ${title}`, ...evidence, `Fix: ${fix}`].join('\n')
  const logical = {
    name: subject,
    fullyQualifiedName: app?.clientId ?? webhook?.id ?? 'no app',
    kind: app === undefined && webhook !== undefined ? 'webhook' : 'app',
  }
  return {
    ruleId: rule,
    ruleIndex: report.rules.findIndex((known) => known.id === rule),
    kind: 'fail',
    level,
    message: { text: plainText(text) },
    locations: [
      {
        ...(source && sarifPlace(source.file, source.lineOf(finding))),
        logicalLocations: [logical],
      },
    ],
    partialFingerprints: { 'hubSandbox/v1': id },
    occurrenceCount: count,
    provenance: { firstDetectionTimeUtc: firstAt, lastDetectionTimeUtc: lastAt },
    // Without a baseline, nothing is known to be new.
    ...(isKnown !== undefined && { baselineState: isKnown ? 'unchanged' : 'new' }),
    suppressions:
      ignored === undefined ? [] : [{ kind: 'external', justification: ignored.reason }],
  }
}

/** Place of a result in a file. */
export function sarifPlace(file: string, line: number) {
  return {
    physicalLocation: {
      artifactLocation: {
        uri: file.split('/').map(encodeText).join('/'),
        uriBaseId: '%SRCROOT%',
      },
      region: { startLine: line },
    },
  }
}

/** Escapes brackets, which would be links of SARIF's plain texts (§3.11.6); removes control and bidi characters. */
export function plainText(text: string): string {
  return manyLines(text).replaceAll(/[[\]\\]/g, String.raw`\$&`)
}
