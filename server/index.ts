import type { ResolvedOptions } from './config/options.ts'
import { resolveOptions } from './config/resolve.ts'
import type { SandboxOptions } from './contract/options-types.ts'
import { createSandboxHandle } from './embedded/sandbox-handle.ts'
import type { Sandbox } from './embedded/sandbox-api.ts'
import { embed } from './sandbox/embed.ts'
import { forkSandbox } from './sandbox/fork.ts'
import { type RunningSandbox, runSandbox } from './sandbox/run.ts'

export type * from './contract/control-types.ts'
export type { DeliveryProfile, LogLevel, SandboxOptions } from './contract/options-types.ts'
export type { Fixtures, FixturesFile } from './contract/fixtures-types.ts'
export { ConnectError, type ConnectObstacle } from './embedded/connect-error.ts'
export { connectSandbox, type ConnectSandboxOptions } from './embedded/connect-sandbox.ts'
export { ControlError } from './embedded/control-error.ts'
export { SandboxClosedError } from './embedded/until-closed.ts'
export type * from './embedded/sandbox-api.ts'
export type * from './embedded/sandbox-parts.ts'

/**
 * Starts a sandbox in this process: by default in memory only, on a free port.
 *
 *     const sandbox = await startSandbox()
 *     process.env.HF_ENDPOINT = sandbox.url
 *
 * Several sandboxes in one process share nothing.
 * @param options the flags of the command line in camelCase
 * @throws {ConfigError} naming every mistake of the options and the fixtures at once
 */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const resolved = await resolveOptions(options)
  return handleOf(await runSandbox(resolved), resolved)
}

function handleOf(running: RunningSandbox, options: ResolvedOptions): Sandbox {
  const fork = async () =>
    handleOf(await forkSandbox(runSandbox, options, running.deps.captureState()), options)
  return createSandboxHandle(embed(running, fork))
}
