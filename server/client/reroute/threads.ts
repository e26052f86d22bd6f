import { existsSync } from 'node:fs'
import { join } from 'node:path'
import workers, { type WorkerOptions } from 'node:worker_threads'
import { packageRoot } from '../../core/package-root.ts'
import type { Routes } from './routes.ts'

// A worker thread has its own modules, so hooks do not reach it, and it does not always preload the modules of its process:
// a thread with code from a string, its own variables or its own arguments does not.

/** Data for a thread, passed through its environment data, which every thread inherits. */
export interface ThreadRoute {
  readonly origin: string
  readonly to: string
  readonly ca?: string
}

const key = 'hub-sandbox.routes'

/** @returns the data of the current thread, if any */
export function routesOfParent(): readonly ThreadRoute[] {
  if (workers.isMainThread) return []
  return (workers.getEnvironmentData(key) as readonly ThreadRoute[] | undefined) ?? []
}

/** Creates a Worker class whose threads reroute like their parent. */
export function createWorker(routes: Routes): typeof workers.Worker {
  // CommonJS is loaded before a thread of any kind; modules are not where its code is a text.
  const intercept = join(packageRoot, 'dist', 'server', 'intercept.cjs')
  const isBuilt = existsSync(intercept)
  return class extends workers.Worker {
    constructor(file: string | URL, options: WorkerOptions = {}) {
      workers.setEnvironmentData(
        key,
        [...routes.list].map(({ origin, to, ca }): ThreadRoute => {
          const route = { origin: origin.origin, to: to.origin }
          return ca === undefined ? route : { ...route, ca }
        }),
      )
      if (!isBuilt) {
        super(file, options)
        return
      }
      const given = options.execArgv ?? process.execArgv
      const withIntercept = (execArgv: readonly string[]) => ({
        ...options,
        execArgv: [...execArgv, '--require', intercept],
      })
      try {
        super(file, withIntercept(given))
      } catch (error) {
        const { code, message } = error as NodeJS.ErrnoException
        if (code !== 'ERR_WORKER_INVALID_EXEC_ARGV' || options.execArgv !== undefined) throw error
        // What is for a whole process is left out where a thread inherits it, and refused where it is named.
        super(file, withIntercept(given.filter((argument) => !message.includes(argument))))
      }
    }
  }
}
