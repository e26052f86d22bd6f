import { resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { readArguments } from '../../../electron/arguments.ts'
import { packSecondStart, readSecondStart, unusedOptions } from '../../../electron/second-start.ts'

const cwd = resolve('/home/alice')
const given = (...args: string[]) => readArguments(['app', ...args], cwd)

describe('a second start', () => {
  const copy = { argv: ['app', '--port=1', '--allow-file-access-from-files'], cwd: resolve('/') }

  test('is read from its own arguments, not from the copy that Electron makes', () => {
    const argv = ['app', 'team.hubsandbox', '--data', 'state']
    expect(readSecondStart(packSecondStart({ argv, cwd }), copy)).toMatchObject({
      files: [resolve(cwd, 'team.hubsandbox')],
      data: resolve(cwd, 'state'),
    })
  })

  test.each([
    undefined,
    null,
    'app',
    {},
    { start: 1 },
    { start: '%' },
    ...[null, { argv: 'app', cwd }, { argv: [1], cwd }, { argv: [] }].map((start) => ({
      start: JSON.stringify(start),
    })),
  ])('that hands over %j is read from the copy', (handed) => {
    expect(readSecondStart(handed, copy)).toMatchObject({ port: '1' })
  })

  test('is handed over without zero bytes and white space, at which Electron loses it', () => {
    const argv = ['app', '--data', 'my state/Zürich\u0000', '\u{1f600}\n', 'a'.repeat(10)]
    const packed = packSecondStart({ argv, cwd })
    expect(Object.values(packed).join('')).toMatch(/^[!-~]+$/)
    expect(readSecondStart(packed, copy)).toMatchObject({
      data: resolve(cwd, 'my state/Zürich\u0000'),
    })
  })

  test('takes no switch of the copy for the value of another one', () => {
    const argv = ['app', '--data', '--port', '--port=1', '/tmp', '7000', 'hub-sandbox://tokens']
    expect(readSecondStart(undefined, { argv, cwd })).toEqual({
      files: [],
      links: ['hub-sandbox://tokens'],
      port: '1',
      ephemeral: false,
    })
  })
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
