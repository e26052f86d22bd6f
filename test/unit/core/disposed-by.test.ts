import { describe, expect, test } from 'vitest'
import { disposedBy } from '../../../server/core/disposed-by.ts'

describe('disposal with `using`', () => {
  const end = () => {}

  test('the object has the function as the member of its symbol', () => {
    expect(disposedBy(Symbol.dispose, end)[Symbol.dispose]).toBe(end)
  })

  test('the object has no such member where the symbol is missing', () => {
    expect(Reflect.ownKeys(disposedBy(undefined as symbol | undefined, end))).toEqual([])
  })
})
