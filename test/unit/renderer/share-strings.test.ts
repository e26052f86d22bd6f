import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { shareStrings } from '../../../renderer/lib/share-strings.ts'

const rows = (count: number) =>
  JSON.stringify({
    items: Array.from({ length: count }, (_, index) => ({
      id: `id-${index}`,
      note: null,
      repo: { name: 'datasets/acme/corpus'.repeat(5) },
      refs: [{ ref: 'refs/heads/main', ok: true }],
    })),
  })

test('a response has the same values after its strings are shared', () => {
  const text = rows(5000)
  expect(shareStrings(JSON.parse(text))).toEqual(JSON.parse(text))
  for (const value of ['text', 7, null, ['a', 'a'], '{"__proto__":{"a":"b"}}'])
    expect(shareStrings(value)).toEqual(value)
})

test('a string that all rows have takes the memory of one', () => {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  const sizeOf = (read: (text: string) => unknown) => {
    const text = rows(20_000)
    collect()
    const before = process.memoryUsage().heapUsed
    const value = read(text)
    collect()
    const size = process.memoryUsage().heapUsed - before
    return [size, value] as const
  }
  const [copied] = sizeOf((text) => JSON.parse(text))
  const [shared] = sizeOf((text) => shareStrings(JSON.parse(text)))
  // 20,000 copies of 100 characters and their refs.
  expect(copied - shared).toBeGreaterThan(2_000_000)
})

test('deep data is left as it is', () => {
  const deep = JSON.parse(`${'['.repeat(100_000)}"x"${']'.repeat(100_000)}`) as unknown
  expect(shareStrings(deep)).toBe(deep)
})
