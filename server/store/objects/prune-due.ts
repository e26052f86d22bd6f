import { utimesSync } from 'node:fs'
import { join } from 'node:path'
import { errorCode } from '../errors.ts'

// Records in the date of a file whether a repo may have unreachable objects.

/** Its date is that of the last prune; the epoch = a prune is due. */
export const configOf = (folder: string): string => join(folder, 'config')

/** Records that a repo may have unreachable objects. A repo without a folder has none. */
export function setDue(folder: string): void {
  try {
    utimesSync(configOf(folder), 0, 0)
  } catch (error) {
    // A repo of another user is pruned by that user.
    if (errorCode(error) === undefined) throw error
  }
}
