import { afterAll, vi } from 'vitest'
import { listeningServers } from './listening-servers.ts'

const before = listeningServers()

// The files of a worker share its process: a server that is left runs on beside each of the next ones.
afterAll(() =>
  vi.waitFor(
    () => {
      const left = listeningServers() - before
      if (left > 0) throw new Error(`${left} servers were left to the next file`)
    },
    { timeout: 10_000 },
  ),
)
