import { describe, expect, test } from 'vitest'
import { readArguments } from '../../bench/arguments.ts'

const known = ['start', 'jwks']

describe('arguments of the bench', () => {
  test('measures everything unless told', () => {
    expect(readArguments([], known)).toMatchObject({ rows: [], nodes: [], quick: false })
  })

  test('takes rows and several Nodes', () => {
    const read = readArguments(['jwks', '--node', '/a/node', '--node', '/b/node'], known)
    expect(read).toMatchObject({ rows: ['jwks'], nodes: ['/a/node', '/b/node'] })
  })

  test('names a row that there is not, and those that there are', () => {
    expect(() => readArguments(['jwks', 'speed'], known)).toThrow(
      'no such row: speed; there are start, jwks',
    )
  })

  test('refuses a flag it does not know', () => {
    expect(() => readArguments(['--fast'], known)).toThrow(/--fast/)
  })

  test('wants to know what to profile', () => {
    expect(() => readArguments(['--profile'], known)).toThrow('--profile needs a row: start, jwks')
    expect(readArguments(['--profile', 'jwks'], known)).toMatchObject({
      profile: true,
      rows: ['jwks'],
    })
  })
})
