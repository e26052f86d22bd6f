import { createServer } from 'node:http'
import type { Machine } from '../../../server/app/machine.ts'
import type { Network } from './network.ts'
import type { Processes } from './processes.ts'

export const port = 7420
export const origin = `http://localhost:${port}`

/** A machine without sockets: requests arrive by `inject`. */
export function simulatedMachine(
  network: Network,
  processes: Processes,
  {
    newRunId,
    firstAnswer,
    answered,
    hangUp,
  }: {
    newRunId: () => string
    firstAnswer: Promise<void>
    answered: () => Promise<void>
    hangUp: () => void
  },
): Machine {
  return {
    openListeners: async () => ({
      port,
      primary: createServer(),
      firstAnswer,
      serve: () => undefined,
      close: answered,
      destroy: hangUp,
    }),
    openNetwork: () => network.outgoing(),
    runProcess: (request) => processes.run(request),
    newPrivateKey: () => Promise.reject(new Error('a seeded sandbox has its key')),
    newRunId,
  }
}
