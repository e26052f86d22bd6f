// Loaded into the sandbox by `--import`: tells the soak, over the channel to its parent, what no request can ask.
import { readdirSync } from 'node:fs'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setFlagsFromString, writeHeapSnapshot } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** @typedef {import('./watched-sandbox.ts').Inside} Inside */

setFlagsFromString('--expose-gc')
/** @type {() => void} */
const collect = runInNewContext('gc')
const delay = monitorEventLoopDelay({ resolution: 5 })
delay.enable()

/** Linux and macOS list them; elsewhere there is nothing to count. */
function openFiles() {
  for (const folder of ['/proc/self/fd', '/dev/fd']) {
    try {
      return readdirSync(folder).length
    } catch {
      continue
    }
  }
  return 0
}

function resources() {
  /** @type {Record<string, number>} */
  const counts = {}
  for (const kind of process.getActiveResourcesInfo()) counts[kind] = (counts[kind] ?? 0) + 1
  return counts
}

/** @returns {Inside} */
function look() {
  const { rss, heapUsed, external } = process.memoryUsage()
  const { user, system } = process.cpuUsage()
  const seen = {
    residentBytes: rss,
    heapUsedBytes: heapUsed,
    externalBytes: external,
    cpuMs: (user + system) / 1000,
    resources: resources(),
    openFiles: openFiles(),
    delayMedianMs: delay.percentile(50) / 1e6,
    delayP99Ms: delay.percentile(99) / 1e6,
    delayLongestMs: delay.max / 1e6,
  }
  delay.reset()
  return seen
}

function liveHeapBytes() {
  // What the first one finalizes, the second one frees.
  collect()
  collect()
  const { heapUsed, external } = process.memoryUsage()
  delay.reset()
  return heapUsed + external
}

/** @type {Record<string, (file: string) => unknown>} */
const answers = { look, liveHeapBytes, heapSnapshot: (file) => writeHeapSnapshot(file) }

process.on('message', (message) => {
  const { id, question, input } = /** @type {{ id: number, question: string, input: string }} */ (
    message
  )
  process.send?.({ id, answer: answers[question]?.(input) })
})
process.on('disconnect', () => process.exit(1))
// It is the sandbox that keeps its process alive, and ends it.
process.channel?.unref()
