import { describe, expect, test } from 'vitest'
import { readArguments } from '../../bench/arguments.ts'

const known = ['start', 'jwks']

describe('arguments of the bench', () => {
  test('no row selects all of them', () => {
    expect(readArguments([], known)).toMatchObject({ rows: [], nodes: [], quick: false })
  })

  test('rows and several Nodes are read', () => {
    const read = readArguments(['jwks', '--node', '/a/node', '--node', '/b/node'], known)
    expect(read).toMatchObject({ rows: ['jwks'], nodes: ['/a/node', '/b/node'] })
  })

  test('an unknown row is refused with the known ones', () => {
    expect(() => readArguments(['jwks', 'speed'], known)).toThrow(
      'unknown row: speed; use start, jwks',
    )
  })

  test('an unknown flag is refused', () => {
    expect(() => readArguments(['--fast'], known)).toThrow(/--fast/)
  })
})
