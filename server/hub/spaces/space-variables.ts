import { hardwareEnvironment } from '../jobs/hardware.ts'
import type { Repo } from '../../store/entities/hub-entities.ts'
import { repoKey } from '../files/repo-names.ts'
import type { HubDeps } from '../hub-deps.ts'
import { freeFlavor } from '../repos/space-runtime.ts'
import { isStaticSpace, readSpaceMetadata } from '../repos/space-sdk.ts'
import { toldVariables } from './space-environment.ts'

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

/**
 * Returns what the Hub puts into `window.huggingface.variables` of the pages of a static Space: the variables of its
 * settings, its creator, and the client ID and scopes of its OAuth app. Secrets are never among them.
 * @returns `undefined` for other Spaces, and for an unknown one
 */
export function pageVariables(
  deps: Pick<HubDeps, 'objects' | 'state'>,
  space: string,
): Record<string, string> | undefined {
  const repo = deps.state.repos.find('name', repoKey('space', space))
  if (repo === undefined || !isStaticSpace(repo, readSpaceMetadata(deps, repo))) return undefined
  const [app] = deps.state.apps.group('space', repo.id)
  return {
    ...Object.fromEntries(
      Object.values(toldVariables(repo)).map(({ key, value }) => [key, value] as const),
    ),
    SPACE_CREATOR_USER_ID: repo.creatorId ?? repo.ownerId,
    ...(app === undefined ? {} : { OAUTH_CLIENT_ID: app.id, OAUTH_SCOPES: app.scopes.join(' ') }),
  }
}
