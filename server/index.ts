import type { SandboxOptions } from './contract/options-types.ts'
import { takeObject } from './core/arguments.ts'
import type { Sandbox } from './client/sandbox-api.ts'
import { spareKey } from './app/spare-key.ts'

export type * from './contract/control-types.ts'
export type { DeliveryProfile, LogLevel, SandboxOptions } from './contract/options-types.ts'
export type { Fixtures, FixturesFile } from './contract/fixtures-types.ts'
export { ConnectError, type ConnectObstacle } from './client/connect-error.ts'
export { connectSandbox, type ConnectSandboxOptions } from './client/connect-sandbox.ts'
export {
  interceptRequests,
  type Interception,
  type InterceptOptions,
} from './client/reroute/intercept-requests.ts'
export { ControlError } from './web/control-error.ts'
export { SandboxClosedError } from './client/until-closed.ts'
export type * from './client/sandbox-api.ts'
export type * from './client/sandbox-parts.ts'
export type * from './client/sandbox-audit.ts'

/**
 * Starts a sandbox in this process: by default in memory only, on a free port.
 *
 *     const sandbox = await startSandbox()
 *     process.env.HF_ENDPOINT = sandbox.url
 *
 * Several sandboxes in one process share nothing.
 * @param options flags of the command line in camelCase
 * @throws {ConfigError} with all mistakes of the options and the fixtures
 * @throws {TypeError} unless the options are an object
 */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const given = takeObject('startSandbox()', options, "{ fixtures: 'hub.json' }")
  // Before the server is loaded, which takes about as long as generating a key does on another thread.
  if (given.seed === undefined) spareKey.prepare()
  const { startInProcess } = await import('./client/start-in-process.ts')
  return startInProcess(given)
}
