import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { get } from 'node:http'
import { announce, complaintsOf, type Command, withoutSettings } from './children.ts'

/**
 * Starts a program, asks it one thing, and ends it.
 * @returns milliseconds from starting the process to the end of its first answer
 */
export async function firstAnswer(
  { name, path, args, readUrl }: Command,
  address: string,
): Promise<number> {
  const started = performance.now()
  const child = spawn(process.execPath, [path, ...args], {
    env: withoutSettings(process.env),
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
    return performance.now() - started
  } finally {
    child.kill('SIGTERM')
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
