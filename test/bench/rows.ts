import type { Row } from './row.ts'
import { deliveryRows } from './rows/deliveries.ts'
import { deliveryCostRows } from './rows/delivery-cost.ts'
import { gitRow } from './rows/git.ts'
import { growthRows } from './rows/growth.ts'
import { largeFilesRow } from './rows/large-files.ts'
import { largeMemoryRow } from './rows/large-memory.ts'
import { memoryRow } from './rows/memory.ts'
import { peerRows } from './rows/peers.ts'
import { readersRow } from './rows/readers.ts'
import { repoRows } from './rows/repos.ts'
import { requestRows } from './rows/requests.ts'
import { sandboxesRow } from './rows/sandboxes.ts'
import { startRow } from './rows/start.ts'
import { stateRows } from './rows/state.ts'
import { testSuiteRow } from './rows/test-suite.ts'

/** Everything the bench measures, in the order of its table. */
export const rows: readonly Row[] = [
  startRow,
  sandboxesRow,
  testSuiteRow,
  ...requestRows,
  readersRow,
  ...stateRows,
  ...growthRows,
  ...repoRows,
  gitRow,
  largeFilesRow,
  largeMemoryRow,
  memoryRow,
  ...deliveryRows,
  ...deliveryCostRows,
  ...peerRows,
]
