import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Refusal } from '../../../server/core/refusal.ts'
import { checkStrictly } from '../../../server/hub/rules/strict-files.ts'
import { hasProgram } from '../../helpers/programs.ts'
import { temporaryDirectory } from '../../helpers/temporary-directory.ts'

interface Named {
  readonly name: string
  readonly content: string
}

const submodule = (name: string, ...settings: string[]) =>
  [`[submodule "${name}"]`, ...settings.map((setting) => `\t${setting}`), ''].join('\n')
const withUrl = (url: string) => submodule('x', 'path = x', `url = ${url}`)

/** How git calls what is wrong, `undefined` where nothing is. */
function verdict({ name, content }: Named): string | undefined {
  try {
    checkStrictly(name, undefined, () => Buffer.from(content, 'latin1'))
    return undefined
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return error.detail?.split(' ').at(-1)
  }
}

/** What git's own strict check says of each, with one run for all of them: each has to have a content of its own. */
function verdictsOfGit(files: readonly Named[]): string[][] {
  const folder = temporaryDirectory()
  const git = (args: string[], input = '') =>
    execFileSync('git', ['-C', folder, ...args], { input, encoding: 'utf8' }).trimEnd()
  git(['init', '-q', '--bare'])
  mkdirSync(join(folder, 'in'))
  const paths = files.map(({ content }, index) => {
    const path = join(folder, 'in', String(index))
    writeFileSync(path, Buffer.from(content, 'latin1'))
    return path
  })
  const ids = git(['hash-object', '-w', '--stdin-paths'], paths.join('\n')).split('\n')
  expect(new Set(ids).size).toBe(files.length)
  const trees = files.map(({ name }, index) => `100644 blob ${ids[index]}\t${name}\0\0`)
  git(['mktree', '-z', '--batch'], trees.join(''))
  const { stderr } = spawnSync('git', ['-C', folder, 'fsck', '--strict'], { encoding: 'utf8' })
  const found = [...stderr.matchAll(/^error in blob ([0-9a-f]{40}): (\w+)/gm)]
  return ids.map((id) => found.flatMap(([, of, message = '']) => (of === id ? [message] : [])))
}

const modules: [content: string, expected: string | undefined][] = [
  [submodule('x', 'path = x', 'url = https://host/y'), undefined],
  [submodule('a..b', 'path = x', 'url = ../x.git'), undefined],
  [submodule('..', 'path = x'), 'gitmodulesName'],
  [submodule('a/../b', 'path = x'), 'gitmodulesName'],
  [submodule(String.raw`a\\..`, 'path = x'), 'gitmodulesName'],
  [submodule('', 'path = x'), 'gitmodulesName'],
  ['[SubModule "../x"] Path = y', 'gitmodulesName'],
  ['[submodule "../x"]', undefined],
  ['[submodule "../x"]\n  path', 'gitmodulesName'],
  ['[submodule.x] path = -y', 'gitmodulesPath'],
  ['[submodule] path = -y', undefined],
  [submodule('y', 'path = -y'), 'gitmodulesPath'],
  [submodule('x', 'path = "-y" ; why'), 'gitmodulesPath'],
  [submodule('x', 'path = ; -y'), undefined],
  [submodule('x', 'path = a\\', '-y'), undefined],
  [submodule('x', 'update = !rm'), 'gitmodulesUpdate'],
  [submodule('x', 'update = rebase'), undefined],
  [submodule('u', 'url = -u'), 'gitmodulesUrl'],
  // What cannot be parsed is no error to git, and what stands before it is.
  ['no config', undefined],
  [`${submodule('x', 'path = -y')}]`, 'gitmodulesPath'],
  [`]\n${submodule('x', 'path = -y')}`, undefined],
  ['[submodule "x"]\n\tpath = "-y', undefined],
  ['[submodule "x"]\r\n\tpath = -y\r\n', 'gitmodulesPath'],
  ['[submodule "x"]\n\tpath = -\0y', 'gitmodulesPath'],
  ['[submodule "x"\0]\n\tpath = -a', undefined],
  ['[submodule "x\0"]\n\tpath = -b', undefined],
]

const urls: [url: string, isRefused: boolean][] = [
  ['git@host:x/y.git', false],
  ['/srv/x', false],
  ['../x', false],
  ['./../../x', false],
  ['../:x', true],
  ['.././/host/x', true],
  ['./:x', false],
  ['../x%0ay', true],
  ['https://host/x', false],
  ['https://user:pass@host:8443/x?y', false],
  ['https:///x', true],
  ['https://user@/x', true],
  ['https::host/x', true],
  ['https::https://host/x', false],
  ['http://host/x%0ay', true],
  ['http://us%0aer@host/x', true],
  ['ssh://host/x%0ay', false],
  ['ftp://host%0a/x', true],
]

/** Newer gits refuse these as well. */
const newlyRefused = [
  'https://ho st/x',
  'https://host:port/x',
  'https://host:0/x',
  'https://host:65536/x',
  'https://:80/x',
  'https://host/../x',
  'https://host/x/../../y',
  'https://host/%2e%2e/y',
  'https://host/%x',
]

const names: [name: string, of: 'modules' | 'attributes' | 'both' | 'none'][] = [
  ['.gitmodules', 'modules'],
  ['.GitModules', 'modules'],
  ['.gitmodules . ', 'modules'],
  ['.gitmodules:x', 'modules'],
  ['gitmod~1', 'modules'],
  ['GITMOD~4. ', 'modules'],
  ['gitmod~5', 'none'],
  ['gi7eba~1', 'modules'],
  ['gi7eb~12', 'modules'],
  ['gi7eb~02', 'none'],
  ['~1000000', 'both'],
  ['g~123456', 'both'],
  ['.g\u200citmod\ufeffules', 'modules'],
  ['.gitmodules\u200c ', 'none'],
  ['xgitmodules', 'none'],
  ['.gitmodules.x', 'none'],
  ['.gitattributes', 'attributes'],
  ['.GITATTRIBUTES.', 'attributes'],
  ['gitatt~1', 'attributes'],
  ['gi7d29~1', 'attributes'],
  ['.gitattributes2', 'none'],
]

const long = 'a'.repeat(2048)
const attributes: [content: string, expected: string | undefined][] = [
  [`${'b'.repeat(2047)}\nx`, undefined],
  [long, 'gitattributesLineLength'],
  [`x\n${long}c\n`, 'gitattributesLineLength'],
  [`x\0\n${long}d\n`, undefined],
]

const pieces = [
  ...'[submodule "x"]\n|[submodule "|[Submodule.x]|"|]|path|url|path = -y\n|url = |update = '.split(
    '|',
  ),
  ...'\n|\r\n|\r| |\t|\0|\\\n|\\t|\\|/|..|../|./|=| = |-|!|#|;|:|@|a|%0a|http://'.split('|'),
]

describe('what git would refuse', () => {
  test.each(modules)('.gitmodules %j: %s', (content, expected) => {
    expect(verdict({ name: 'deep/.gitmodules', content })).toBe(expected)
  })

  test.each(urls)('a submodule with the URL %s: %s', (url, isRefused) => {
    expect(verdict({ name: '.gitmodules', content: withUrl(url) })).toBe(
      isRefused ? 'gitmodulesUrl' : undefined,
    )
  })

  test.each(newlyRefused)('a submodule with the URL %s', (url) => {
    expect(verdict({ name: '.gitmodules', content: withUrl(url) })).toBe('gitmodulesUrl')
  })

  test('.gitmodules with a byte order mark, which older gits cannot parse here', () => {
    const content = `\u00ef\u00bb\u00bf${submodule('x', 'path = -y')}`
    expect(verdict({ name: '.gitmodules', content })).toBe('gitmodulesPath')
  })

  test.each(names)('%j counts as %s', (name, of) => {
    const isRefused = (content: string) => verdict({ name, content }) !== undefined
    expect([isRefused(submodule('..', 'path = x')), isRefused(long)]).toEqual([
      of === 'modules' || of === 'both',
      of === 'attributes' || of === 'both',
    ])
  })

  test.each(attributes)('.gitattributes %#', (content, expected) => {
    expect(verdict({ name: '.gitattributes', content })).toBe(expected)
  })

  test('names path, place and rule', () => {
    const check = (path: string, content: string) => () =>
      checkStrictly(path, undefined, () => Buffer.from(content))
    expect(check('a/.gitattributes', `x\n${long}`)).toThrow(
      'Git would refuse "a/.gitattributes": line 2 has more than 2047 bytes',
    )
    expect(check('.gitmodules', submodule('../ü', 'path = x'))).toThrow(
      'Git would refuse ".gitmodules": a submodule cannot be called "../ü"',
    )
  })

  test('asks for no content of another file', () => {
    const read = () => expect.unreachable()
    for (const path of ['a', 'gitmodules', 'g~/x', 'bag~1']) checkStrictly(path, undefined, read)
  })

  test('a link in the place of the file, or a folder', () => {
    const check = (path: string, mode?: '120000') => () =>
      checkStrictly(path, mode, () => Buffer.from('x'))
    expect(check('.gitmodules', '120000')).toThrow('a symbolic link')
    expect(check('.gitattributes', '120000')).not.toThrow()
    expect(check('.gitmodules/x')).toThrow('.gitmodules is a folder')
    expect(check('a/.GITATTRIBUTES/x')).toThrow('.gitattributes is a folder')
  })

  describe.skipIf(!hasProgram('git'))('as git itself sees it', () => {
    test('in the tables', () => {
      const files = [
        ...modules.map(([content]) => ({ name: '.gitmodules', content })),
        ...urls.map(([url]) => ({ name: '.gitmodules', content: withUrl(url) })),
        ...attributes.map(([content]) => ({ name: '.gitattributes', content })),
        ...names.flatMap(([name], index) => [
          { name, content: `# ${index}\n${submodule('..', 'path = x')}` },
          { name, content: `# ${index}\n${long}` },
        ]),
      ]
      const ofGit = verdictsOfGit(files)
      const differing = files.flatMap((file, index) => {
        const [own, git] = [verdict(file), ofGit[index] ?? []]
        const isSame = own === undefined ? git.length === 0 : git.includes(own)
        return isSame ? [] : [{ ...file, own, git }]
      })
      expect(differing).toEqual([])
    })

    test('in texts at random', () => {
      const piece = fc.constantFrom(...pieces)
      const text = fc.array(piece, { minLength: 2, maxLength: 8 }).map((parts) => parts.join(''))
      const begun = fc.tuple(fc.constantFrom('[submodule "x"]\n', '[submodule "x"] url=', ''), text)
      const texts = fc.sample(begun, { numRuns: 4000, seed: 11 }).map((parts) => parts.join(''))
      const files = [...new Set(texts)].map((content) => ({ name: '.gitmodules', content }))
      const ofGit = verdictsOfGit(files)
      const refused = files.filter((_, index) => (ofGit[index] ?? []).length > 0)
      expect(refused.length).toBeGreaterThan(100)
      const differing = files.flatMap((file, index) => {
        const [own, git] = [verdict(file), ofGit[index] ?? []]
        if (own === undefined ? git.length === 0 : git.includes(own)) return []
        // Newer gits refuse more addresses than older ones.
        const isNew = own === 'gitmodulesUrl' && /url\s*=[^]*http:\/\//i.test(file.content)
        return isNew ? [] : [{ ...file, own, git }]
      })
      expect(differing).toEqual([])
    })
  })
})
