import { resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { readArguments } from '../../../electron/arguments.ts'
import { readSecondStart, unusedOptions } from '../../../electron/second-start.ts'

const cwd = resolve('/home/alice')
const given = (...args: string[]) => readArguments(['app', ...args], cwd)

describe('a second start', () => {
  const copy = { argv: ['app', '--port=1', '--allow-file-access-from-files'], cwd: resolve('/') }

  test('is read from its own arguments, not from the copy that Electron makes', () => {
    const handed = { argv: ['app', 'team.hubsandbox', '--data', 'state'], cwd }
    expect(readSecondStart(handed, copy)).toMatchObject({
      files: [resolve(cwd, 'team.hubsandbox')],
      data: resolve(cwd, 'state'),
    })
  })

  test.each([undefined, null, 'app', {}, { argv: 'app', cwd }, { argv: [1], cwd }, { argv: [] }])(
    'that hands over %j is read from the copy',
    (handed) => {
      expect(readSecondStart(handed, copy)).toMatchObject({ port: '1' })
    },
  )
})

describe('unused options of a second start', () => {
  test.each([
    [given(), given()],
    [given('--port=7420'), given()],
    [given('--port=7500', '--data=state'), given('--port=7500', '--data', resolve(cwd, 'state'))],
    [given('--ephemeral'), given('--ephemeral')],
    [given(), given('--port=7500', '--ephemeral')],
  ])('are empty if they equal the active ones %#', (later, inForce) => {
    expect(unusedOptions(later, inForce)).toEqual([])
  })

  test('are listed as typed', () => {
    const later = given('--port=7500', '--data=state', '--ephemeral')
    expect(unusedOptions(later, given())).toEqual([
      '--port 7500',
      `--data ${resolve(cwd, 'state')}`,
      '--ephemeral',
    ])
  })
})
