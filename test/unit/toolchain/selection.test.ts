import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { builtPartsFor, selectTests } from '../../helpers/selection.mjs'

const root = fileURLToPath(new URL('../../..', import.meta.url))

describe('the arguments of npm test', () => {
  test('runs the short set without any', () => {
    const selection = {
      filters: { unit: [], contract: [], e2e: [] },
      title: undefined,
      browser: true,
      named: [],
      short: true,
      twice: false,
    }
    expect(selectTests([])).toEqual(selection)
    expect(selectTests(['--no-browser'])).toEqual({ ...selection, browser: false })
    expect(selectTests(['--twice'])).toEqual({ ...selection, twice: true })
  })

  test('runs everything with --all', () => {
    expect(selectTests(['--all', '--twice'])).toEqual({
      filters: { unit: [], contract: [], compat: [], e2e: [], packed: [], recipes: [] },
      title: undefined,
      browser: true,
      named: [],
      short: false,
      twice: true,
    })
  })

  test.each([[['device']], [['--only', 'contract']], [['-t', 'RFC 7636']]])(
    'looks for %j in all tests of a layer, the slow ones too',
    (args) => {
      expect(selectTests(args)).toMatchObject({
        short: false,
        filters: { contract: expect.anything() },
      })
    },
  )

  test('builds less for the short set', () => {
    expect(builtPartsFor([])).toEqual(['server', 'library', 'renderer'])
    for (const args of [['--all'], ['device'], ['--watch']]) {
      expect(builtPartsFor(args)).toEqual([
        'server',
        'library',
        'renderer',
        'electron',
        'types',
        'notices',
      ])
    }
  })

  test('looks for a word in every layer and for a path in its own', () => {
    expect(selectTests(['device'])?.filters).toEqual({
      unit: ['device'],
      contract: ['device'],
      compat: ['device'],
      e2e: ['device'],
      packed: ['device'],
      recipes: ['device'],
    })
    expect(
      selectTests([String.raw`.\test\unit\pkce.test.ts`, './test/e2e/login'])?.filters,
    ).toEqual({ unit: ['test/unit/pkce.test.ts'], e2e: ['test/e2e/login'] })
  })

  test('keeps to the layers named by --only', () => {
    const selection = selectTests(['--only', 'unit', '--only=e2e', '--no-browser', 'login'])
    expect(selection?.filters).toEqual({ unit: ['login'], e2e: ['login'] })
    expect(selectTests(['--only', 'e2e', 'test/unit/pkce.test.ts'])?.filters).toEqual({})
  })

  test('takes a pattern for titles and leaves the browser tests out', () => {
    expect(selectTests(['--no-browser', '-t', 'RFC 7636'])).toMatchObject({
      title: 'RFC 7636',
      browser: false,
    })
  })

  test('runs what takes long only where it is named', () => {
    expect(selectTests(['hono'])?.named).toEqual([])
    expect(selectTests(['--only', 'recipes', 'hono'])).toMatchObject({
      filters: { recipes: ['hono'] },
      named: ['recipes'],
    })
    expect(selectTests(['test/recipes/hono'])).toMatchObject({
      filters: { recipes: ['test/recipes/hono'] },
      named: ['recipes'],
    })
    expect(selectTests(['--only', 'packed', '--only', 'unit'])?.named).toEqual(['packed'])
  })

  test('runs each test twice, but what takes long', () => {
    expect(selectTests(['--twice', '--only', 'contract', 'device'])).toMatchObject({
      filters: { contract: ['device'] },
      twice: true,
    })
    expect(selectTests(['--twice'])?.named).toEqual([])
    for (const args of [['--only', 'packed'], ['test/recipes/hono']]) {
      expect(() => selectTests(['--twice', ...args])).toThrow(/of (packed|recipes) run once only/)
    }
  })

  test.each([[['--help']], [['-h', 'device']]])('asks for help: %j', (args) => {
    expect(selectTests(args)).toBeUndefined()
  })

  test('refuses what it does not know', () => {
    expect(() => selectTests(['--only', 'units'])).toThrow('--only units: expected one of unit')
    expect(() => selectTests(['--watch'])).toThrow("Unknown option '--watch'")
  })
})

describe('npm test', () => {
  const call = (flag: string) =>
    spawnSync(process.execPath, ['test/run.mjs', flag], { cwd: root, encoding: 'utf8' })

  test('tells how it is called, and runs nothing', () => {
    const { status, stdout } = call('--help')
    expect([status, stdout.split('\n')[0]]).toEqual([0, expect.stringContaining('npm test')])
  })

  test('runs nothing when it does not understand, but tells how it is called', () => {
    const { status, stdout, stderr } = call('--nothing')
    expect([status, stdout]).toEqual([2, ''])
    expect(stderr).toContain("Unknown option '--nothing'")
    expect(stderr).toContain('npm test')
  })
})
