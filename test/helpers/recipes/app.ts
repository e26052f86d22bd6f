import { setTimeout as delay } from 'node:timers/promises'
import { startUnderSandbox, type UnderSandbox } from './under-sandbox.ts'

/** An app that serves. */
export interface RunningApp {
  /** Its address; no slash at the end. */
  readonly url: string
  /** Output so far. */
  said(): string
  stop(): Promise<void>
}

/**
 * Starts an app and waits until it answers at its address, whatever it answers.
 * @throws {Error} with what it printed when it ends before, or takes longer than three minutes
 */
export async function startApp({
  url,
  ...what
}: UnderSandbox & { url: string }): Promise<RunningApp> {
  const program = startUnderSandbox(what)
  const failure = (why: string) => new Error(`${what.command.join(' ')} ${why}:\n${program.said()}`)
  const early = program.ended.then((code) => {
    throw failure(`ended with ${code} before it answered`)
  })
  // It is heard of below, or nobody waits any more.
  early.catch(() => {})
  try {
    await Promise.race([early, untilItAnswers(url)])
  } catch (error) {
    await program.stop()
    throw error instanceof NoAnswer ? failure(`does not answer at ${url}`) : error
  }
  return { url, said: () => program.said(), stop: () => program.stop() }
}

class NoAnswer extends Error {}

/** Waits until an app answers at its address, whatever it answers. @throws {Error} after three minutes */
export async function untilItAnswers(url: string): Promise<void> {
  const deadline = Date.now() + 180_000
  while (Date.now() < deadline) {
    try {
      await fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(60_000) })
      return
    } catch {
      // Nobody listens yet.
      await delay(100)
    }
  }
  throw new NoAnswer()
}
