import { join, resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { ownCommand } from '../../../../server/app/config/own-command.ts'
import { commandText, quoteWord } from '../../../../server/core/shell-words.ts'

const bin = resolve('/usr/local/bin')

describe('how the user calls the command again', () => {
  test.each([
    [
      'by npx',
      join(bin, 'hub-sandbox'),
      { npm_command: 'exec', PATH: bin },
      ['npx', '--no', 'hub-sandbox'],
    ],
    [
      'by npm start in a clone',
      resolve('dist/server/cli.cjs'),
      { npm_command: 'start' },
      ['node', resolve('dist/server/cli.cjs')],
    ],
    [
      'by a script of a package that has it installed',
      join(bin, 'hub-sandbox'),
      { npm_command: 'run-script', PATH: bin },
      ['npx', '--no', 'hub-sandbox'],
    ],
    ['by its name', join(bin, 'hub-sandbox'), { PATH: bin }, ['hub-sandbox']],
    ['by its path', join(bin, 'hub-sandbox'), { PATH: '/bin' }, [join(bin, 'hub-sandbox')]],
    ['by Node', resolve('dist/server/cli.cjs'), {}, ['node', resolve('dist/server/cli.cjs')]],
    ['by nobody knows what', undefined, {}, ['npx', '--no', 'hub-sandbox']],
  ])('is that of who called it %s', (_how, script, env, command) => {
    expect(ownCommand({ script, env })).toEqual(command)
  })
})

describe('a word for a shell', () => {
  test.each([
    ['--port', '--port', '--port'],
    ['/my data', "'/my data'", '"/my data"'],
    ["it's", String.raw`'it'\''s'`, `"it's"`],
    ['$(rm -rf x)', `'$(rm -rf x)'`, `"$(rm -rf x)"`],
    ['', `''`, `""`],
    [String.raw`C:\data`, String.raw`'C:\data'`, String.raw`C:\data`],
  ])('%s', (word, posix, windows) => {
    expect(quoteWord(word, 'linux')).toBe(posix)
    expect(quoteWord(word, 'win32')).toBe(windows)
  })

  test('words make a line', () => {
    expect(commandText(['env', '--data', 'a b'], 'darwin')).toBe("env --data 'a b'")
  })
})
