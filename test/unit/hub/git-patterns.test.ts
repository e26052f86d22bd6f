import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { readGitIgnore } from '../../../server/hub/rules/git-patterns.ts'
import { MatchWork } from '../../../server/hub/rules/match-work.ts'
import { hasProgram } from '../../helpers/programs.ts'
import { temporaryDirectory } from '../../helpers/temporary-directory.ts'
import { anyPath, anyPattern } from './any-pattern.ts'

/** Bytes of a large request: about a second of work. */
const sentBytes = 5_000_000

function isIgnored(text: string, path: string, work = new MatchWork(sentBytes)): boolean {
  return readGitIgnore(text)(path, work)
}

const many = (count: number, make: (n: number) => string) =>
  Array.from({ length: count }, (_, n) => make(n))

describe('.gitignore', () => {
  test.each([
    ['*.log', 'a.log'],
    ['*.log', 'dir/a.log'],
    ['/a', 'a'],
    ['/a', 'a/b/c'],
    ['dir/', 'dir/x'],
    ['dir/', 'deep/dir/x'],
    ['a/b', 'a/b/c'],
    ['a/**/c', 'a/c'],
    ['a/**/c', 'a/x/y/c'],
    ['**/c', 'c'],
    ['**/c', 'x/y/c'],
    ['a/**', 'a/x/y'],
    ['?.txt', 'a.txt'],
    ['[a-c].txt', 'b.txt'],
    ['[!a-c].txt', 'd.txt'],
    ['\\!x', '!x'],
    ['\\#x', '#x'],
    ['a  ', 'a'],
    ['a \\   ', 'a  '],
    ['a\\\\  ', 'a\\'],
    ['a\t ', 'a\t'],
    ['# no\n\nx', 'x'],
    ['x\r\n', 'x'],
    ['*\n!keep\nkeep', 'keep'],
    ['dir\n!dir/keep', 'dir/keep'],
  ])('%j ignores %s', (text, path) => {
    expect(isIgnored(text, path)).toBe(true)
  })

  test.each([
    ['*.log', 'a.logs'],
    ['/a', 'dir/a'],
    ['a/b', 'dir/a/b'],
    ['dir/', 'dir'],
    ['a/**', 'a'],
    ['a*c', 'a/c'],
    ['?.txt', '/.txt'],
    ['[a-c].txt', 'd.txt'],
    ['*\n!keep', 'keep'],
    ['# a', 'a'],
    ['', 'a'],
    ['[', 'a'],
  ])('%j does not ignore %s', (text, path) => {
    expect(isIgnored(text, path)).toBe(false)
  })

  test.each([
    ['stars', `${'*a'.repeat(300)}b`, 'a'.repeat(3000)],
    ['folders', `${'**/a/'.repeat(300)}b`, 'a/'.repeat(300)],
    ['brackets', '['.repeat(1_000_000), 'a'],
    ['blanks', `a${' '.repeat(1_000_000)}b`, 'a'],
    ['lines of spaces', `a${' '.repeat(4000)}b\n`.repeat(500), 'a'],
    ['many rules', '*a*b\n'.repeat(200_000), 'a'.repeat(4000)],
    ['a path', '*a*b', 'a'.repeat(1_000_000)],
  ])('takes no longer for %s that are made to take long', (_what, text, path) => {
    const started = process.cpuUsage()
    expect(isIgnored(text, path)).toBe(false)
    expect(process.cpuUsage(started).user).toBeLessThan(2_000_000)
  })

  // 8 KB of it kept the server busy for two seconds.
  test('rules and paths that take very long together are refused', () => {
    const text = `/${'**/a*'.repeat(800)}[b]`
    const path = `${'a/'.repeat(2000)}b`
    const sent = text.length + path.length
    const match = () => isIgnored(text, path, new MatchWork(sent))
    expect(match).toThrow(`takes more than ${100_000 + 15 * sent} steps`)
    expect(isIgnored(text, 'a/a/b', new MatchWork(sent))).toBe(false)
  })

  test.each([
    ['names', many(10_000, (n) => `/checkpoints/step-${n}.bin`)],
    ['endings', many(2000, (n) => `*.${n}bin`)],
  ])('long lists of %s take few steps', (_what, rules) => {
    const work = new MatchWork(0)
    const ignores = readGitIgnore(rules.join('\n'))
    for (let n = 0; n < 1000; n++) {
      expect(ignores(`checkpoints/step-${n}.bin.0bit`, work)).toBe(false)
    }
  })

  test('1,000 files with 600 usual rules take less than their request has', () => {
    const rules = many(300, (n) => `*.py[cod]${n}\n/build${n}/`).join('\n')
    const work = new MatchWork(rules.length + 1000 * 110)
    const ignores = readGitIgnore(rules)
    for (let n = 0; n < 1000; n++) {
      expect(ignores(`dir/deep/${n}/${'a'.repeat(60)}.bin`, work)).toBe(false)
    }
  })

  test('a folder of many files is looked at once', () => {
    const work = new MatchWork(0)
    const ignores = readGitIgnore('*a\n'.repeat(10_000))
    for (let n = 0; n < 1000; n++) expect(ignores(`aa/${n}`, work)).toBe(true)
  })

  test.skipIf(!hasProgram('git'))('random patterns match as in git', () => {
    const rule = fc
      .tuple(fc.constantFrom('', '', '', '!'), anyPattern)
      .map((parts) => parts.join(''))
    const cases = fc.sample(
      fc.record({ rules: fc.array(rule, { minLength: 1, maxLength: 3 }), path: anyPath }),
      { numRuns: 4000, seed: 12 },
    )
    const folder = temporaryDirectory()
    execFileSync('git', ['init', '-q', folder])
    for (const [index, { rules }] of cases.entries()) {
      mkdirSync(join(folder, `c${index}`))
      writeFileSync(join(folder, `c${index}`, '.gitignore'), rules.join('\n'))
    }
    const paths = cases.map(({ path }, index) => `c${index}/${path}\0`)
    const args = ['-C', folder, 'check-ignore', '--no-index', '--stdin', '-z']
    const output = execFileSync('git', args, { input: paths.join(''), encoding: 'utf8' })
    const ignored = new Set(output.split('\0'))
    expect(ignored.size).toBeGreaterThan(300)
    const differing = cases.filter(
      ({ rules, path }, index) =>
        isIgnored(rules.join('\n'), path) !== ignored.has(`c${index}/${path}`),
    )
    expect(differing).toEqual([])
  })
})
