import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'

export interface Usage {
  /** Of all threads, since the program started. */
  cpuMs: number
  residentBytes: number
}

/** A program of the bench in a process of its own. */
export interface Child {
  readonly url: string
  ask<T>(name: string, input?: unknown): Promise<T>
  usage(): Promise<Usage>
  stop(): Promise<void>
}

const running = new Set<ChildProcess>()
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL')
})

/**
 * Starts a program of `programs/`.
 * @param options handed to it as JSON
 */
export async function startProgram(name: string, options: object = {}): Promise<Child> {
  const path = fileURLToPath(new URL(`programs/${name}.mjs`, import.meta.url))
  const child = fork(path, [JSON.stringify(options)], { execArgv: [] })
  running.add(child)
  const waiting = new Map<
    number,
    { resolve: (value: never) => void; reject: (error: Error) => void }
  >()
  let nextId = 0

  const { url } = await new Promise<{ url: string }>((resolve, reject) => {
    child.once('message', (message) => resolve(message as { url: string }))
    child.once('exit', (code) => reject(new Error(`${name} ended with ${code}`)))
  })
  child.on('message', (message) => {
    const { id, answer, failure } = message as { id: number; answer?: unknown; failure?: string }
    const waiter = waiting.get(id)
    waiting.delete(id)
    if (failure === undefined) waiter?.resolve(answer as never)
    else waiter?.reject(new Error(`${name}: ${failure}`))
  })
  child.on('exit', (code, signal) => {
    running.delete(child)
    for (const { reject } of waiting.values()) reject(new Error(`${name} ended: ${signal ?? code}`))
  })

  function ask<T>(question: string, input?: unknown): Promise<T> {
    const id = nextId++
    return new Promise<T>((resolve, reject) => {
      waiting.set(id, { resolve, reject })
      child.send({ id, name: question, input })
    })
  }

  return {
    url,
    ask,
    usage: () => ask<Usage>('usage'),
    stop: () =>
      new Promise((resolve) => {
        if (child.exitCode !== null || child.signalCode !== null) return resolve()
        child.once('exit', () => resolve())
        child.kill('SIGKILL')
      }),
  }
}
