import { readFileSync } from 'node:fs'
import type { ResolvedOptions } from './config/options.ts'
import { resolveOptions } from './config/resolve.ts'
import type { SandboxOptions } from './contract/options-types.ts'
import { takeObject } from './core/arguments.ts'
import { createSandboxHandle } from './handle/sandbox-handle.ts'
import type { Sandbox } from './handle/sandbox-api.ts'
import { interceptRequests } from './reroute/intercept-requests.ts'
import { embed } from './sandbox/embed.ts'
import { forkSandbox } from './sandbox/fork.ts'
import { type RunningSandbox, runSandbox } from './sandbox/run.ts'
import { spareKey } from './sandbox/spare-key.ts'

export type * from './contract/control-types.ts'
export type { DeliveryProfile, LogLevel, SandboxOptions } from './contract/options-types.ts'
export type { Fixtures, FixturesFile } from './contract/fixtures-types.ts'
export { ConnectError, type ConnectObstacle } from './handle/connect-error.ts'
export { connectSandbox, type ConnectSandboxOptions } from './handle/connect-sandbox.ts'
export {
  interceptRequests,
  type Interception,
  type InterceptOptions,
} from './reroute/intercept-requests.ts'
export { ControlError } from './handle/control-error.ts'
export { SandboxClosedError } from './handle/until-closed.ts'
export type * from './handle/sandbox-api.ts'
export type * from './handle/sandbox-parts.ts'

/**
 * Starts a sandbox in this process: by default in memory only, on a free port.
 *
 *     const sandbox = await startSandbox()
 *     process.env.HF_ENDPOINT = sandbox.url
 *
 * Several sandboxes in one process share nothing.
 * @param options the flags of the command line in camelCase
 * @throws {ConfigError} naming every mistake of the options and the fixtures at once
 * @throws {TypeError} when the options are no object
 */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const given = takeObject('startSandbox()', options, "{ fixtures: 'hub.json' }")
  const resolved = await resolveOptions(given)
  if (resolved.settings.seed === undefined) spareKey.prepare()
  const running = await runSandbox(resolved, { makeKeyAhead: false })
  return handleOf(intercepting(running), resolved)
}

/** Until it is closed, what this process sends to the origins that it stands in for goes there. */
function intercepting(running: RunningSandbox): RunningSandbox {
  const { localUrl: to, certificatePath, deps } = running
  const { interceptedOrigins: origins } = deps.settings
  if (origins === undefined) return running
  const trust = certificatePath === undefined ? {} : { ca: readFileSync(certificatePath, 'utf8') }
  const interception = interceptRequests({ origins, to, ...trust })
  return {
    ...running,
    async close() {
      try {
        // What is in flight comes to its end there.
        await running.close()
      } finally {
        interception.stop()
      }
    },
  }
}

function handleOf(running: RunningSandbox, options: ResolvedOptions): Sandbox {
  const fork = async () => handleOf(await forkSandbox(runSandbox, options, running.deps), options)
  return createSandboxHandle(embed(running, fork))
}
