import type { App } from './entities/oauth.ts'

/**
 * Ids of the organizations whose members alone may sign in to the app; `undefined` = everybody may. Settings that list
 * none bar nobody; a README of a Space whose organizations do not exist bars everybody.
 */
export function requiredOrganizationIds({
  origin,
  authorizedOrganizationIds: ids,
}: Pick<App, 'origin' | 'authorizedOrganizationIds'>): readonly string[] | undefined {
  return ids?.length === 0 && origin !== 'space' ? undefined : ids
}
