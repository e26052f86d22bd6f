import type { Sandbox, SandboxOptions } from '../server/index.ts'
import type { LockHolder } from '../server/state/lock.ts'

/** A sandbox that a window shows. */
export interface ShownSandbox extends Pick<Sandbox, 'url' | 'dashboardUrl' | 'close'> {
  /** Whether another process runs it. */
  readonly isElsewhere?: boolean
}

type StartedSandbox = Pick<Sandbox, 'url' | 'dashboardUrl' | 'close' | 'notices'>

export type StartSandbox = (options: SandboxOptions) => Promise<StartedSandbox>

/** The sandboxes of this process. */
export interface Sandboxes {
  start(options: SandboxOptions): Promise<ShownSandbox>
  /** Whether this process runs it. */
  has(sandbox: ShownSandbox): boolean
  /** Saves and ends all of them; calling it again ends them now. */
  closeAll(): Promise<void>
}

export function createSandboxes(
  startSandbox: StartSandbox,
  report: (line: string) => void,
): Sandboxes {
  const running = new Map<ShownSandbox, StartedSandbox>()
  const starting = new Set<Promise<unknown>>()
  let isClosing = false

  async function start(options: SandboxOptions): Promise<ShownSandbox> {
    const started = await startSandbox(options)
    for (const notice of started.notices) report(notice)
    let closing: Promise<void> | undefined
    const sandbox: ShownSandbox = {
      url: started.url,
      dashboardUrl: started.dashboardUrl,
      // Passed on once: a sandbox takes the second call for impatience, and both its window and the end of the app
      // close it.
      close: () => (closing ??= started.close().finally(() => running.delete(sandbox))),
    }
    running.set(sandbox, started)
    return sandbox
  }
  return {
    start(options) {
      const result = start(options)
      starting.add(result)
      const forget = () => void starting.delete(result)
      result.then(forget, forget)
      return result
    },
    has: (sandbox) => running.has(sandbox),
    async closeAll() {
      const isImpatient = isClosing
      isClosing = true
      // One that is still starting holds the data folder already.
      await Promise.allSettled(starting)
      await Promise.all(
        Array.from(running, ([sandbox, started]) =>
          isImpatient ? started.close() : sandbox.close(),
        ),
      )
    },
  }
}

/** A sandbox that another process runs: closing its window leaves it alone. */
export function runningElsewhere({
  url,
  controlToken,
}: LockHolder & { url: string; controlToken?: string }): ShownSandbox {
  const query = controlToken === undefined ? '' : `?token=${encodeURIComponent(controlToken)}`
  return {
    url,
    dashboardUrl: `${url}/_sandbox/${query}`,
    isElsewhere: true,
    close: async () => undefined,
  }
}
