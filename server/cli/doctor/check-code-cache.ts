import type { CodeCache } from '../code-cache/load-program.ts'
import { type Finding, findingsAbout } from './finding.ts'

/** Checks the code cache, which affects only the start time. */
export function checkCodeCache({
  folder,
  disabled,
  count,
}: Pick<CodeCache, 'folder' | 'disabled' | 'count'>): Finding {
  const { fine, note } = findingsAbout('code-cache')
  if (folder === undefined) return note(`Compiled code is not cached: ${disabled}.`)
  const { used, compiled } = count()
  return fine(
    `${used} of ${used + compiled} scripts of this command were loaded from the code cache ${folder}.`,
  )
}
