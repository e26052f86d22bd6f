import type { Sandbox, SandboxOptions } from '../server/index.ts'

/** Sandbox shown in a window. */
export interface ShownSandbox extends Pick<Sandbox, 'url' | 'dashboardUrl' | 'close'> {
  /** Whether another process runs it. */
  readonly isElsewhere?: boolean
}

type StartedSandbox = Pick<Sandbox, 'url' | 'dashboardUrl' | 'close' | 'notices'>

export type StartSandbox = (options: SandboxOptions) => Promise<StartedSandbox>

/** The sandboxes of this process. */
export interface Sandboxes {
  start(options: SandboxOptions): Promise<ShownSandbox>
  /** Checks whether this process runs it. */
  has(sandbox: ShownSandbox): boolean
  /** Saves and stops all sandboxes; a second call ends them immediately. */
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
      // Called once: a second call ends a sandbox immediately, and both its window and the end of the app
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
      // A starting sandbox already holds the data folder.
      await Promise.allSettled(starting)
      await Promise.all(
        Array.from(running, ([sandbox, started]) =>
          isImpatient ? started.close() : sandbox.close(),
        ),
      )
    },
  }
}

/** Sandbox of another process: closing its window does not stop it. */
export function runningElsewhere({
  url,
  controlToken,
}: {
  url: string
  controlToken?: string
}): ShownSandbox {
  const query = controlToken === undefined ? '' : `?token=${encodeURIComponent(controlToken)}`
  return {
    url,
    dashboardUrl: `${url}/_sandbox/${query}`,
    isElsewhere: true,
    close: async () => undefined,
  }
}
