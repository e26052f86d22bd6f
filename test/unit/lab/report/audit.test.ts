import { describe, expect, test } from 'vitest'
import { selectModules } from '../../../../server/lab/audit/verdict.ts'
import type { AuditVerdict } from '../../../../server/contract/control-audits.ts'
import { type ReportFormat, reportFormats } from '../../../../server/contract/words/advice-words.ts'
import { reportOfVerdicts, type Verdicts } from '../../../../server/lab/report/audit-report.ts'
import { effectsOf, hostileText } from '../../../helpers/report-effects.ts'
import { renderReport } from '../../../../server/lab/report/formats.ts'

function verdict(outcome: AuditVerdict['outcome'], more: Partial<AuditVerdict> = {}): AuditVerdict {
  return {
    module: 'secret/prefix',
    outcome,
    title: 'The receiver compares only the beginning of the secret.',
    level: 'error',
    expected: 'a refusal',
    observed: 'responded with 200',
    evidence: [{ id: 'delivery/3', note: 'POST /hook 200' }],
    tookMs: 1500,
    fix: 'Compare the whole secret.',
    sources: [{ name: 'RFC 9110', section: '15.5', url: 'https://www.rfc-editor.org/rfc/rfc9110' }],
    ...more,
  }
}

function reportOf(modules: AuditVerdict[], more: Partial<Verdicts> = {}): Verdicts {
  return {
    tool: { name: 'hub-sandbox', version: '1.0.0' },
    startedAt: '2026-11-27T09:00:00.000Z',
    kind: 'receiver',
    subject: 'http://localhost:8000/hook',
    plan: 'core',
    modules,
    ...more,
  }
}

const gate = { level: 'error' } as const
const source = { file: 'package.json', lineOf: () => 1 }
const render = (format: ReportFormat, verdicts: Verdicts) =>
  renderReport(format, reportOfVerdicts(verdicts, gate), source)

describe('the exit code of an audit', () => {
  const silent = [verdict('inconclusive'), verdict('not-reached'), verdict('not-applicable')]
  test.each([
    ['a pass', [verdict('passed')], {}, 0],
    ['a failure', [verdict('failed'), verdict('passed')], {}, 1],
    ['a failure below the level', [verdict('failed', { level: 'warning' })], {}, 0],
    ['a tolerated mistake', [verdict('tolerated')], {}, 0],
    ['nothing judged', silent, {}, 3],
    ['no module', [], {}, 3],
    ['an unreachable receiver', silent, { problem: 'refused' }, 2],
    ['a receiver that crashed in a module', [verdict('failed')], { problem: 'gone' }, 1],
  ])('%s', (_title, modules, more, code) => {
    expect(reportOfVerdicts(reportOf(modules, more), gate).exitCode).toBe(code)
  })

  test('a lower level fails for warnings', () => {
    const report = reportOf([verdict('failed', { level: 'warning' })])
    expect(reportOfVerdicts(report, { level: 'warning' }).exitCode).toBe(1)
    expect(reportOfVerdicts(report, {}).exitCode).toBe(0)
  })
})

describe('the formats of an audit', () => {
  const modules = [
    verdict('passed', { module: 'secret/missing' }),
    verdict('failed'),
    verdict('inconclusive', { module: 'again/same', observed: 'No effects are known.' }),
  ]

  test('text says why modules were not reached, once for each reason', () => {
    const unread = { observed: 'The app did not read its metadata.' }
    const text = render(
      'text',
      reportOf([
        verdict('not-reached', { module: 'metadata/more', ...unread }),
        verdict('not-reached', { module: 'session/revoked', observed: 'The audit ended before.' }),
        verdict('not-reached', { module: 'metadata/other-issuer', ...unread }),
      ]),
    )
    expect(text).toContain(`
not reached: metadata/more, metadata/other-issuer
  The app did not read its metadata.
not reached: session/revoked
  The audit ended before.
`)
  })

  test('text shows failures, what was not judged, and counts', () => {
    expect(render('text', reportOf(modules))).toBe(`Audit of http://localhost:8000/hook (core)

error  secret/prefix
  The receiver compares only the beginning of the secret.
  Expected: a refusal
  Observed: responded with 200
    POST /hook 200 (delivery/3)
  Fix: Compare the whole secret.
  Source: RFC 9110, 15.5

inconclusive  again/same
  No effects are known.

3 modules: 1 passed, 1 failed, 1 inconclusive.
`)
  })

  test('JSON has verdicts, counts and the exit code', () => {
    const json = JSON.parse(render('json', reportOf(modules))) as Record<string, unknown>
    expect(json).toMatchObject({ exitCode: 1, summary: { passed: 1, failed: 1 }, modules })
  })

  test('JUnit skips what was not judged', () => {
    const xml = render('junit', reportOf(modules))
    expect(xml).toContain('tests="3" failures="1" errors="0" skipped="1" time="4.500"')
    expect(xml).toContain('<skipped message="inconclusive: No effects are known."/>')
    expect(xml).toContain(
      '<testcase name="secret/missing" classname="hub-sandbox.secret" time="1.500"/>',
    )
  })

  test('SARIF has a rule for each module and a result for each failure', () => {
    const { runs } = JSON.parse(render('sarif', reportOf(modules))) as {
      runs: { tool: { driver: { rules: unknown[] } }; results: unknown[] }[]
    }
    expect(runs[0]?.tool.driver.rules).toHaveLength(3)
    expect(runs[0]?.results).toMatchObject([
      { ruleId: 'secret/prefix', ruleIndex: 1, level: 'error' },
    ])
  })

  test('annotations name the module', () => {
    const [first, last] = render('github', reportOf(modules)).trimEnd().split('\n')
    expect(first).toContain('::error file=package.json,line=1,title=secret/prefix::')
    expect(last).toBe('::notice::3 modules: 1 passed, 1 failed, 1 inconclusive.')
  })

  test('nothing judged is no pass', () => {
    const report = reportOf([verdict('inconclusive')])
    for (const format of ['text', 'markdown', 'github'] as const) {
      expect(render(format, report)).toContain('Nothing was judged, which is no pass.')
    }
  })

  test('an audit that ended early is no pass in any format', () => {
    const early = reportOf([verdict('passed')], { problem: 'Nothing listens at <8000>.' })
    const shown: Readonly<Record<ReportFormat, RegExp>> = {
      text: /The audit ended early: Nothing listens at <8000>\./,
      json: /"problem": "Nothing listens at <8000>\."[^]*"exitCode": 2/,
      sarif: /"executionSuccessful": false[^]*"text": "Nothing listens at <8000>\."/,
      junit:
        /tests="2" failures="0" errors="1"[^]*<error message="Nothing listens at &lt;8000&gt;\."/,
      markdown: /The audit ended early/,
      github: /^::error::1 module: 1 passed\. The audit ended early/m,
    }
    for (const format of reportFormats) expect(render(format, early)).toMatch(shown[format])
  })

  test.each(reportFormats)('%s shows hostile texts without their effect', (format) => {
    const failed = verdict('failed', { observed: hostileText, evidence: [{ note: hostileText }] })
    const skipped = verdict('inconclusive', { observed: hostileText })
    const tolerated = verdict('tolerated', { observed: hostileText })
    const report = reportOf([failed, skipped, tolerated], {
      subject: hostileText,
      problem: hostileText,
    })
    expect(effectsOf[format](render(format, report))).toEqual([])
  })
})

test('modules are selected by plan, name and family', () => {
  const modules = [
    { id: 'secret/missing', plans: ['core' as const, 'full' as const] },
    { id: 'secret/twice', plans: ['full' as const] },
    { id: 'body/null', plans: ['core' as const, 'full' as const] },
  ]
  const ids = (options: Parameters<typeof selectModules>[1]) =>
    selectModules(modules, options).map(({ id }) => id)
  expect(ids({ plan: 'core' })).toEqual(['secret/missing', 'body/null'])
  expect(ids({ plan: 'core', only: ['secret'] })).toEqual(['secret/missing', 'secret/twice'])
  expect(ids({ plan: 'full', skip: ['body', 'secret/missing'] })).toEqual(['secret/twice'])
})
