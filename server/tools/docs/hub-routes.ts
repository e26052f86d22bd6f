import { hubApi } from '../../contract/hub-api.ts'
import { type HubTable, pathsOf } from '../../contract/hub-endpoint.ts'
import { siteApi } from '../../contract/site-api.ts'
import { documentedPath } from '../../lab/openapi/openapi.ts'

const tables: HubTable = { ...siteApi, ...hubApi }

/** Method and path of each route of the Hub, with parameters in braces, and its feature. */
export const hubRoutes: readonly { feature: string; route: string }[] = Object.entries(
  tables,
).flatMap(([key, endpoint]) =>
  pathsOf(key, endpoint).map(({ url }) => ({
    feature: endpoint.feature ?? endpoint.tag,
    route: `${key.slice(0, key.indexOf(' '))} ${documentedPath(url)}`,
  })),
)

/** Returns the routes of a feature. */
export function routesOf(feature: string): string[] {
  return hubRoutes.filter((one) => one.feature === feature).map(({ route }) => route)
}
