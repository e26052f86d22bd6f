import { mkdirSync, readdirSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { loadProgram } from '../../../../server/cli/code-cache/load-program.ts'
import { temporaryDirectory } from '../../../helpers/temporary-directory.ts'

type Main = { says: () => string; later: () => Promise<string>; fail: () => never }

const main = `const { word } = require('./chunks/word.cjs')
const { sep } = require('node:path')
exports.says = () => [word(), __filename.split(sep).at(-1), typeof module.exports].join(' ')
exports.later = () => Promise.resolve().then(() => require('./chunks/late.cjs').late)
exports.fail = () => {
  throw new Error('here')
}
`

function program() {
  const folder = temporaryDirectory()
  const caches = temporaryDirectory()
  mkdirSync(join(folder, 'chunks'))
  const write = (name: string, text: string) => writeFileSync(join(folder, name), text)
  write('main.cjs', main)
  write('chunks/word.cjs', "exports.word = () => 'one'\n")
  write('chunks/late.cjs', "exports.late = require('./word.cjs').word() + ' late'\n")
  const load = () =>
    loadProgram<Main>(join(folder, 'main.cjs'), { base: caches, below: ['hub-sandbox', 'code'] })
  return { folder, caches, write, load }
}

describe('a program loaded through the code cache', () => {
  test('equals the one loaded by require, with modules of Node, of files and later ones', async () => {
    const { load } = program()
    const { exports } = load()
    expect(exports.says()).toBe('one main.cjs object')
    expect(await exports.later()).toBe('one late')
  })

  test('is compiled at first, and loaded from the cache once stored', async () => {
    const { load } = program()
    const first = load()
    expect(await first.exports.later()).toBe('one late')
    expect(first.codeCache.count()).toEqual({ used: 0, compiled: 3 })
    await first.codeCache.keep()

    const second = load()
    expect(second.exports.says()).toBe('one main.cjs object')
    expect(await second.exports.later()).toBe('one late')
    expect(second.codeCache.count()).toEqual({ used: 3, compiled: 0 })
  })

  test('adds what is new, and writes nothing else again', async () => {
    const { load } = program()
    const first = load()
    await first.codeCache.keep()
    const folder = first.codeCache.folder ?? ''
    const times = () =>
      readdirSync(folder).map((name) => `${name} ${statSync(join(folder, name)).mtimeMs}`)
    const before = times()
    expect(before).toHaveLength(2)

    const second = load()
    await second.exports.later()
    await second.codeCache.keep()
    expect(times()).toHaveLength(3)
    expect(times()).toEqual(expect.arrayContaining(before))
    const third = load()
    await third.exports.later()
    expect(third.codeCache.count()).toEqual({ used: 3, compiled: 0 })
  })

  test('adds what was loaded since, when requested again', async () => {
    const { load } = program()
    const { exports, codeCache } = load()
    await codeCache.keep()
    const folder = codeCache.folder ?? ''
    const files = () =>
      Object.fromEntries(
        readdirSync(folder).map((name) => [name, statSync(join(folder, name)).mtimeMs]),
      )
    const before = files()
    await exports.later()
    await codeCache.keep()
    expect(Object.keys(files())).toHaveLength(3)
    expect(files()).toMatchObject(before)
  })

  test('runs the current content of an edited file, of equal length too', async () => {
    const { folder, load, write } = program()
    await load().codeCache.keep()
    write('chunks/word.cjs', "exports.word = () => 'two'\n")
    utimesSync(join(folder, 'chunks/word.cjs'), 1_000, 1_000)
    const edited = load()
    expect(edited.exports.says()).toBe('two main.cjs object')
    expect(edited.codeCache.count()).toEqual({ used: 1, compiled: 1 })
    await edited.codeCache.keep()
    expect(load().codeCache.count()).toEqual({ used: 2, compiled: 0 })
  })

  test('of another version has its own cache', async () => {
    const { caches, load, write } = program()
    await load().codeCache.keep()
    write('main.cjs', `${main}// A later version.\n`)
    const later = load()
    expect(later.codeCache.count()).toEqual({ used: 0, compiled: 2 })
    await later.codeCache.keep()
    expect(readdirSync(join(caches, 'hub-sandbox/code'))).toHaveLength(2)
  })

  test('has exact lines and columns in stack traces', async () => {
    const { folder, load } = program()
    await load().codeCache.keep()
    const { exports } = load()
    expect(exports.fail).toThrow(
      expect.objectContaining({
        stack: expect.stringContaining(`${join(folder, 'main.cjs')}:6:9`),
      }),
    )
    expect(loadProgramOf(folder, 'throw new Error("first line")')).toThrow(
      expect.objectContaining({ stack: expect.stringContaining('thrower.cjs:1:7') }),
    )
  })

  test('fails like with require, each time', () => {
    const { folder } = program()
    expect(loadProgramOf(folder, "require('./chunks/nowhere.cjs')")).toThrow(/nowhere\.cjs/)
    expect(loadProgramOf(folder, 'not JavaScript')).toThrow(SyntaxError)
  })

  test('is loaded by Node without a cache', async () => {
    const { folder } = program()
    const { exports, codeCache } = loadProgram<Main>(
      join(folder, 'main.cjs'),
      'HUB_SANDBOX_NO_CODE_CACHE is set',
    )
    expect(exports.says()).toBe('one main.cjs object')
    await codeCache.keep()
    expect(codeCache).toMatchObject({
      folder: undefined,
      disabled: 'HUB_SANDBOX_NO_CODE_CACHE is set',
    })
  })
})

function loadProgramOf(folder: string, text: string) {
  writeFileSync(join(folder, 'thrower.cjs'), text)
  const place = { base: join(folder, 'caches'), below: ['hub-sandbox', 'code'] }
  return () => loadProgram(join(folder, 'thrower.cjs'), place)
}
