import type { CodeCache } from '../code-cache/load-program.ts'
import { type Finding, findingsAbout } from './finding.ts'

/** Whether this program starts from what V8 has compiled before: nothing depends on it but the time of a start. */
export function checkCodeCache({
  folder,
  disabled,
  count,
}: Pick<CodeCache, 'folder' | 'disabled' | 'count'>): Finding {
  const { fine } = findingsAbout('code-cache')
  if (folder === undefined) return fine(`Compiled code is not cached: ${disabled}.`)
  const { used, compiled } = count()
  return fine(
    `${used} of the ${used + compiled} scripts of this command came compiled out of ${folder}.`,
  )
}
