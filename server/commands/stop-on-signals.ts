/** A start that is told to stop has so long to come to an end by itself; dying in it harms nothing. */
const startGraceMs = 5000
/** How often a start behind npm looks whether npm is still there. */
const parentCheckMs = 250

interface Stoppable {
  /** Calling it again ends it now. */
  close(): Promise<void>
}

/**
 * Lets signals end the process well: the first one closes the sandbox, a second one ends it now. A
 * signal during the start is kept until there is a sandbox to close, for 5 s at most.
 */
export function stopOnSignals(): {
  sandboxIs(sandbox: Stoppable): void
  /** As a signal does. */
  stop(): void
} {
  let sandbox: Stoppable | undefined
  let signals = 0

  const end = async (running: Stoppable) => {
    try {
      await running.close()
      process.exit(0)
    } catch (error) {
      process.stderr.write(`The sandbox did not stop well: ${String(error)}\n`)
      process.exit(1)
    }
  }
  const stop = () => {
    signals++
    if (sandbox !== undefined) void end(sandbox)
    else if (signals > 1) endNow()
    else setTimeout(giveUpStart, startGraceMs).unref()
  }
  function giveUpStart(): void {
    if (sandbox !== undefined) return
    process.stderr.write('The sandbox was stopped before it had started.\n')
    endNow()
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, stop)
  watchParent(stop)

  return {
    stop,
    sandboxIs(running) {
      sandbox = running
      if (signals > 0) void end(running)
    },
  }
}

/** An exit waits for the file calls under way, and one of them may be what the start hangs on. */
function endNow(): void {
  process.kill(process.pid, 'SIGKILL')
  // No signal ends the first process of a container from within; what an abort does at last is none.
  process.abort()
}

/** Ending npm does not end what npm runs: without this the server would live on, holding its port. */
export function watchParent(stop: () => void): void {
  if (process.env['npm_lifecycle_event'] === undefined) return
  const parent = process.ppid
  const timer = setInterval(() => {
    if (process.ppid === parent && isAlive(parent)) return
    clearInterval(timer)
    stop()
  }, parentCheckMs)
  timer.unref()
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    // Somebody else's process is alive, too.
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
