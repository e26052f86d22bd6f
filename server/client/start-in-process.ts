import { readFileSync } from 'node:fs'
import type { ResolvedOptions } from '../app/config/options.ts'
import { resolveOptions } from '../app/config/resolve.ts'
import type { SandboxOptions } from '../contract/options-types.ts'
import type { Sandbox } from './sandbox-api.ts'
import { createSandboxHandle } from './sandbox-handle.ts'
import { interceptRequests } from './reroute/intercept-requests.ts'
import { embed } from './embed.ts'
import { forkSandbox } from '../app/fork.ts'
import { type RunningSandbox, runSandbox } from '../app/run-sandbox.ts'

/**
 * Starts a sandbox for the program that calls it.
 * @throws {ConfigError} with all mistakes of the options and the fixtures
 */
export async function startInProcess(options: SandboxOptions): Promise<Sandbox> {
  const resolved = await resolveOptions(options)
  const running = await runSandbox(resolved, { makeKeyAhead: false })
  return handleOf(intercepting(running), resolved)
}

/** Redirects requests of this process to the intercepted origins into the sandbox, until it is closed. */
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
        // Requests under way end at the sandbox.
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
