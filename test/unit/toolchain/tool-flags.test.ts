import { describe, expect, test } from 'vitest'
import { readToolFlags } from '../../helpers/tool-flags.ts'

const shape = {
  amounts: { minutes: 30, seed: 1 },
  texts: ['folder'] as const,
  names: ['one', 'two'],
}

describe('how a tool is called', () => {
  test('is what it is by default where nothing is said', () => {
    expect(readToolFlags([], shape)).toEqual({
      amounts: { minutes: 30, seed: 1 },
      texts: {},
      names: [],
    })
  })

  test('is read: numbers, texts, names', () => {
    const args = ['two', '--minutes', '0.5', '--seed=0', '--folder', 'a b']
    expect(readToolFlags(args, shape)).toEqual({
      amounts: { minutes: 0.5, seed: 0 },
      texts: { folder: 'a b' },
      names: ['two'],
    })
  })

  test.each([[['--help']], [['-h']], [['one', '--minutes', 'x', '--help']]])(
    'asks for help: %j',
    (args) => expect(readToolFlags(args, shape)).toBeUndefined(),
  )

  test.each([
    [['--minutes', '0'], '--minutes takes a number above 0, not "0"'],
    [['--minutes=-1'], '--minutes takes a number above 0, not "-1"'],
    [['--minutes', 'Infinity'], '--minutes takes a number above 0, not "Infinity"'],
    [['--minutes='], '--minutes takes a number above 0, not ""'],
    [['--seed', '1.5'], '--seed takes a whole number from 0 on, not "1.5"'],
    [['--seed='], '--seed takes a whole number from 0 on, not ""'],
    [['three', 'one', 'four'], 'there is no three, no four'],
    [['--hours', '1'], "Unknown option '--hours'"],
    [['--minutes'], "Option '--minutes <value>' argument missing"],
  ])('is refused with its mistake: %j', (args, message) => {
    expect(() => readToolFlags(args, shape)).toThrow(TypeError)
    expect(() => readToolFlags(args, shape)).toThrow(message)
  })
})
