const key = Symbol.for('hub-sandbox.ports')
const holder = globalThis as { [key]?: Set<{ readonly port: number }> }

/**
 * What the sandboxes of this process listen with, forks included. It is shared by all copies of this module, which a program
 * may have as an ES module and as CommonJS.
 */
export function listenersOfProcess(): Set<{ readonly port: number }> {
  return (holder[key] ??= new Set())
}

/** Ports that no outgoing request may reach: a sandbox would take it for one of its user's. */
export function portsOfProcess(): readonly number[] {
  return Array.from(listenersOfProcess(), ({ port }) => port)
}
