import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readGitAttributes } from '../../../server/hub/rules/git-attributes.ts'
import { MatchWork } from '../../../server/hub/rules/match-work.ts'
import { hasProgram } from '../../helpers/programs.ts'
import { temporaryDirectory } from '../../helpers/temporary-directory.ts'
import { anyPath, anyPattern } from './any-pattern.ts'

interface Case {
  /** Texts by folder. */
  readonly rules: Readonly<Record<string, string>>
  readonly path: string
}

const filterOf = ({ rules, path }: Case) =>
  readGitAttributes((folder) => rules[folder], new MatchWork(1_000_000))(path)

/** Attributes as git reports them, in our words. */
function filtersOfGit(cases: readonly Case[]): (string | undefined)[] {
  const folder = temporaryDirectory()
  execFileSync('git', ['init', '-q', folder])
  for (const [index, { rules }] of cases.entries()) {
    for (const [below, text] of Object.entries(rules)) {
      const file = join(folder, `c${index}`, below, '.gitattributes')
      mkdirSync(dirname(file), { recursive: true })
      writeFileSync(file, text)
    }
  }
  const input = cases.map(({ path }, index) => `c${index}/${path}\0`).join('')
  const args = ['-C', folder, 'check-attr', '--stdin', '-z', 'filter']
  const stdio: ['pipe', 'pipe', 'ignore'] = ['pipe', 'pipe', 'ignore']
  const told = execFileSync('git', args, { input, encoding: 'utf8', stdio }).split('\0')
  return cases.map((_, index) => {
    const value = told[index * 3 + 2]
    if (value === 'unspecified') return undefined
    return value === 'unset' || value === 'set' ? '' : value
  })
}

const lfs = 'filter=lfs diff=lfs merge=lfs -text'
const at = (text: string, path: string, rules: Record<string, string> = {}): Case => ({
  rules: { '': text, ...rules },
  path,
})

const usual = [
  '*.bin filter=lfs diff=lfs merge=lfs -text',
  'saved_model/**/* filter=lfs',
  '*tfevents* filter=lfs',
  'small.bin -filter',
  '*.txt text',
].join('\n')

const table: [Case, string | undefined][] = [
  [at(usual, 'a.bin'), 'lfs'],
  [at(usual, 'deep/a.bin'), 'lfs'],
  [at(usual, 'saved_model/x'), 'lfs'],
  [at(usual, 'saved_model/x/y'), 'lfs'],
  [at(usual, 'events.out.tfevents.1'), 'lfs'],
  [at(usual, 'small.bin'), ''],
  [at(usual, 'a.txt'), undefined],
  [at(usual, 'saved_model'), undefined],
  [at(`"a b.bin" ${lfs}`, 'a b.bin'), 'lfs'],
  [at(`"a b/*" ${lfs}`, 'a b/c'), 'lfs'],
  [at(`"a b.bin"${lfs}`, 'a b.bin'), 'lfs'],
  [at(`"\\303\\251\\t\\"\\\\\\\\" ${lfs}`, 'é\t"\\'), 'lfs'],
  [at(`"#a" ${lfs}`, '#a'), 'lfs'],
  [at(`"a\\x" ${lfs}`, 'ax'), undefined],
  [at(`"a\\q" ${lfs}`, '"aq"'), 'lfs'],
  [at(`"a ${lfs}`, '"a'), 'lfs'],
  [at(`a[[:space:]]b ${lfs}`, 'a b'), 'lfs'],
  [at(`? ${lfs}`, 'é'), undefined],
  [at(`?? ${lfs}`, 'é'), 'lfs'],
  [at(`** ${lfs}`, 'a'), 'lfs'],
  [at(`!a ${lfs}`, '!a'), undefined],
  [at(`a/ ${lfs}`, 'a'), undefined],
  [at(`a/ ${lfs}`, 'a/b'), undefined],
  [at(`/a ${lfs}`, 'b/a'), undefined],
  [at('* filter=lfs\na !filter', 'a'), undefined],
  [at('* filter=lfs\na -filter=x', 'a'), ''],
  [at('* filter', 'a'), ''],
  [at('* filter=lfs filter=other', 'a'), 'other'],
  [at('* filter=lfs\n* -bad -- x', 'a'), 'lfs'],
  [at('* filter=lfs a=/b', 'a'), 'lfs'],
  [at('* filter=lfs\r\na.txt -filter\r\n', 'a.txt'), ''],
  [at(' \t* filter=lfs', 'a'), 'lfs'],
  [at('\uFEFF* filter=lfs', 'a'), 'lfs'],
  [at(`* filter=lfs ${'a'.repeat(2034)}`, 'a'), 'lfs'],
  [at(`* filter=lfs ${'a'.repeat(2035)}`, 'a'), undefined],
  [at('* binary filter=lfs', 'a'), 'lfs'],
  [at('', 'a/b.bin', { 'a/': '*.bin filter=lfs' }), 'lfs'],
  [at('', 'b.bin', { 'a/': '*.bin filter=lfs' }), undefined],
  [at('', 'a/b/c', { 'a/': 'b/c filter=lfs' }), 'lfs'],
  [at('', 'a/b/c', { 'a/': 'a/b/c filter=lfs' }), undefined],
  [at('*.bin filter=lfs', 'a/b.bin', { 'a/': '*.bin -filter' }), ''],
  [at('*.bin filter=lfs', 'a/b.bin', { 'a/': '*.bin !filter' }), undefined],
  [at('*.bin -filter', 'a/b/c.bin', { 'a/': '', 'a/b/': '* filter=lfs' }), 'lfs'],
  [at('*.bin filter=lfs', 'a/b.bin', { 'a/': '*.txt -filter' }), 'lfs'],
]

const macros: [text: string, path: string, expected: string | undefined][] = [
  ['[attr]large filter=lfs -text\n*.bin large', 'a.bin', 'lfs'],
  ['*.bin large\n[attr]large filter=lfs', 'a.bin', 'lfs'],
  ['[attr]large filter=lfs\n*.bin large\na.bin -large', 'a.bin', undefined],
  ['[attr]large filter=lfs\n*.bin large\na.bin -filter', 'a.bin', ''],
  ['[attr]large filter=x\n[attr]large filter=lfs\n*.bin large', 'a.bin', 'lfs'],
  ['[attr]one two\n[attr]two filter=lfs\n*.bin one', 'a.bin', 'lfs'],
  ['[attr]one two\n[attr]two one\n*.bin one', 'a.bin', undefined],
  ['[attr]large filter=lfs\n*.bin large=yes', 'a.bin', undefined],
]

describe('.gitattributes', () => {
  test.each(table)('%j: %j', (given, expected) => {
    expect(filterOf(given)).toBe(expected)
  })

  test.each(macros)('with a macro %j, of %s: %j', (text, path, expected) => {
    expect(filterOf(at(text, path))).toBe(expected)
    // Elsewhere than at the root there are none.
    expect(filterOf(at('', `a/${path}`, { 'a/': text }))).not.toBe('lfs')
  })

  test('hostile patterns do not take long', () => {
    const started = process.cpuUsage()
    for (const pattern of [
      `${'*a'.repeat(900)}*?`,
      `x/${'**/a/'.repeat(400)}?`,
      '[a-z'.repeat(500),
    ]) {
      filterOf(at(`${pattern} filter=lfs`, `x/${'a/'.repeat(2000)}b`))
      filterOf(at(`${pattern} filter=lfs`, 'a'.repeat(4000)))
    }
    expect(process.cpuUsage(started).user).toBeLessThan(2_000_000)
  })

  test('many attributes of many paths are refused', () => {
    const line = `* ${Array.from({ length: 300 }, (_, index) => `a${index}`).join(' ')} filter=lfs`
    const work = new MatchWork(1000)
    const filter = readGitAttributes((folder) => (folder === '' ? line : undefined), work)
    const readAll = (count: number) => {
      for (let n = 0; n < count; n++) filter(`${n}.bin`)
    }
    readAll(10)
    expect(() => readAll(100)).toThrow('steps')
  })

  test('chains of macros are followed, however long', () => {
    const chain = (length: number) =>
      Array.from({ length }, (_, index) => `[attr]m${index} m${index + 1}`).join('\n')
    const read = (length: number) =>
      filterOf(at(`${chain(length)}\n[attr]m${length} filter=lfs\n* m0`, 'a'))
    expect(read(500)).toBe('lfs')
    expect(read(100_000)).toBe(undefined)
  })

  describe.skipIf(!hasProgram('git'))('comparison with git', () => {
    test('in the table', () => {
      const cases = table.map(([given]) => given)
      const ofGit = filtersOfGit(cases)
      const differing = cases.flatMap((given, index) =>
        ofGit[index] === filterOf(given) ? [] : [{ given, git: ofGit[index] }],
      )
      expect(differing).toEqual([])
    })

    test('with macros', () => {
      for (const [text, path, expected] of macros) {
        const folder = temporaryDirectory()
        execFileSync('git', ['init', '-q', folder])
        writeFileSync(join(folder, '.gitattributes'), text)
        const args = ['-C', folder, 'check-attr', '-z', 'filter', '--', path]
        const [, , value] = execFileSync('git', args, { encoding: 'utf8' }).split('\0')
        const words = { unspecified: undefined, unset: '' } as Record<string, string | undefined>
        const told = value === undefined || value in words ? words[value ?? ''] : value
        expect([text, told]).toEqual([text, expected])
      }
    })

    test('for patterns at random', () => {
      const line = fc
        .tuple(anyPattern, fc.constantFrom('filter=lfs', 'filter=lfs', '-filter', '!filter'))
        .map((parts) => parts.join(' '))
      const text = fc.array(line, { minLength: 1, maxLength: 2 }).map((lines) => lines.join('\n'))
      const given = fc.record({
        rules: fc.record({ '': text, 'a/': text, 'a/b/': text }, { requiredKeys: [''] }),
        path: fc.oneof(
          anyPath,
          anyPath.map((path) => `a/${path}`),
          anyPath.map((path) => `a/b/${path}`),
        ),
      })
      const cases: Case[] = fc
        .sample(given, { numRuns: 5000, seed: 13 })
        .map(({ rules, path }) => ({ rules: { ...rules }, path }))
      const ofGit = filtersOfGit(cases)
      expect(ofGit.filter((filter) => filter === 'lfs').length).toBeGreaterThan(300)
      const differing = cases.flatMap((each, index) =>
        ofGit[index] === filterOf(each)
          ? []
          : [{ ...each, git: ofGit[index], own: filterOf(each) }],
      )
      expect(differing).toEqual([])
    })
  })
})
