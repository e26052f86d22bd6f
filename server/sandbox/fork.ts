import type { ResolvedOptions } from '../config/options.ts'
import type { ServerDeps } from '../http/server-deps.ts'
import { omitUndefined } from '../core/omit-undefined.ts'
import type { RunningFork } from '../lab/triggers/forks.ts'
import type { RunningSandbox, runSandbox } from './run.ts'

/**
 * Another sandbox in memory that begins with the present state of its origin: with its settings and its signing key,
 * and a port of its own.
 * @param run what starts a sandbox
 * @param options of the origin
 */
export async function forkSandbox(
  run: typeof runSandbox,
  options: ResolvedOptions,
  origin: Pick<ServerDeps, 'captureState' | 'keys' | 'segments'>,
): Promise<RunningSandbox> {
  // One for all forks that there will be: making a key costs more than all else of a fork.
  await origin.keys.published()

  const { baseUrl, backChannelUrl, dataDirectory: _dataDirectory, settings, ...shared } = options
  // Whoever reaches the origin by the name of such an address reaches the fork by it, too.
  const names = [baseUrl, backChannelUrl].flatMap((url) => (url ? [new URL(url).hostname] : []))
  const running = await run(
    {
      ...shared,
      settings: { ...settings, allowHosts: [...settings.allowHosts, ...names] },
      port: 0,
    },
    { kept: origin.captureState(), segments: origin.segments.ofFork() },
  )
  try {
    await replaceLinks(running.deps)
  } catch (error) {
    await running.close()
    throw error
  }
  return running
}

/** Makes the links of a fork at ports of its own, since its origin has theirs; the fork's webhooks follow. */
async function replaceLinks({ links, clock }: ServerDeps): Promise<void> {
  for (const { problem, expiresAt, ...link } of await links.list()) {
    if (problem !== undefined && expiresAt > clock.now()) await links.create(link)
  }
}

/** The same as an answer of the control API tells it. */
export function forkOf(running: RunningSandbox): RunningFork {
  const { url, dashboardUrl, deps } = running
  const { controlToken } = deps.settings
  return { url, dashboardUrl, ...omitUndefined({ controlToken }), close: () => running.close() }
}
