import { describe, expect, test } from 'vitest'
import { selectTests } from '../../helpers/selection.mjs'

describe('the arguments of npm test', () => {
  test('runs everything without any', () => {
    expect(selectTests([])).toEqual({
      filters: { unit: [], contract: [], compat: [], e2e: [], recipes: [] },
      title: undefined,
      browser: true,
      recipes: false,
    })
  })

  test('looks for a word in every layer and for a path in its own', () => {
    expect(selectTests(['device']).filters).toEqual({
      unit: ['device'],
      contract: ['device'],
      compat: ['device'],
      e2e: ['device'],
      recipes: ['device'],
    })
    expect(selectTests([String.raw`.\test\unit\pkce.test.ts`, './test/e2e/login']).filters).toEqual(
      { unit: ['test/unit/pkce.test.ts'], e2e: ['test/e2e/login'] },
    )
  })

  test('keeps to the layers named by --only', () => {
    const { filters } = selectTests(['--only', 'unit', '--only=e2e', '--no-browser', 'login'])
    expect(filters).toEqual({ unit: ['login'], e2e: ['login'] })
    expect(selectTests(['--only', 'e2e', 'test/unit/pkce.test.ts']).filters).toEqual({})
  })

  test('takes a pattern for titles and leaves the browser tests out', () => {
    expect(selectTests(['--no-browser', '-t', 'RFC 7636'])).toMatchObject({
      title: 'RFC 7636',
      browser: false,
    })
  })

  test('runs recipes only where they are named', () => {
    expect(selectTests(['hono']).recipes).toBe(false)
    expect(selectTests(['--only', 'recipes', 'hono'])).toMatchObject({
      filters: { recipes: ['hono'] },
      recipes: true,
    })
    expect(selectTests(['test/recipes/hono'])).toMatchObject({
      filters: { recipes: ['test/recipes/hono'] },
      recipes: true,
    })
  })

  test('refuses what it does not know', () => {
    expect(() => selectTests(['--only', 'units'])).toThrow('--only units: expected one of unit')
    expect(() => selectTests(['--watch'])).toThrow("Unknown option '--watch'")
  })
})
