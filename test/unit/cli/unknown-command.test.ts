import { describe, expect, test } from 'vitest'
import { ControlError } from '../../../server/web/control-error.ts'
import { createProgram } from '../../../server/cli/program.ts'
import { isStart } from '../../../server/cli/start-program.ts'
import { refuseUnknownCommand } from '../../../server/cli/unknown-command.ts'

function refusalOf(words: string): string {
  const program = createProgram().configureOutput({ outputError: () => {} })
  try {
    refuseUnknownCommand(program, words === '' ? [] : words.split(' '))
  } catch (error) {
    return (error as Error).message
  }
  return ''
}

describe('a mistyped command', () => {
  test.each([
    ['strat', 'error: unknown command \'strat\' (did you mean "start"?)'],
    ['clock advnace 8h', 'error: unknown command \'advnace\' (did you mean "advance"?)'],
    ['demo sing-in --yes', 'error: unknown command \'sing-in\' (did you mean "sign-in"?)'],
    ['wibble', "error: unknown command 'wibble'"],
  ])('%s is refused by name', (words, message) => {
    expect(refusalOf(words)).toBe(message)
  })

  test.each([
    '',
    'start',
    '--port 0',
    'clock',
    'clock advance 8h',
    'token --user strat',
    'help clock',
  ])('%j is not one', (words) => {
    expect(refusalOf(words)).toBe('')
  })
})

describe('a refusal of the control API', () => {
  const messageOf = (body: object) => new ControlError(400, body).message

  test('prints a single mistake once', () => {
    const message = 'There is no user x.'
    expect(messageOf({ message, issues: [{ path: 'user', message }] })).toBe(message)
  })

  test('prints several with their paths', () => {
    const issues = [
      { path: 'a', message: 'A.' },
      { path: 'b', message: 'B.' },
    ]
    expect(messageOf({ message: 'There are 2 mistakes.', issues })).toBe(
      'There are 2 mistakes.\n  a: A.\n  b: B.',
    )
  })
})

describe('a start', () => {
  test.each([
    [[], true],
    [['start', '--port', '0'], true],
    [['--port', '0'], true],
    [['--version'], true],
    [['--help'], false],
    [['--port', '0', '-h'], false],
    [['stop'], false],
    [['help'], false],
    [['strat'], false],
  ] as const)('is requested by %j: %j, so no other command is loaded', (words, is) => {
    expect(isStart(words)).toBe(is)
  })
})
