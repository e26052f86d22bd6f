import { expect, test } from 'vitest'
import { giveBack } from '../../../server/core/give-back.ts'

test('bytes with their own memory are freed at once', () => {
  const bytes = Buffer.allocUnsafeSlow(64 * 1024)
  giveBack(bytes)
  expect(bytes).toHaveLength(0)
  expect(() => giveBack(bytes)).not.toThrow()
  const before = process.memoryUsage().arrayBuffers
  for (let count = 0; count < 100; count++) giveBack(Buffer.allocUnsafeSlow(1024 * 1024))
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(2 * 1024 * 1024)
})

test('small bytes and shared memory are not freed', () => {
  const whole = Buffer.alloc(64 * 1024, 'a')
  const parts = [whole.subarray(1), whole.subarray(0, 8192), Buffer.from('small'), Buffer.alloc(0)]
  const shared = new Uint8Array(new SharedArrayBuffer(64 * 1024))
  for (const bytes of [...parts, shared]) {
    const { length } = bytes
    giveBack(bytes)
    expect(bytes).toHaveLength(length)
  }
  expect(whole.equals(Buffer.alloc(64 * 1024, 'a'))).toBe(true)
})
