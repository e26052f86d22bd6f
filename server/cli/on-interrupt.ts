const numbers = { SIGINT: 2, SIGTERM: 15, SIGHUP: 1 } as const

/**
 * Takes back what a command has done, when a signal ends it, and exits with the code of the signal. A second signal ends it
 * at once.
 * @returns a function that removes the handlers
 */
export function onInterrupt(undo: () => Promise<void>): () => void {
  const listeners = Object.entries(numbers).map(([signal, number]) => {
    const stop = () => void undo().finally(() => process.exit(128 + number))
    process.once(signal, stop)
    return () => process.off(signal, stop)
  })
  return () => {
    for (const off of listeners) off()
  }
}
