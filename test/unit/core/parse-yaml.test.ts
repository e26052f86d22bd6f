import { describe, expect, test, vi } from 'vitest'
import { Parser } from 'yaml'
import { parseYaml } from '../../../server/core/parse-yaml.ts'

/** So many lines that what takes the square of them takes minutes. */
const many = (line: (index: number) => string, count = 40_000) =>
  Array.from({ length: count }, (_, index) => line(index)).join('\n')

describe('a YAML document with very many', () => {
  test('keys is read, and a duplicate is found', () => {
    const keys = many((index) => `k${index}: 1`)
    expect(parseYaml(keys)).toHaveProperty('value.k39999', 1)
    expect(parseYaml(`${keys}\nk7: 2`)).toEqual({
      problem: 'Map keys must be unique at line 40001, column 1',
    })
  })

  test('mistakes is refused with the first', () => {
    expect(parseYaml(`a: "${String.raw`\z`.repeat(40_000)}"`)).toEqual({
      problem: String.raw`Invalid escape sequence \z at line 1, column 5`,
    })
  })

  test('aliases is refused', () => {
    const anchors = many((index) => `- &a${index} 1\n- *a${index}`, 10_000)
    expect(parseYaml(anchors)).toEqual({ problem: 'it has more than 1000 aliases' })
  })

  test('values repeated by an alias is read, whatever else it contains', () => {
    const list = `list: &list [${many((index) => `&b${index} ${index}, *b${index}`, 200).replaceAll('\n', ', ')}]`
    const text = [many((index) => `k${index}: 1`), list, 'again: [*list, *list]'].join('\n')
    expect(parseYaml(text)).toHaveProperty('value.again.1.399', 199)
  })
})

test.each([
  ['too long', `a: ${'b'.repeat(9 * 1024 * 1024)}`, /has 9217 KiB, and the limit is 8192 KiB/],
  ['of too many tokens', `a: [${'b,'.repeat(500_000)}]`, /more than 400,000 tokens, the limit/],
])('a document that is %s is refused with the name of the other format', (_what, text, message) => {
  expect(parseYaml(text)).toEqual({ problem: expect.stringMatching(message) })
  expect(parseYaml(text)).toEqual({ problem: expect.stringMatching(/Write it as JSON\.$/) })
})

// Parsing takes several times as long as splitting.
test('a document of too many tokens is refused before any is parsed', () => {
  const next = vi.spyOn(Parser.prototype, 'next')
  expect(parseYaml('- a\n'.repeat(200_000))).toHaveProperty('problem')
  expect(next).not.toHaveBeenCalled()
  next.mockRestore()
})

// Each bracket was a mistake of its own, and took as long as thousands of characters.
test.each([
  ['}', 'Unexpected flow-map-end token in YAML stream: "}" at line 1, column 6'],
  [']', 'Unexpected flow-seq-end token in YAML stream: "]" at line 1, column 6'],
])('a document with very many %j is refused at the first beyond the limit', (bracket, problem) => {
  const text = `a: [${bracket.repeat(100_000)}`
  const started = process.cpuUsage()
  expect(parseYaml(text)).toEqual({ problem })
  expect(process.cpuUsage(started).user).toBeLessThan(2_000_000)
})

test.each([
  ['a list', 'a: &a [*a]'],
  ['a map', 'a: &a\n  b:\n    - *a'],
])('%s that contains itself is refused', (_what, text) => {
  expect(parseYaml(text)).toEqual({ problem: expect.stringMatching(/nested more than 64 levels/) })
})

test('nested block mappings are refused beyond the limit', () => {
  expect(parseYaml(`{${'a: '.repeat(20_000)}`)).toEqual({
    problem: expect.stringMatching(/nested more than 64 levels/),
  })
})

test('the depth counts with each alias resolved', () => {
  const chain = (length: number) =>
    ['a0: &a0 [1]', many((index) => `a${index + 1}: &a${index + 1} [*a${index}]`, length)].join(
      '\n',
    )
  expect(parseYaml(chain(60))).toHaveProperty('value.a60')
  expect(parseYaml(chain(70))).toHaveProperty('problem', expect.stringMatching(/64 levels/))
})

test('a small document cannot expand to a huge value', () => {
  const nine = (name: string) => `[${Array(9).fill(name).join(', ')}]`
  const levels = ['a', 'b', 'c', 'd', 'e', 'f', 'g']
  const bomb = levels.map(
    (name, at) => `${name}: &${name} ${nine(at === 0 ? '1' : `*${levels[at - 1]}`)}`,
  )
  expect(parseYaml(bomb.join('\n'))).toEqual({
    problem: 'its aliases expand to more than 100000 values',
  })
})
