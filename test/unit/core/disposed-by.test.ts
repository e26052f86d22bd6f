import { describe, expect, test } from 'vitest'
import { disposedBy } from '../../../server/core/disposed-by.ts'

describe('what `using` ends', () => {
  const end = () => {}

  test('has the member of its symbol', () => {
    expect(disposedBy(Symbol.dispose, end)[Symbol.dispose]).toBe(end)
  })

  test('has no member where the realm lacks the symbol', () => {
    expect(Reflect.ownKeys(disposedBy(undefined as symbol | undefined, end))).toEqual([])
  })
})
