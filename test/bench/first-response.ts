import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { get } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { announce, complaintsOf, type Command, withoutSettings } from './children.ts'

export interface StartOptions {
  /** Folder for the caches of the user. */
  caches?: string
  /** Signal that stops the program. */
  signal?: NodeJS.Signals
  /** Milliseconds for which it runs after its response. */
  staysMs?: number
}

/**
 * Starts a program, sends it a request, and stops it.
 * @returns milliseconds from starting the process to the end of its first response
 */
export async function firstResponse(
  { name, path, args, readUrl }: Command,
  page: string,
  { caches, signal = 'SIGTERM', staysMs = 0 }: StartOptions = {},
): Promise<number> {
  const started = performance.now()
  const child = spawn(process.execPath, [path, ...args], {
    env: {
      ...withoutSettings(process.env),
      // On macOS no variable names the folder: the user's own is used.
      ...(caches === undefined ? {} : { XDG_CACHE_HOME: caches, LOCALAPPDATA: caches }),
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const explain = complaintsOf(child)
  const ended = once(child, 'close')
  try {
    const url = await new Promise<string>((resolve, reject) => {
      announce(child, readUrl, resolve)
      child.once('close', (code) => reject(new Error(`${name} ended with ${code}: ${explain()}`)))
    })
    await readWhole(`${url}${page}`)
    const took = performance.now() - started
    if (staysMs > 0) await sleep(staysMs)
    return took
  } finally {
    child.kill(signal)
    await ended
  }
}

function readWhole(url: string): Promise<void> {
  return new Promise((resolve, reject) => {
    get(url, { agent: false }, (response) => {
      response.resume()
      response.on('end', () =>
        response.statusCode === 200 ? resolve() : reject(new Error(`${response.statusCode}`)),
      )
    }).on('error', reject)
  })
}
