import { hardwareEnvironment } from '../jobs/hardware.ts'
import type { Repo } from '../../state/entities/hub.ts'
import type { HubDeps } from '../hub-deps.ts'
import { freeFlavor } from '../repos/space-runtime.ts'
import { isStaticSpace, readSpaceMetadata } from '../repos/space-sdk.ts'

/**
 * Returns the environment variables that the Hub sets for every Space. Those of its OAuth app come with the app.
 * @param host host at which browsers reach the Space here. Without it there is no `SPACE_HOST`: apps build redirect URIs
 *   from it, and this one does not run at its host on the Hub
 */
export function spaceVariables(
  deps: Pick<HubDeps, 'objects'>,
  repo: Repo,
  host?: string,
): Record<string, string> {
  const metadata = readSpaceMetadata(deps, repo)
  const isStatic = isStaticSpace(repo, metadata)
  const [author = '', name = ''] = repo.name.split('/')
  const title = metadata.get('title')
  return {
    SPACE_ID: repo.name,
    ...(host === undefined ? {} : { SPACE_HOST: host }),
    SPACE_AUTHOR_NAME: author,
    SPACE_REPO_NAME: name,
    SPACE_TITLE: typeof title === 'string' && title !== '' ? title : name,
    SPACE_CREATOR_USER_ID: repo.creatorId ?? repo.ownerId,
    ...(isStatic ? {} : hardwareEnvironment(repo.machine?.hardware ?? freeFlavor)),
  }
}
