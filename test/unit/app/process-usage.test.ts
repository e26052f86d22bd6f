import { expect, test } from 'vitest'
import { processUsage } from '../../../server/app/process-usage.ts'

test.runIf(process.platform === 'linux')('the usage of a process is read, until its end', () => {
  const usage = processUsage(process.pid)
  expect(usage?.memoryBytes).toBeGreaterThan(10 * 1024 ** 2)
  expect(usage?.memoryBytes).toBeLessThan(64 * 1024 ** 3)
  expect(usage?.cpuSeconds).toBeGreaterThan(0)
  expect(processUsage(2 ** 22 + 1)).toBeUndefined()
  expect(processUsage(undefined)).toBeUndefined()
})
