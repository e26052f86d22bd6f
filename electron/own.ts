import type { SandboxOptions } from '../server/index.ts'
import type { Sandboxes, ShownSandbox } from './sandboxes.ts'
import type { StartOrAsk } from './starting.ts'

/** The user's own sandbox, which outlives its window. */
export interface OwnSandbox {
  /** The one that this process runs; undefined while it is stopped, or where another process runs it. */
  readonly running: ShownSandbox | undefined
  /** The one that runs, here or, as far as is known, in another process. */
  readonly known: ShownSandbox | undefined
  /** Starts it unless it runs; undefined when the user was told why it cannot. */
  start(): Promise<ShownSandbox | undefined>
  /** Saves and ends it. One that is asked for meanwhile starts after that. */
  stop(): Promise<void>
  /** Ends it and starts it with other options, which it keeps from then on. */
  restart(options: () => SandboxOptions): Promise<ShownSandbox | undefined>
  /** Tells whenever it has started or stopped. */
  onChange(listener: () => void): void
}

/** @param options of its start; throws when the command line cannot be used */
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

  const tell = () => {
    for (const listener of listeners) listener()
  }

  async function begin(): Promise<ShownSandbox | undefined> {
    // The one that ends has the port and the data folder until then; whoever stopped it is told how that went.
    await stopping?.catch(() => undefined)
    const started = await startOrAsk('The sandbox', wanted)
    if (started === undefined) return undefined
    if (!sandboxes.has(started)) {
      elsewhere = started
      tell()
      return started
    }
    running = started
    elsewhere = undefined
    // Whatever port it got: its clients, and a window that is open, look for it there.
    const port = Number(new URL(started.dashboardUrl).port)
    const begun = wanted
    wanted = () => ({ ...begun(), port })
    tell()
    return started
  }

  async function start(): Promise<ShownSandbox | undefined> {
    if (running !== undefined) return running
    starting ??= begin().finally(() => (starting = undefined))
    return starting
  }

  async function stop(): Promise<void> {
    // At once where it can be: who asks for it next must not get the one that ends.
    if (starting !== undefined) await starting
    const ending = running
    if (ending === undefined) return stopping
    running = undefined
    stopping = ending.close().finally(() => (stopping = undefined))
    tell()
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
