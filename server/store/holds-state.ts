import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { stateFile } from './snapshot.ts'
import { isSegment } from './segment.ts'

/** Checks whether a data folder has a stored state. A folder that cannot be read has none. */
export function holdsState(directory: string): boolean {
  try {
    return readdirSync(directory).some(
      (name) => (name === stateFile || isSegment(name)) && statSync(join(directory, name)).size > 0,
    )
  } catch {
    return false
  }
}
