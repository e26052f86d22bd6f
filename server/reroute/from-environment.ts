import { type Interception, interceptRequests } from './intercept-requests.ts'
import { routesOfParent } from './threads.ts'

/** What says which origins are rerouted, with commas between them. */
export const originsVariable = 'HUB_SANDBOX_INTERCEPT'
/** What says where the sandbox is. */
const urlVariable = 'HUB_SANDBOX_URL'

/** @throws {TypeError} with a sentence for the user, where the variables are missing or of no use */
export function interceptByEnvironment(env: NodeJS.ProcessEnv): Interception[] {
  const inherited = routesOfParent()
  if (inherited.length > 0) {
    return inherited.map(({ origin, ...route }) =>
      interceptRequests({ origins: [origin], ...route }),
    )
  }
  const { [originsVariable]: origins, [urlVariable]: to } = env
  if (!origins) {
    throw new TypeError(
      `set ${originsVariable} to the origins to reroute, with commas between them`,
    )
  }
  if (!to) throw new TypeError(`set ${urlVariable} to the address of the sandbox`)
  const list = origins.split(',').map((text) => text.trim())
  return [interceptRequests({ origins: list.filter((text) => text !== ''), to })]
}
