import { describe, expect, test } from 'vitest'
import { describeNode } from '../../bench/nodes.ts'

describe('Nodes of the bench', () => {
  test('names a Node by its version', () => {
    expect(describeNode(process.execPath)).toEqual({
      name: `Node ${process.versions.node}`,
      path: process.execPath,
    })
  })

  test.each(['/there/is/none', import.meta.filename])('refuses %s, which is no Node', (path) => {
    expect(() => describeNode(path)).toThrow(`--node ${path}`)
  })
})
