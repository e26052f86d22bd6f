import { readFileSync } from 'node:fs'
import { renderOptionsTypes } from '../../server/tools/types/write-options-types.ts'
import { describe, expect, test } from 'vitest'
import { flags } from '../../server/contract/flags.ts'
import { commandLineWorld } from '../helpers/command-line.ts'
import { generatedTable } from '../helpers/documents.ts'

const { run } = commandLineWorld()
/** Each starts Node, whose sources may have to be compiled anew. */
const patience = 180_000

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')
const words = (key: string) => key.split(/(?=[A-Z])/).map((word) => word.toLowerCase())
const flagOf = (key: string) => `--${words(key).join('-')}`
const variableOf = (key: string) => `HUB_SANDBOX_${words(key).join('_').toUpperCase()}`

const keys = Object.keys(flags)
const ofFile = Object.entries(flags).flatMap(([key, flag]) =>
  'neverFromFile' in flag ? [] : [key],
)

describe('every flag of the table', { timeout: patience }, () => {
  test('is in the help, which has no others', async () => {
    const { stdout } = await run(['start', '--help']).ended
    const helped = [...stdout.matchAll(/^ {2}(?:-\w, )?(--[\w-]+)/gm)].map(([, name]) => name)
    expect(new Set(helped)).toEqual(new Set([...keys.map(flagOf), '--help']))
    expect(helped).toHaveLength(keys.length + 1)
  })

  test('is completed by the shell', async () => {
    const { stdout } = await run(['__complete', '--', 'start', '--']).ended
    expect(stdout.split('\n')).toEqual(expect.arrayContaining(keys.map(flagOf)))
  })

  test('is read from the environment, and an error names the variable', async () => {
    const env = Object.fromEntries(keys.map((key) => [variableOf(key), '=']))
    const { code, stderr } = await run(['start'], env).ended
    expect(code).toBe(2)
    // These take any text, or list of texts, there; the file is looked for before what they say is judged.
    const takesAnything =
      'host baseUrl backChannelUrl intercept fixtures data allowHost allowOrigin runJobsEnv adviceReport'.split(
        ' ',
      )
    const takesText = ['autoApprove', 'controlToken']
    const judged = keys.filter((key) => ![...takesAnything, ...takesText].includes(key))
    expect(judged.filter((key) => !stderr.includes(`${variableOf(key)}: must be`))).toEqual([])
  })

  test('is documented and an option of the library', () => {
    const rows = [
      ...generatedTable('flags').matchAll(/^\| `(--[\w-]+)[^|]*\| `(\w+)` \| ([^|]*) \|/gm),
    ]
    expect(rows.map((cells) => cells.slice(1))).toEqual(
      keys.map((key) => [
        flagOf(key),
        variableOf(key),
        ofFile.includes(key) ? `\`config.${key}\`` : '',
      ]),
    )
    const options = renderOptionsTypes()
    const inCodeOnly = ['clock']
    const named = [...options.matchAll(/^(\w+)\?: /gm)].map(([, key = '']) => key)
    expect(named.filter((key) => !inCodeOnly.includes(key))).toEqual(keys)
  })

  test('is in the published fixtures schema if fixtures may set it', () => {
    const schema = JSON.parse(read('fixtures/fixtures.schema.json')) as {
      properties: { config: { properties: Record<string, unknown> } }
    }
    const { config } = schema.properties
    expect(keys.filter((key) => key in config.properties)).toEqual(ofFile)
  })
})
