import { encodeText } from '../../core/encode-text.ts'
import { plainMarkdown } from '../../core/markdown.ts'
import { escapeControls, manyLines, oneLine } from '../../core/terminal-text.ts'
import type { Mistake, Report, ReportedCheck, ReportSource } from './report.ts'

const schema =
  'https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json'

/** Renders a report as SARIF 2.1.0, for code scanning: a rule for each check or module, a result for each mistake. */
export function sarifOf(report: Report, source?: ReportSource): string {
  const { tool, startedAt, problem, checks, mistakes } = report
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
            rules: checks.map(ruleOf),
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
        results: mistakes
          .filter(({ state }) => state !== 'tolerated')
          .map((mistake) => resultOf(report, mistake, source)),
      },
    ],
  }
  return `${escapeControls(JSON.stringify(log, undefined, 2))}\n`
}

function ruleOf({ id, level, certainty, title, fix, sources, result }: ReportedCheck) {
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
      tags: [...tagsOf({ level, sources }), 'hub-sandbox'],
      ...result,
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
function tagsOf({ level, sources }: Pick<ReportedCheck, 'level' | 'sources'>): string[] {
  const isSecurity = level !== 'note' && sources.some(({ name }) => name === 'RFC 9700')
  return isSecurity ? ['security'] : []
}

function resultOf({ checks }: Report, mistake: Mistake, source: ReportSource | undefined) {
  const { check, level, title, details, evidence, fix, names, sarif } = mistake
  const subject = oneLine(mistake.subject)
  const text = [`${subject}: ${title}`, ...details, ...evidence, `Fix: ${fix}`].join('\n')
  return {
    ruleId: check,
    ruleIndex: checks.findIndex(({ id }) => id === check),
    kind: 'fail',
    level,
    message: { text: plainText(text) },
    locations: [
      {
        ...(source && placeOf(source.file, source.lineOf(names))),
        logicalLocations: [{ name: subject, ...sarif.program }],
      },
    ],
    partialFingerprints: { 'hubSandbox/v1': sarif.fingerprint },
    ...sarif.more,
  }
}

function placeOf(file: string, line: number) {
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
function plainText(text: string): string {
  return manyLines(text).replaceAll(/[[\]\\]/g, String.raw`\$&`)
}
