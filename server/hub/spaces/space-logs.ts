import type { SpaceLogKind } from '../../contract/words/hub-words.ts'
import { isoTime } from '../../core/time.ts'
import type { Repo } from '../../store/entities/hub-entities.ts'
import type { HubDeps } from '../hub-deps.ts'
import { mainRef } from '../files/revisions.ts'
import { refuseStatic } from '../repos/space-options.ts'
import { isStaticSpace, readSpaceMetadata } from '../repos/space-sdk.ts'

/**
 * Returns the log of a Space as server-sent events. Nothing is built or run in a sandbox, and the log says so.
 * @param tail number of lines from the end; default: all
 * @throws {Refusal} `invalid` for a static Space
 */
export function spaceLog(
  deps: Pick<HubDeps, 'objects'>,
  repo: Repo,
  kind: SpaceLogKind,
  tail = Infinity,
): string {
  if (isStaticSpace(repo, readSpaceMetadata(deps, repo))) refuseStatic()
  const timestamp = isoTime(repo.updatedAt)
  return linesOf(repo, kind, timestamp)
    .filter((_line, index, { length }) => index >= length - tail)
    .map((line) => `data: ${JSON.stringify({ data: `${line}\n`, timestamp })}\n\n`)
    .join('')
}

function linesOf({ refs, machine }: Repo, kind: SpaceLogKind, time: string): string[] {
  if (kind === 'build') {
    const commit = (refs[mainRef] ?? '').slice(0, 7)
    return [
      `===== Build Queued at ${time} / Commit SHA: ${commit} =====`,
      'Not built: hub-sandbox builds no Spaces.',
    ]
  }
  if (machine?.paused === true) return []
  return [`===== Application Startup at ${time} =====`, 'Not executed: hub-sandbox runs no Spaces.']
}
