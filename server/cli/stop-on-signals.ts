/** Time for a start to end by itself after a signal; killing it then is harmless. */
const startGraceMs = 5000
/** Interval at which a start through npm checks that npm is alive. */
const parentCheckMs = 250

interface Stoppable {
  /** A second call ends it immediately. */
  close(): Promise<void>
}

/**
 * Shuts down on signals: the first one closes the sandbox, a second one ends the process. A
 * signal during the start waits until there is a sandbox to close, for 5 s at most.
 */
export function stopOnSignals(): {
  sandboxIs(sandbox: Stoppable): void
  /** Ends the process like an unhandled signal. */
  stop(): void
} {
  let sandbox: Stoppable | undefined
  let signals = 0

  const end = async (running: Stoppable) => {
    try {
      await running.close()
      process.exit(0)
    } catch (error) {
      process.stderr.write(`The sandbox could not be stopped cleanly: ${String(error)}\n`)
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
    process.stderr.write('The sandbox was stopped during its start.\n')
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

/** process.exit() would wait for file operations in flight, and the start may hang on one of them. */
function endNow(): void {
  process.kill(process.pid, 'SIGKILL')
  // Process 1 of a container ignores signals from inside; abort() still works.
  process.abort()
}

/** npm does not end its child: without this the server would keep running on its port. */
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
    // EPERM means a process of another user, which is alive as well.
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
