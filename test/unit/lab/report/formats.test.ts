import { describe, expect, test } from 'vitest'
import type { AdviceFinding } from '../../../../server/contract/control-advice.ts'
import { reportFormats } from '../../../../server/contract/words/advice-words.ts'
import { effectsOf, hostileText } from '../../../helpers/report-effects.ts'
import {
  type Findings,
  reportOfFindings,
  type ReportedFinding,
} from '../../../../server/lab/report/check-report.ts'
import { formatOfFile, renderReport } from '../../../../server/lab/report/formats.ts'
import { mergeAdvice } from '../../../../server/lab/report/merge.ts'
import type { Gate } from '../../../../server/lab/report/report.ts'

const source = {
  name: 'RFC 6749',
  section: '6',
  url: 'https://www.rfc-editor.org/rfc/rfc6749#section-6',
}
const rule = {
  id: 'token/refresh-race',
  level: 'error' as const,
  certainty: 'certain' as const,
  title: 'Two requests refresh the same token at once.',
  fix: 'Let one refresh be in flight.',
  sources: [source],
}

function finding(more: Partial<ReportedFinding> = {}): ReportedFinding {
  const { id: _id, ...about } = rule
  return {
    id: '0123456789abcdef',
    rule: rule.id,
    ...about,
    app: { clientId: 'client', name: 'My app' },
    count: 2,
    firstAt: '2026-11-27T09:00:00.000Z',
    lastAt: '2026-11-27T09:00:01.000Z',
    evidence: [
      { kind: 'request', id: 'req-1', note: 'refreshed the token', line: 'POST /oauth/token 200' },
    ],
    ...more,
  }
}

function reportOf(findings: readonly ReportedFinding[], more: Partial<Findings> = {}): Findings {
  const silent = { ...rule, id: 'device/too-fast', judged: 0 }
  return {
    tool: { name: 'hub-sandbox', version: '1.0.0' },
    startedAt: '2026-11-27T09:00:00.000Z',
    findings,
    rules: [{ ...rule, judged: 4 }, silent],
    ignores: [],
    omitted: 0,
    paused: 0,
    fixed: [],
    ...more,
  }
}

const gate: Gate = { level: 'error', likely: false }
const place = { file: 'hub-sandbox.json', lineOf: () => 7 }
const render = (format: (typeof reportFormats)[number], findings: Findings) =>
  renderReport(format, reportOfFindings(findings, gate), place)

describe('the exit code', () => {
  test.each([
    ['no finding', [], gate, 0],
    ['an error', [finding()], gate, 1],
    ['a warning', [finding({ level: 'warning' })], gate, 0],
    ['a warning with its gate', [finding({ level: 'warning' })], { ...gate, level: 'warning' }, 1],
    ['an ignored error', [finding({ ignored: { id: 'i', reason: 'on purpose' } })], gate, 0],
    ['an error of the baseline', [finding({ isKnown: true })], gate, 0],
    [
      'a likely warning',
      [finding({ level: 'warning', certainty: 'likely' })],
      { level: 'warning', likely: false },
      0,
    ],
    [
      'a likely warning with its gate',
      [finding({ level: 'warning', certainty: 'likely' })],
      { level: 'warning', likely: true },
      1,
    ],
    ['too many warnings', [finding({ level: 'warning' })], { ...gate, maxWarnings: 0 }, 1],
    [
      'as many warnings as allowed',
      [finding({ level: 'warning' })],
      { ...gate, maxWarnings: 1 },
      0,
    ],
    ['an error without a gate', [finding()], { likely: false }, 0],
  ] as const)('of %s', (_what, findings, ofGate, code) => {
    expect(reportOfFindings(reportOf(findings), ofGate).exitCode).toBe(code)
  })

  test('is 3 with nothing to judge, which is no pass', () => {
    const nothing = reportOf([], { rules: [{ ...rule, judged: 0 }] })
    expect(reportOfFindings(nothing, gate).exitCode).toBe(3)
  })
})

describe('each format', () => {
  test.each(reportFormats)('%s shows the finding, its fix and its request', (format) => {
    const text = render(format, reportOf([finding()]))
    expect(text).toContain('token/refresh-race')
    expect(text).toContain('Let one refresh be in flight.')
    expect(text).toContain('POST /oauth/token 200')
  })

  test.each(reportFormats)('%s shows hostile names without their effect', (format) => {
    const text = render(
      format,
      reportOf([
        finding({
          app: { clientId: 'client', name: hostileText },
          evidence: [
            { kind: 'request', id: 'req-1', note: hostileText, line: `GET /${hostileText} 200` },
          ],
        }),
      ]),
    )
    expect(effectsOf[format](text)).toEqual([])
  })
})

test.each(['text', 'markdown', 'github'] as const)('%s counts what came in a pause', (format) => {
  const sentence = '3 requests came in a pause, which is not judged.'
  expect(render(format, reportOf([], { paused: 3 }))).toContain(sentence)
  const nothing = reportOf([], { rules: [{ ...rule, judged: 0 }], paused: 3 })
  expect(render(format, nothing)).toContain(sentence)
  expect(render(format, nothing)).not.toContain('recorded no request')
  expect(render(format, reportOf([]))).not.toContain('in a pause')
})

test.each(reportFormats)('%s renders thousands of findings in a moment', (format) => {
  const many = Array.from({ length: 5000 }, (_, index) =>
    finding({ id: `finding-${index}`, app: { clientId: `c${index}`, name: `App ${index}` } }),
  )
  const began = performance.now()
  const text = render(format, reportOf(many, { omitted: 12 }))
  expect(performance.now() - began).toBeLessThan(15_000)
  expect(text).toContain('App 0')
  // GitHub refuses a summary of more than 1 MiB.
  const isCut = format === 'markdown'
  expect(isCut ? text.length : 0).toBeLessThan(1024 * 1024)
  expect(text).toContain(isCut ? 'The list is cut.' : 'App 4999')
})

test('junit skips what could not be judged, and fails what the gate does', () => {
  const text = render(
    'junit',
    reportOf([finding(), finding({ id: 'fedcba9876543210', level: 'note' })]),
  )
  expect(text).toContain('tests="3" failures="1" errors="0" skipped="1"')
  expect(text).toMatch(/name="device\/too-fast"[^>]*>\s*<skipped message="The run had nothing/)
  expect(text).toMatch(
    /name="token\/refresh-race: My app \(0123456789abcdef\)"[^>]*>\s*<failure message="Two requests/,
  )
  expect(text).toContain('name="token/refresh-race: My app (fedcba9876543210)"')
  expect(text).toContain('<system-out>note, certain')
})

test('junit fails the warnings that are too many', () => {
  const report = reportOf([finding({ level: 'warning' }), finding({ id: 'f', level: 'note' })])
  const failures = (maxWarnings: number) =>
    /failures="(\d)"/.exec(
      renderReport('junit', reportOfFindings(report, { ...gate, maxWarnings })),
    )?.[1]
  expect(failures(0)).toBe('1')
  expect(failures(1)).toBe('0')
})

test('sarif names the place, the fingerprint and the reason of an ignore', () => {
  const ignored = { id: 'i', reason: 'on purpose' }
  const { runs } = JSON.parse(render('sarif', reportOf([finding({ ignored })]))) as {
    runs: { results: object[] }[]
  }
  expect(runs[0]?.results[0]).toMatchObject({
    ruleId: 'token/refresh-race',
    ruleIndex: 0,
    level: 'error',
    partialFingerprints: { 'hubSandbox/v1': '0123456789abcdef' },
    suppressions: [{ kind: 'external', justification: 'on purpose' }],
    locations: [
      {
        physicalLocation: {
          artifactLocation: { uri: 'hub-sandbox.json' },
          region: { startLine: 7 },
        },
        logicalLocations: [{ name: 'My app', fullyQualifiedName: 'client' }],
      },
    ],
  })
})

test('sarif compares with a baseline only if there is one', () => {
  const stateOf = (isKnown?: boolean) => {
    const report = reportOf([finding(isKnown === undefined ? {} : { isKnown })])
    return /"baselineState": "(\w+)"/.exec(render('sarif', report))?.[1]
  }
  expect([stateOf(), stateOf(false), stateOf(true)]).toEqual([undefined, 'new', 'unchanged'])
})

test('sarif names a file whose name has a fragment', () => {
  const source = { file: 'apps/c# #1.json', lineOf: () => 1 }
  const text = renderReport('sarif', reportOfFindings(reportOf([finding()]), gate), source)
  expect(text).toContain('"uri": "apps/c%23%20%231.json"')
})

test('annotations point to the file, and omit what is ignored', () => {
  const text = render(
    'github',
    reportOf([finding(), finding({ ignored: { id: 'i', reason: 'x' } })]),
  )
  expect(text).toMatch(
    /^::error file=hub-sandbox\.json,line=7,title=token\/refresh-race::My app: Two .*%0AFix: Let/,
  )
  expect(text.trimEnd().split('\n')).toHaveLength(1)
})

test('a finding that is left out is counted in words', () => {
  expect(render('text', reportOf([finding()], { omitted: 1 }))).toContain(
    ', 1 more finding left out',
  )
  expect(render('text', reportOf([finding()], { omitted: 2 }))).toContain(
    '2 more findings left out',
  )
})

test('likely findings stand apart', () => {
  const findings = [finding(), finding({ certainty: 'likely', level: 'warning' })]
  expect(render('text', reportOf(findings))).toMatch(/^error [^]*\nPerhaps:\n\nwarning /)
  expect(render('markdown', reportOf(findings))).toMatch(
    /#### error[^]*\*\*Perhaps\*\*[^]*#### warning/,
  )
})

test('an ignore that matches nothing is reported', () => {
  const ignores = [
    { id: 'i', rule: 'device/polls-on', reason: 'old', source: 'fixtures' as const, findings: 0 },
  ]
  for (const format of ['text', 'markdown', 'github'] as const) {
    expect(render(format, reportOf([], { ignores }))).toMatch(
      /ignore of device.polls.on matches no finding/,
    )
  }
})

test('the suffix of a file selects its format', () => {
  expect(['a.sarif', 'a.XML', 'b/c.md', 'a.json', 'a.txt'].map(formatOfFile)).toEqual([
    'sarif',
    'junit',
    'markdown',
    'json',
    'text',
  ])
  expect(formatOfFile('a.html')).toBeUndefined()
  expect(formatOfFile('sarif')).toBeUndefined()
})

const part = (count: number, level: 'error' | 'warning', more: Partial<AdviceFinding> = {}) => ({
  items: [finding({ count, level, ...more })],
  rules: [{ id: rule.id, judged: count, findings: 1 }],
  ignores: [{ id: 'i', rule: rule.id, reason: 'x', source: 'control' as const, findings: 1 }],
  cursor: '1',
  omitted: 0,
  paused: count,
})

test('the findings of two parts of a run are merged', () => {
  expect(mergeAdvice(part(2, 'warning'), part(3, 'error'))).toMatchObject({
    items: [{ count: 5, level: 'error' }],
    rules: [{ judged: 5, findings: 1 }],
    ignores: [{ findings: 2 }],
    paused: 5,
  })
})

test('a merged finding is ignored only if both parts ignore it', () => {
  const ignored = { ignored: { id: 'i', reason: 'on purpose' } }
  const isIgnored = (one: Partial<AdviceFinding>, next: Partial<AdviceFinding>) => {
    const { items } = mergeAdvice(part(1, 'error', one), part(1, 'error', next))
    return items[0]?.ignored !== undefined
  }
  expect(isIgnored({}, ignored)).toBe(false)
  expect(isIgnored(ignored, {})).toBe(false)
  expect(isIgnored(ignored, ignored)).toBe(true)
})

test('a merged finding shows the first and the two newest occurrences', () => {
  const evidence = (...ids: string[]) => ({
    evidence: ids.map((id) => ({ kind: 'request' as const, id, note: 'was sent' })),
  })
  const [merged] = mergeAdvice(
    part(9, 'error', evidence('a1', 'a2', 'b1', 'b2', 'c1', 'c2')),
    part(1, 'error', evidence('d1', 'd2')),
  ).items
  expect(merged?.evidence.map(({ id }) => id)).toEqual(['a1', 'a2', 'c1', 'c2', 'd1', 'd2'])
})
