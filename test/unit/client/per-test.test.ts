import { describe, expect, test } from 'vitest'
import { refuseOptions, refuseSharing } from '../../../server/client/per-test.ts'

const url = 'http://localhost:7420'

describe('tests that share a sandbox that runs', () => {
  test('cannot set what it was started with', () => {
    expect(() => refuseOptions(url, { seed: undefined, strict: true })).toThrow(
      `the sandbox at ${url} is already running, so a test cannot set strict: start the sandbox with it, or unset HUB_SANDBOX_URL`,
    )
    expect(() => refuseOptions(url, { seed: undefined })).not.toThrow()
  })

  test('do not reset it under each other', () => {
    expect(() => refuseSharing(url, 'reset', 1, 'workers: 1')).toThrow(
      `parallel workers would reset the sandbox at ${url} during each other's tests: use one worker (workers: 1), or give each test a fork`,
    )
    expect(() => refuseSharing(url, 'reset', 0, 'workers: 1')).not.toThrow()
    expect(() => refuseSharing(url, 'fork', 3, 'workers: 1')).not.toThrow()
  })
})
