const key = Symbol.for('hub-sandbox.ports')
const holder = globalThis as { [key]?: Set<{ readonly port: number }> }

/**
 * Ports of the sandboxes in this process, including forks. Shared by all copies of this module, because a program can
 * load it as an ES module and as CommonJS.
 */
export function listenersOfProcess(): Set<{ readonly port: number }> {
  return (holder[key] ??= new Set())
}

/** Ports that outgoing requests must not reach: a sandbox would treat them as its user's. */
export function portsOfProcess(): readonly number[] {
  return Array.from(listenersOfProcess(), ({ port }) => port)
}
