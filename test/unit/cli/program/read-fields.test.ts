import { describe, expect, test } from 'vitest'
import { CommandError } from '../../../../server/cli/command-error.ts'
import { readFields } from '../../../../server/cli/program/read-fields.ts'
import type { CallRow } from '../../../../server/cli/program/row.ts'

const row: CallRow<'POST faults'> = {
  name: 'add [name]',
  does: 'Add a rule',
  arguments: { name: { to: 'oauthError' } },
  options: {
    '--route <path>': { help: 'Path', to: 'match.route' },
    '--status <code>': 'Status',
    '--delay <duration>': 'Delay',
    '--header <name=value>': { help: 'Header', to: 'headers', repeatable: true },
    '--set <path=value>': { help: 'Field', repeatable: true },
    '--remove <paths>': { help: 'Fields', repeatable: true, commas: true },
    '--lengthen <token=number>': { help: 'Length', repeatable: true },
    '--id-token-header <name=value>': {
      help: 'Header of ID tokens',
      to: 'idToken.header',
      repeatable: true,
    },
    '--broken': { help: 'Signature', to: 'idToken.breakSignature' },
    '--truncated': { help: 'Truncate', sets: { break: 'truncate' } },
  },
  body: { match: {} },
  examples: {},
}

const fieldsOf = async (options: object, name?: string) =>
  (await readFields('POST faults', row, [name, options])).fields

describe('options of a command that calls the control API', () => {
  test('become fields by the schema of the endpoint', async () => {
    const options = {
      route: '/oauth/token',
      status: '503',
      delay: '1s',
      header: ['Retry-After=5', 'X-A=b=c'],
      set: ['a.b=1', 'c=text', 'd={"x": true}'],
      remove: ['a,b', 'c'],
      lengthen: ['accessToken=2000'],
      idTokenHeader: ['alg=none', 'kid=null'],
      broken: true,
      truncated: true,
    }
    expect(await fieldsOf(options, 'invalid_grant')).toEqual({
      match: { route: '/oauth/token' },
      oauthError: 'invalid_grant',
      status: 503,
      delay: '1s',
      headers: { 'Retry-After': '5', 'X-A': 'b=c' },
      set: { 'a.b': 1, c: 'text', d: { x: true } },
      remove: ['a', 'b', 'c'],
      lengthen: { accessToken: 2000 },
      idToken: { header: { alg: 'none', kid: null }, breakSignature: true },
      break: 'truncate',
    })
  })

  test('leave the row as it is', async () => {
    await fieldsOf({ route: '/oauth/token' })
    expect(await fieldsOf({})).toEqual({ match: {} })
  })

  test.each([
    [{ status: '5xx' }, '--status must be a whole number, not 5xx'],
    [{ header: ['Retry-After'] }, '--header must be name=value, not Retry-After'],
    [{ set: ['=1'] }, '--set must be path=value, not =1'],
    [{ lengthen: ['accessToken=long'] }, '--lengthen must be a whole number, not long'],
  ])('%j are refused before the sandbox is called', async (options, message) => {
    const error: unknown = await fieldsOf(options).catch((reason: unknown) => reason)
    expect(error).toBeInstanceOf(CommandError)
    expect(error).toMatchObject({ message, exitCode: 2 })
  })

  test('that no field of the endpoint takes are a mistake in the row', async () => {
    const wrong: typeof row = { ...row, options: { '--statsu <code>': 'Status' } }
    await expect(readFields('POST faults', wrong, [undefined, { statsu: '1' }])).rejects.toThrow(
      'POST faults has no field statsu',
    )
  })
})
