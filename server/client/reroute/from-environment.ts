import { type Interception, interceptRequests } from './intercept-requests.ts'
import { routesOfParent } from './threads.ts'

/** Environment variable with the comma-separated origins to reroute. */
export const originsVariable = 'HUB_SANDBOX_INTERCEPT'
/** Environment variable with the URL of the sandbox. */
const urlVariable = 'HUB_SANDBOX_URL'

/** @throws {TypeError} for missing or invalid variables, with a message for the user */
export function interceptByEnvironment(env: NodeJS.ProcessEnv): Interception[] {
  const inherited = routesOfParent()
  if (inherited.length > 0) {
    return inherited.map(({ origin, ...route }) =>
      interceptRequests({ origins: [origin], ...route }),
    )
  }
  const { [originsVariable]: origins, [urlVariable]: to } = env
  if (!origins) {
    throw new TypeError(`set ${originsVariable} to the comma-separated origins to reroute`)
  }
  if (!to) throw new TypeError(`set ${urlVariable} to the URL of the sandbox`)
  const list = origins.split(',').map((text) => text.trim())
  return [interceptRequests({ origins: list.filter((text) => text !== ''), to })]
}
