import type { ResolvedOptions } from './config/options.ts'
import { resolveOptions } from './config/resolve.ts'
import type { SandboxOptions } from './contract/options-types.ts'
import type { ServerDeps } from './http/server-deps.ts'
import { createSandboxHandle } from './embedded/in-process.ts'
import { embed } from './sandbox/embed.ts'
import { runSandbox } from './sandbox/run.ts'
import type { KeptState } from './state/kept-state.ts'
import type { Sandbox } from './embedded/sandbox-api.ts'

export type * from './contract/control-types.ts'
export type { DeliveryProfile, LogLevel, SandboxOptions } from './contract/options-types.ts'
export type { Fixtures, FixturesFile } from './contract/fixtures-types.ts'
export { ControlError } from './embedded/control-error.ts'
export { SandboxClosedError } from './embedded/until-closed.ts'
export type * from './embedded/sandbox-api.ts'

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
  return start(await resolveOptions(options))
}

/** Makes the links of a fork at ports of its own, since its origin has theirs; the fork's webhooks follow. */
async function replaceLinks({ links, clock }: ServerDeps): Promise<void> {
  for (const { problem, expiresAt, ...link } of await links.list()) {
    if (problem !== undefined && expiresAt > clock.now()) await links.create(link)
  }
}

async function start(options: ResolvedOptions, kept?: KeptState): Promise<Sandbox> {
  const running = await runSandbox(options)
  if (kept !== undefined) {
    running.deps.replaceState(kept)
    await replaceLinks(running.deps)
  }
  // A fork has the settings of its origin, and addresses and memory of its own.
  const {
    baseUrl: _baseUrl,
    backChannelUrl: _backChannelUrl,
    dataDirectory: _dataDirectory,
    ...shared
  } = options
  return createSandboxHandle(embed(running), (state) => start({ ...shared, port: 0 }, state))
}
