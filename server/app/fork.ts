import type { ResolvedOptions } from './config/options.ts'
import type { ServerDeps } from '../lab/server-deps.ts'
import { omitUndefined } from '../core/omit-undefined.ts'
import type { RunningFork } from '../lab/forks/forks.ts'
import type { RunningSandbox, runSandbox } from './run-sandbox.ts'

/**
 * Starts another sandbox in memory from the present state of its origin, with the same settings and signing key and a port
 * of its own.
 * @param run starts a sandbox
 * @param options options of the origin
 */
export async function forkSandbox(
  run: typeof runSandbox,
  options: ResolvedOptions,
  origin: Pick<ServerDeps, 'captureState' | 'forkPlaces' | 'keys' | 'segments' | 'runAdvice'>,
): Promise<RunningSandbox> {
  // All forks share the key of the origin: generating one costs more than the rest of a fork.
  await origin.keys.published()

  const { baseUrl, backChannelUrl, dataDirectory: _dataDirectory, settings, ...shared } = options
  // The fork is reachable by the same host names as the origin.
  const names = [baseUrl, backChannelUrl].flatMap((url) => (url ? [new URL(url).hostname] : []))
  const running = await run(
    {
      ...shared,
      settings: { ...settings, allowHosts: [...settings.allowHosts, ...names] },
      port: 0,
    },
    {
      kept: origin.captureState(),
      segments: origin.segments.ofFork(),
      runAdvice: origin.runAdvice.ofFork(),
      forkPlaces: origin.forkPlaces,
    },
  )
  try {
    await replaceLinks(running.deps)
  } catch (error) {
    await running.close()
    throw error
  }
  return running
}

/** Creates the links of a fork at other ports than those of its origin, and adapts the webhooks of the fork. */
async function replaceLinks({ links, clock }: ServerDeps): Promise<void> {
  for (const { problem, expiresAt, ...link } of await links.list()) {
    if (problem !== undefined && expiresAt > clock.now()) await links.create(link)
  }
}

/** Describes a fork as the control API does. */
export function forkOf(running: RunningSandbox): RunningFork {
  const { url, dashboardUrl, deps } = running
  const { controlToken } = deps.settings
  return { url, dashboardUrl, ...omitUndefined({ controlToken }), close: () => running.close() }
}
