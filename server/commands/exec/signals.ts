import { watchParent } from '../stop-on-signals.ts'

/** A run that is told to stop has so long to come to an end by itself. */
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
  /** As a signal does that says so. */
  stop(): void
  /** @returns a function that takes them back */
  handTo(program: (signal: NodeJS.Signals) => void): () => void
}

/**
 * Catches the signals that end a run. A first one lets the run end by itself; 5 s later, or with a second one, it is
 * ended as it stands.
 * @param abandon lets go of what outlives the process, at once
 */
export function catchSignals(abandon: () => void): Signals {
  const controller = new AbortController()
  let program: ((signal: NodeJS.Signals) => void) | undefined

  function endNow(signal: NodeJS.Signals): void {
    abandon()
    // Not by an exit: that waits for the file calls under way, and one of them may be what the run hangs on.
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
