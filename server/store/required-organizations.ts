import type { App } from './entities/oauth-entities.ts'

/**
 * Returns the ids of the organizations whose members may sign in to the app; `undefined` = all users may. An empty list
 * in the settings allows all users; a Space README with only unknown organizations allows none.
 */
export function requiredOrganizationIds({
  origin,
  authorizedOrganizationIds: ids,
}: Pick<App, 'origin' | 'authorizedOrganizationIds'>): readonly string[] | undefined {
  return ids?.length === 0 && origin !== 'space' ? undefined : ids
}
