import { watchParent } from '../stop-on-signals.ts'

/** Time for a run to end by itself after a signal. */
export const endingGraceMs = 5000

const caught: readonly NodeJS.Signals[] =
  process.platform === 'win32'
    ? ['SIGINT', 'SIGBREAK', 'SIGHUP']
    : ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT']

/** A signal came before the program ran, or after it. */
export class InterruptedError extends Error {
  override readonly name = 'InterruptedError'
  readonly signal: NodeJS.Signals

  constructor(signal: NodeJS.Signals) {
    super(`stopped by ${signal}`)
    this.signal = signal
  }
}

export interface Signals {
  /** Aborted by the first signal that is for the run itself; its reason is an {@link InterruptedError}. */
  readonly interrupted: AbortSignal
  /** Ends the process like an unhandled signal. */
  stop(): void
  /** @returns a function that removes the listeners */
  handTo(program: (signal: NodeJS.Signals) => void): () => void
}

/**
 * Handles the signals that end a run. The first one lets the run end by itself; 5 s later, or at a second one, it is
 * ended at once.
 * @param abandon releases at once what outlives the process
 */
export function catchSignals(abandon: () => void): Signals {
  const controller = new AbortController()
  let program: ((signal: NodeJS.Signals) => void) | undefined

  function endNow(signal: NodeJS.Signals): void {
    abandon()
    // process.exit() would wait for file operations in flight, and the run may hang on one of them.
    process.removeAllListeners(signal)
    process.kill(process.pid, signal)
  }
  function onSignal(signal: NodeJS.Signals): void {
    if (program !== undefined) program(signal)
    else if (controller.signal.aborted) endNow(signal)
    else {
      controller.abort(new InterruptedError(signal))
      setTimeout(() => endNow(signal), endingGraceMs).unref()
    }
  }
  for (const signal of caught) process.on(signal, () => onSignal(signal))
  watchParent(() => onSignal('SIGTERM'))
  return {
    interrupted: controller.signal,
    stop: () => onSignal('SIGTERM'),
    handTo(next) {
      program = next
      return () => {
        program = undefined
      }
    },
  }
}
