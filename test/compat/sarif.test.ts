import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv } from 'ajv'
import addFormats from 'ajv-formats'
import { expect, test } from 'vitest'
import { renderReport } from '../../server/report/formats.ts'
import { installCached } from '../helpers/cached-install.ts'
import { npm, outputOf } from '../helpers/packed.ts'
import { startTestSandbox } from '../helpers/sandbox.ts'

/** Package with the published schema of SARIF 2.1.0. */
const published = '@microsoft/jest-sarif@1.0.0-beta.0'
const flags = ['--no-audit', '--no-fund', '--ignore-scripts', '--no-save', '--prefer-offline']

test('the findings are valid by the schema of SARIF 2.1.0', async ({ skip }) => {
  const { folder, obstacle } = await installCached('sarif', [published], async (target) => {
    writeFileSync(join(target, 'package.json'), '{ "private": true }')
    outputOf(npm(['install', ...flags, published], target))
  })
  skip(obstacle !== undefined, obstacle)
  const path = 'node_modules/@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json'
  const {
    $schema: _draft4,
    id: _id,
    ...schema
  } = JSON.parse(readFileSync(join(folder, path), 'utf8')) as Record<string, object>
  const validate = addFormats
    .default(new Ajv({ strict: false, unicodeRegExp: false }))
    .compile(schema)

  const sandbox = await startTestSandbox()
  await fetch(`${sandbox.url}/api/models?access_token=hf_sandbox_alice&limit=[1]`)
  await fetch(`${sandbox.url}/api/daily_papers`)
  await sandbox.advice.ignore({ rule: 'portability/not-emulated', reason: 'on purpose' })
  const { text } = await sandbox.control<{ text: string }>('GET', 'advice/report?format=sarif')
  validate(JSON.parse(text))
  expect(validate.errors).toBeNull()
  expect(text).toContain('token/secret-in-url')

  const { items, ignores, omitted } = await sandbox.advice.read()
  const rules = (await sandbox.advice.rules()).map((rule) => ({ ...rule, judged: 1 }))
  const report = {
    tool: { name: 'hub-sandbox', version: '1.0.0' },
    startedAt: new Date().toISOString(),
    findings: items.map((finding) => ({ ...finding, isKnown: true })),
    rules,
    ignores,
    omitted,
    fixed: [],
  }
  const source = { file: 'a folder/hub-sandbox.json', lineOf: () => 3 }
  const gate = { level: 'error', likely: false } as const
  validate(JSON.parse(renderReport('sarif', report, { gate, source })))
  expect(validate.errors).toBeNull()

  validate({ version: '2.1.0', runs: [{ results: [{ level: 'fatal' }] }] })
  expect(validate.errors).not.toBeNull()
})
