import { describe, expect, test } from 'vitest'
import { parseYaml } from '../../../server/core/parse-yaml.ts'
import { fixturesFromCode } from '../../../server/fixtures/read.ts'
import { assertShallow, parseShallowJson } from '../../../server/core/json-depth.ts'

const nested = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`
const deep = /nested more than 64 levels/

describe('nesting of input', () => {
  test('64 levels are read, 65 are refused', () => {
    expect(JSON.stringify(parseShallowJson(nested(64)))).toBe(nested(64))
    expect(() => parseShallowJson(nested(65))).toThrow(deep)
    expect(() => parseShallowJson(`{"a":${nested(64)}}`)).toThrow(deep)
    expect(() => assertShallow(JSON.parse(nested(64)))).not.toThrow()
    expect(() => assertShallow(JSON.parse(nested(65)))).toThrow(deep)
  })

  test('levels are counted, not brackets in strings or side by side', () => {
    const texts = JSON.stringify({ a: '['.repeat(100), b: `\\"${'{'.repeat(100)}` })
    expect(parseShallowJson(texts)).toEqual(JSON.parse(texts))
    expect(parseShallowJson(`[${'[],'.repeat(100)}[]]`)).toHaveLength(101)
  })

  test('a hundred thousand levels do not overflow the stack', () => {
    expect(() => parseShallowJson('['.repeat(100_000))).toThrow(deep)
    expect(() => assertShallow(JSON.parse(nested(100_000)))).toThrow(deep)
  })

  test.each([
    ['flow', (levels: number) => nested(levels)],
    ['block', (levels: number) => `${'- '.repeat(levels)}x`],
    [
      'mappings',
      (levels: number) =>
        Array.from({ length: levels }, (_, at) => `${' '.repeat(at)}a:`).join('\n'),
    ],
  ])('YAML in %s style', (_style, text) => {
    expect(parseYaml(text(64))).toHaveProperty('value')
    expect(parseYaml(text(66))).toEqual({ problem: expect.stringMatching(deep) })
    expect(parseYaml(text(1000))).toEqual({ problem: expect.stringMatching(deep) })
  })

  test('fixtures passed by a program are limited', async () => {
    const users = JSON.parse(nested(5000))
    await expect(fixturesFromCode({ users })).rejects.toThrow(deep)
  })
})
