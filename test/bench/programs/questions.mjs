// What every program of the bench answers: what it has used so far, how long it stalled, what is alive in it.
import { writeFileSync } from 'node:fs'
import { Session } from 'node:inspector/promises'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import v8 from 'node:v8'
import { runInNewContext } from 'node:vm'

const stalls = monitorEventLoopDelay({ resolution: 1 })

/** @type {Session | undefined} */
let inspector

/** @type {Record<string, (input: any) => unknown>} */
const common = {
  /** CPU time of all threads and resident memory so far. */
  usage() {
    const { user, system } = process.cpuUsage()
    return { cpuMs: (user + system) / 1000, residentBytes: process.memoryUsage.rss() }
  },
  /** Bytes that V8 has taken for what was made lately, alive or not. */
  youngGeneration() {
    const spaces = v8.getHeapSpaceStatistics()
    return spaces.find((space) => space.space_name === 'new_space')?.physical_space_size
  },
  /** Bytes of the heap that are still reachable. */
  liveHeap() {
    // By a flag of its own on the command line it would be another program that is measured.
    v8.setFlagsFromString('--expose-gc')
    const collect = /** @type {() => void} */ (runInNewContext('gc'))
    // What only a finalizer held goes with the second.
    collect()
    collect()
    return process.memoryUsage().heapUsed
  },
  async startProfile() {
    inspector = new Session()
    inspector.connect()
    await inspector.post('Profiler.enable')
    await inspector.post('Profiler.setSamplingInterval', { interval: 500 })
    await inspector.post('Profiler.start')
  },
  /** Writes what was sampled since `startProfile` as DevTools read it. @param {string} file */
  async stopProfile(file) {
    const { profile } = (await inspector?.post('Profiler.stop')) ?? {}
    writeFileSync(file, JSON.stringify(profile))
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
 * Answers the parent's questions, and ends with it.
 * @param {Record<string, (input: any) => unknown>} [questions] beside the common ones
 */
export function answerQuestions(questions = {}) {
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
}
