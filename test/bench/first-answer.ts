import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { get } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { announce, complaintsOf, type Command, withoutSettings } from './children.ts'

export interface StartOptions {
  /** Folder for all caches of the user. */
  caches?: string
  /** What ends it. */
  signal?: NodeJS.Signals
  /** How long it runs on after its answer. */
  staysMs?: number
}

/**
 * Starts a program, asks it one thing, and ends it.
 * @returns milliseconds from starting the process to the end of its first answer
 */
export async function firstAnswer(
  { name, path, args, readUrl }: Command,
  address: string,
  { caches, signal = 'SIGTERM', staysMs = 0 }: StartOptions = {},
): Promise<number> {
  const started = performance.now()
  const child = spawn(process.execPath, [path, ...args], {
    env: {
      ...withoutSettings(process.env),
      // The variables of the systems that have one; elsewhere the user's own folder is used.
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
    await readWhole(`${url}${address}`)
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
