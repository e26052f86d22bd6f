import { describe, expect, test } from 'vitest'
import { readReadmeMetadata } from '../../../server/hub/rules/readme-metadata.ts'

const read = (header: string) => Object.fromEntries(readReadmeMetadata(`---\n${header}\n---\n`))

describe('the metadata of a README', () => {
  test.each([
    ['license: mit', { license: 'mit' }],
    ['license:   mit  # as chosen', { license: 'mit' }],
    ['license: mit#2', { license: 'mit#2' }],
    ['title: "a # b" # c', { title: 'a # b' }],
    ['tags: [a, "b"] # two', { tags: ['a', 'b'] }],
    ['tags:\n  - a  # first\n  -  b', { tags: ['a', 'b'] }],
    ['license:mit', {}],
    ['a: null\nb: ~ # none\nc: NULL\nd: "null"', { d: 'null' }],
    ['a: [null, b]\nc:\n  - ~\n  - d', { a: ['b'], c: ['d'] }],
  ])('is read from %j', (header, metadata) => {
    expect(read(header)).toEqual(metadata)
  })

  test.each([
    ['a value', `key: x${' '.repeat(60_000)}y`],
    ['a line', `key:${' '.repeat(60_000)}\u2028`],
    ['an item', `key:\n-${' '.repeat(60_000)}\u2028`],
    ['a list with comments', `key: ["${']#'.repeat(60_000)}\u2028"]`],
  ])('takes no longer where %s has much of the same', (_what, header) => {
    const start = process.cpuUsage()
    read(header)
    // Each with each other took seconds.
    expect(process.cpuUsage(start).user).toBeLessThan(500_000)
  })
})
