import { describe, expect, test } from 'vitest'
import { readGitAttributes, readGitIgnore } from '../../../server/hub/git-patterns.ts'

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
    ['# no\n\nx', 'x'],
    ['x\r\n', 'x'],
    ['*\n!keep\nkeep', 'keep'],
    ['dir\n!dir/keep', 'dir/keep'],
  ])('%j keeps out %s', (text, path) => {
    expect(readGitIgnore(text)(path)).toBe(true)
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
  ])('%j lets in %s', (text, path) => {
    expect(readGitIgnore(text)(path)).toBe(false)
  })

  test.each([
    ['stars', `${'*a'.repeat(300)}b`, 'a'.repeat(3000)],
    ['folders', `${'**/a/'.repeat(300)}b`, 'a/'.repeat(300)],
    ['brackets', '['.repeat(1_000_000), 'a'],
    ['blanks', `a${' '.repeat(1_000_000)}b`, 'a'],
    ['many rules', '*a*b\n'.repeat(200_000), 'a'.repeat(4000)],
    ['a path', '*a*b', 'a'.repeat(1_000_000)],
  ])('takes no longer for %s that are made to take long', (_what, text, path) => {
    const started = performance.now()
    expect(readGitIgnore(text)(path)).toBe(false)
    expect(performance.now() - started).toBeLessThan(2000)
  })
})

describe('.gitattributes', () => {
  const attributes = [
    '*.bin filter=lfs diff=lfs merge=lfs -text',
    'saved_model/**/* filter=lfs',
    '*tfevents* filter=lfs',
    'small.bin -filter',
    '*.txt text',
  ].join('\n')

  test.each([
    ['a.bin', 'lfs'],
    ['deep/a.bin', 'lfs'],
    ['saved_model/x', 'lfs'],
    ['saved_model/x/y', 'lfs'],
    ['events.out.tfevents.1', 'lfs'],
    ['small.bin', ''],
    ['a.txt', undefined],
    ['saved_model', undefined],
  ])('of %s: %j', (path, filter) => {
    expect(readGitAttributes(attributes)(path)).toBe(filter)
  })
})
