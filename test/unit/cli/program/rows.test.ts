import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { commands } from '../../../../server/cli/program.ts'
import { optionNames } from '../../../../server/cli/program/define.ts'
import { readFields } from '../../../../server/cli/program/read-fields.ts'
import { controlApi } from '../../../../server/contract/control-api.ts'
import type { ControlCall } from '../../../../server/contract/control-call.ts'
import type { JsonSchema } from '../../../../server/core/json-schema.ts'

const calls = commands
  .flatMap((entry) => ('rows' in entry ? entry.rows : [entry]))
  .flatMap((row) => (row.key === undefined ? [] : [[row.key, row.name, row] as const]))

/** Value that a user may give: `--header <name=value>` takes a pair. */
function valueOf(flags: string): unknown {
  if (flags.includes('=')) return ['a=1']
  return flags.includes('<') ? '1' : true
}

/** Argument that may be the name of a file. */
const file = fileURLToPath(new URL('../../../../package.json', import.meta.url))

/** Sandbox with an app and a user. */
const call = (() =>
  Promise.resolve({
    items: [{ clientId: '1', name: 'App', username: 'alice' }],
  })) as unknown as ControlCall

describe('each row of a command that calls the control API', () => {
  test('is one of many', () => expect(calls.length).toBeGreaterThan(25))

  test.each(calls)('%s: %s names fields of its endpoint', async (key, name, row) => {
    const args = name
      .split(' ')
      .slice(1)
      .map(() => file)
    const options = Object.fromEntries(
      Object.keys(row.options ?? {}).map((flags) => [optionNames(flags).key, valueOf(flags)]),
    )
    const endpoint: Readonly<Record<string, unknown>> = controlApi[key]
    for (const given of [options, {}]) {
      const { part, fields, inPath, later } = await readFields(key, row, [...args, given])
      for (const setField of later) await setField(call)
      const { properties = {} } = (endpoint[part] ?? {}) as JsonSchema
      expect(Object.keys(properties)).toEqual(expect.arrayContaining(Object.keys(fields)))
      expect(inPath !== undefined).toBe(key.includes(':'))
    }
  })
})
