import { array, assert, constantFrom, property } from 'fast-check'
import { describe, expect, test } from 'vitest'
import { quoteForBatch, windowsCommand } from '../../../../server/cli/exec/windows-command.ts'

const variables: Record<string, string> = { cd: 'C:\\work', path: 'C:\\x', os: 'Windows_NT' }

/** Expands `%…%` as `cmd.exe` does: unknown variables stay. */
function expandPercents(line: string): string {
  let out = ''
  for (let at = 0; at < line.length; at++) {
    const end = line[at] === '%' ? line.indexOf('%', at + 1) : -1
    const name = end < 0 ? '' : line.slice(at + 1, end)
    const [plain = '', range] = name.toLowerCase().split(':')
    const value = Object.hasOwn(variables, plain) ? variables[plain] : undefined
    if (name === '' || value === undefined) out += line[at]
    else {
      out += range === '~,' ? '' : value
      at = end
    }
  }
  return out
}

/** Whether `cmd.exe` would find something to do outside of double quotes. */
function hasCommands(line: string): boolean {
  let isQuoted = false
  for (const character of line) {
    if (character === '"') isQuoted = !isQuoted
    else if (!isQuoted && /[&|<>^()!]/.test(character)) return true
  }
  return isQuoted
}

/** How the run time of a Windows program splits its line. */
function argumentsOf(line: string): string[] {
  const words: string[] = []
  let word: string | undefined
  let isQuoted = false
  for (let at = 0; at < line.length; at++) {
    const [slashes = ''] = /^\\*/.exec(line.slice(at)) ?? []
    if (slashes !== '' && line[at + slashes.length] === '"') {
      word = (word ?? '') + '\\'.repeat(Math.floor(slashes.length / 2))
      at += slashes.length
      if (slashes.length % 2 === 1) {
        word += '"'
        continue
      }
    }
    const character = line[at] ?? ''
    if (character === '"') {
      word ??= ''
      if (isQuoted && line[at + 1] === '"') {
        word += '"'
        at++
      } else isQuoted = !isQuoted
    } else if (/[ \t]/.test(character) && !isQuoted) {
      if (word !== undefined) words.push(word)
      word = undefined
    } else word = (word ?? '') + character
  }
  return word === undefined ? words : [...words, word]
}

/** Arguments of a program behind a batch file: `cmd.exe` parses them twice, once with `%…%`. */
function handedOn(words: readonly string[]): string[] {
  const line = expandPercents(words.map(quoteForBatch).join(' '))
  expect(hasCommands(line)).toBe(false)
  return argumentsOf(line)
}

const hostile = [
  'a&calc',
  'a|b',
  '^',
  'a^&b',
  '%PATH%',
  '100%',
  '%cd:~,%',
  '%%os%%',
  '!PATH!',
  '"',
  'say "hi" & calc',
  '" & calc "',
  String.raw`\"`,
  String.raw`C:\with space\ `,
  String.raw`C:\ends\\`,
  '',
  ' ',
  'a\tb',
  '(x)',
  '>out',
  'ünï→codé',
]

describe('an argument for a batch file', () => {
  test.each(hostile)('arrives unchanged: %j', (word) => {
    expect(handedOn([word, 'next'])).toEqual([word, 'next'])
  })

  test('arrives unchanged for any characters', () => {
    const parts = constantFrom(...'%"\\^&|<>!() ab:~,'.split(''), '%cd:~,%', '%os%', '\\"', '""')
    const word = array(parts, { maxLength: 12 }).map((all) => all.join(''))
    assert(
      property(array(word, { maxLength: 4 }), (words) => {
        expect(handedOn(words)).toEqual(words)
      }),
      { numRuns: 2000 },
    )
  })

  test.each(['a\nb', 'a\r', '\0'])('is refused if it would end the line: %j', (word) => {
    expect(() => quoteForBatch(word)).toThrow(/which a batch file cannot receive/)
  })
})

describe('the program that Windows starts for a command', () => {
  const files = new Set([
    'C:\\node\\node.exe',
    'C:\\node\\npm.cmd',
    'C:\\node\\npm',
    'C:\\b%n\\tool.BAT',
    'C:\\work\\run.cmd',
  ])
  const world = {
    env: { Path: '"C:\\node";;C:\\b%n', PathExt: '.EXE;.BAT;.CMD', comspec: 'C:\\cmd.exe' },
    folder: 'C:\\work',
    isFile: (path: string) => [...files].some((file) => file.toLowerCase() === path.toLowerCase()),
  }
  const shell = ['/e:on', '/v:off', '/d', '/s', '/c']

  test('is called by its path, with arguments quoted by Node', () => {
    expect(windowsCommand(['node', '-e', '"x"'], world)).toEqual({
      file: 'C:\\node\\node.EXE',
      args: ['-e', '"x"'],
      verbatim: false,
    })
  })

  test('is cmd.exe for a batch file found by PATHEXT', () => {
    expect(windowsCommand(['npm', 'test', '--', 'a b'], world)).toEqual({
      file: 'C:\\cmd.exe',
      args: [...shell, String.raw`""C:\node\npm.CMD" test -- "a b""`],
      verbatim: true,
    })
    expect(windowsCommand(['tool'], world).args.at(-1)).toBe(String.raw`""C:\b%%cd:~,%n\tool.BAT""`)
  })

  test('is searched in the working folder only if the name has a path', () => {
    expect(windowsCommand(['run'], world)).toEqual({ file: 'run', args: [], verbatim: false })
    expect(windowsCommand(['.\\run'], world).args.at(-1)).toBe(String.raw`""C:\work\run.CMD""`)
  })
})
