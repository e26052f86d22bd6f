import { vi } from 'vitest'

const { waitFor } = vi
const patience = 20_000

// The default is one second, which is too short while other tests run.
vi.waitFor = (callback, options = patience) =>
  waitFor(callback, typeof options === 'number' ? options : { timeout: patience, ...options })
