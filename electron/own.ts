import type { SandboxOptions } from '../server/index.ts'
import type { Sandboxes, ShownSandbox } from './sandboxes.ts'
import type { StartOrAsk } from './starting.ts'

/** The user's own sandbox, which outlives its window. */
export interface OwnSandbox {
  /** Sandbox that this process runs; undefined if it is stopped or another process runs it. */
  readonly running: ShownSandbox | undefined
  /** Running sandbox of this process or, if known, of another one. */
  readonly known: ShownSandbox | undefined
  /** Starts the sandbox unless it runs; undefined after a failure that was shown to the user. */
  start(): Promise<ShownSandbox | undefined>
  /** Saves and stops the sandbox. A start requested meanwhile follows. */
  stop(): Promise<void>
  /** Restarts the sandbox with other options, which it keeps. */
  restart(options: () => SandboxOptions): Promise<ShownSandbox | undefined>
  /** Notifies about starts and stops. */
  onChange(listener: () => void): void
}

/** @param options of the start; throws for an invalid command line */
export function createOwnSandbox(
  startOrAsk: StartOrAsk,
  sandboxes: Pick<Sandboxes, 'has'>,
  options: () => SandboxOptions,
): OwnSandbox {
  const listeners: (() => void)[] = []
  let wanted = options
  let running: ShownSandbox | undefined
  let elsewhere: ShownSandbox | undefined
  let starting: Promise<ShownSandbox | undefined> | undefined
  let stopping: Promise<void> | undefined

  const notify = () => {
    for (const listener of listeners) listener()
  }

  async function begin(): Promise<ShownSandbox | undefined> {
    // The ending sandbox holds the port and data folder until then; errors go to the caller that stopped it.
    await stopping?.catch(() => undefined)
    const started = await startOrAsk('The sandbox', wanted)
    if (started === undefined) return undefined
    if (!sandboxes.has(started)) {
      elsewhere = started
      notify()
      return started
    }
    running = started
    elsewhere = undefined
    // Keep the port, where clients and an open window expect the sandbox.
    const port = Number(new URL(started.dashboardUrl).port)
    const begun = wanted
    wanted = () => ({ ...begun(), port })
    notify()
    return started
  }

  async function start(): Promise<ShownSandbox | undefined> {
    if (running !== undefined) return running
    starting ??= begin().finally(() => (starting = undefined))
    return starting
  }

  async function stop(): Promise<void> {
    // Synchronously if possible: the next caller must not get the ending sandbox.
    if (starting !== undefined) await starting
    const ending = running
    if (ending === undefined) return stopping
    running = undefined
    stopping = ending.close().finally(() => (stopping = undefined))
    notify()
    await stopping
  }

  return {
    get running() {
      return running
    },
    get known() {
      return running ?? elsewhere
    },
    start,
    stop,
    async restart(other) {
      await stop()
      wanted = other
      return start()
    },
    onChange: (listener) => void listeners.push(listener),
  }
}
