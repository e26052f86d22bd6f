import { beforeAll, expect, test } from 'vitest'
import { reportOfFindings } from '../../server/lab/report/check-report.ts'
import { renderReport } from '../../server/lab/report/formats.ts'
import { installReportReaders, type ReportReaders } from '../helpers/report-readers.ts'
import { startTestSandbox } from '../helpers/sandbox.ts'

let readers: ReportReaders
let obstacle: string | undefined
// The first installation downloads packages.
beforeAll(async () => {
  const installed = await installReportReaders()
  if (typeof installed === 'string') obstacle = installed
  else readers = installed
}, 240_000)

// The first call of the control API compiles its sources.
const options = { timeout: 120_000 }

test('the findings are valid by the schema of SARIF 2.1.0', options, async ({ skip }) => {
  skip(obstacle !== undefined, obstacle)
  const { sarifErrors } = readers
  const sandbox = await startTestSandbox()
  await fetch(`${sandbox.url}/api/models?access_token=hf_sandbox_alice&limit=[1]`)
  await fetch(`${sandbox.url}/api/daily_papers`)
  await sandbox.advice.ignore({ rule: 'portability/not-emulated', reason: 'on purpose' })
  const { text } = await sandbox.control<{ text: string }>('GET', 'advice/report?format=sarif')
  expect(sarifErrors(text)).toEqual([])
  expect(text).toContain('token/secret-in-url')

  const { items, ignores, omitted, paused } = await sandbox.advice.read()
  const rules = (await sandbox.advice.rules()).map((rule) => ({ ...rule, judged: 1 }))
  const findings = {
    tool: { name: 'hub-sandbox', version: '1.0.0' },
    startedAt: new Date().toISOString(),
    findings: items.map((finding) => ({ ...finding, isKnown: true })),
    rules,
    ignores,
    omitted,
    paused,
    fixed: [],
  }
  const source = { file: 'a folder/hub-sandbox.json', lineOf: () => 3 }
  const gate = { level: 'error', likely: false } as const
  expect(sarifErrors(renderReport('sarif', reportOfFindings(findings, gate), source))).toEqual([])

  expect(sarifErrors('{"version":"2.1.0","runs":[{"results":[{"level":"fatal"}]}]}')).not.toEqual(
    [],
  )
})
