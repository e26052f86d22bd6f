import type { Row } from './row.ts'
import { againstRows } from './rows/against.ts'
import { mergeRow, responsesRow } from './rows/community.ts'
import { checksRow } from './rows/checks.ts'
import { deliveriesRow, firstDeliveryRow } from './rows/deliveries.ts'
import { downloadRow } from './rows/download.ts'
import { gitRow } from './rows/git.ts'
import { largeFilesRow } from './rows/large-files.ts'
import { memoryRow } from './rows/memory.ts'
import { peerRows } from './rows/peers.ts'
import { requestsRow } from './rows/requests.ts'
import { restartRow } from './rows/restart.ts'
import { sandboxesRow } from './rows/sandboxes.ts'
import { signInRow } from './rows/sign-in.ts'
import { startRow } from './rows/start.ts'
import { testSuiteRow } from './rows/test-suite.ts'
import { xetRow } from './rows/xet.ts'

/** Rows of the bench, in the order of its table. */
const rows: readonly Row[] = [
  startRow,
  restartRow,
  sandboxesRow,
  testSuiteRow,
  requestsRow,
  signInRow,
  firstDeliveryRow,
  deliveriesRow,
  checksRow,
  memoryRow,
  responsesRow,
  downloadRow,
  gitRow,
  mergeRow,
  largeFilesRow,
  xetRow,
  ...peerRows,
]

/**
 * Returns the rows of a run in the order of its table.
 * @param against root of the checkout of another build to compare with; absent = beside bare programs and peers
 */
export function rowsOf(against?: string): readonly Row[] {
  return against === undefined ? rows : againstRows(against)
}
