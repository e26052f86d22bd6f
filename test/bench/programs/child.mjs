// What every program of the bench shares: it tells its address, answers questions, and ends with its parent.
import { monitorEventLoopDelay } from 'node:perf_hooks'

const stalls = monitorEventLoopDelay({ resolution: 1 })

/** @type {Record<string, (input: any) => unknown>} */
const common = {
  /** CPU time of all threads and resident memory so far. */
  usage() {
    const { user, system } = process.cpuUsage()
    return { cpuMs: (user + system) / 1000, residentBytes: process.memoryUsage.rss() }
  },
  watchStalls() {
    stalls.reset()
    stalls.enable()
  },
  /** The longest time the event loop did not come round since `watchStalls`, in milliseconds. */
  longestStall() {
    stalls.disable()
    return stalls.max / 1e6
  },
}

/**
 * @param {string} url where the program answers
 * @param {Record<string, (input: any) => unknown>} [questions] what the parent may ask, beside the common ones
 */
export function ready(url, questions = {}) {
  const answers = { ...common, ...questions }
  const answer = async (/** @type {{ id: number, name: string, input: unknown }} */ question) => {
    const { id, name, input } = question
    try {
      process.send?.({ id, answer: await answers[name]?.(input) })
    } catch (error) {
      process.send?.({ id, failure: String(error) })
    }
  }
  process.on('message', (/** @type {any} */ question) => void answer(question))
  process.on('disconnect', () => process.exit())
  // Without a parent that asks, the address goes to stdout, as `hub-sandbox --json` prints it.
  if (process.send === undefined) process.stdout.write(`${JSON.stringify({ url })}\n`)
  else process.send({ url })
}

/** @returns {any} what the parent handed in */
export const options = () => JSON.parse(process.argv[2] ?? '{}')
