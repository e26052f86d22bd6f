import { artifactPart } from './artifact-part.ts'
import { proxyPart } from './proxy-part.ts'
import type { RunPartMaker } from './run-part.ts'
import { comparePart, recordPart } from './record-part.ts'
import { exportPart } from './export-part.ts'
import { interceptPart } from './intercept-part.ts'
import { junitPart } from './junit-part.ts'

/** What `exec` can do with a run, each loaded when it is asked for. */
export const partMakers: readonly RunPartMaker[] = [
  interceptPart,
  proxyPart,
  exportPart,
  junitPart,
  recordPart,
  comparePart,
  // The last: it is told what the others make of the run.
  artifactPart,
]
