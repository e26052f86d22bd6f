import { advicePart } from './advice-part.ts'
import { artifactPart } from './artifact-part.ts'
import { gatePart } from './gate-part.ts'
import { proxyPart } from './proxy-part.ts'
import { ciPart } from './ci-part.ts'
import type { RunPartMaker } from './run-part.ts'
import { comparePart, recordPart } from './record-part.ts'
import { exportPart } from './export-part.ts'
import { interceptPart } from './intercept-part.ts'
import { junitPart } from './junit-part.ts'

/** Features of `exec`, each loaded when its flag is set. */
export const partMakers: readonly RunPartMaker[] = [
  interceptPart,
  ciPart,
  proxyPart,
  exportPart,
  junitPart,
  advicePart,
  recordPart,
  comparePart,
  gatePart,
  // Last: it gets the result of the others.
  artifactPart,
]
