import { vi } from 'vitest'

const { waitFor } = vi
const patience = 20_000

// A slow machine is no failure: one second, the default, is short beside other tests.
vi.waitFor = (callback, options = patience) =>
  waitFor(callback, typeof options === 'number' ? options : { timeout: patience, ...options })
