import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { get } from 'node:http'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import type { Result, Row } from '../row.ts'
import { withFolder } from '../sandbox.ts'
import { median, noise } from '../statistics.ts'

const path = (below: string) => fileURLToPath(new URL(`../../../${below}`, import.meta.url))
const rounds = 15

/** From starting the process to the end of its first answer; npm is not part of it. */
export const startRow: Row = { name: 'start', measure: () => withFolder(measure) }

async function measure(folder: string): Promise<Result[]> {
  const data = join(folder, 'data')
  const startOurs = () =>
    firstAnswer(
      [path('dist/server/cli.cjs'), 'start', '--json', '--port', '0', '--data', data],
      '/.well-known/openid-configuration',
    )
  const startBare = () => firstAnswer([path('test/bench/programs/bare-fastify.mjs')], '/json')
  // The first start loads the fixtures, and with Node >= 22 fills V8's compile cache.
  await startOurs()
  await startBare()

  const pairs: { ours: number; bare: number }[] = []
  for (let round = 0; round < rounds; round++) {
    pairs.push({ ours: await startOurs(), bare: await startBare() })
  }
  const ratios = pairs.map(({ ours, bare }) => ours / bare)
  return [
    {
      what: 'start until first answer',
      ours: `${Math.round(median(pairs.map(({ ours }) => ours)))} ms`,
      baseline: `${Math.round(median(pairs.map(({ bare }) => bare)))} ms`,
      ratio: median(ratios),
      noise: noise(ratios),
      goal: { atMost: 1.2 },
    },
  ]
}

/** @returns milliseconds */
async function firstAnswer(args: string[], address: string): Promise<number> {
  const started = performance.now()
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'ignore'] })
  try {
    const url = await announcedUrl(child)
    await fetchWhole(`${url}${address}`)
    return performance.now() - started
  } finally {
    const ended = once(child, 'exit')
    child.kill('SIGTERM')
    await ended
  }
}

async function announcedUrl(child: ChildProcess): Promise<string> {
  if (child.stdout === null) throw new TypeError('the program has no stdout')
  for await (const line of createInterface({ input: child.stdout })) {
    return (JSON.parse(line) as { url: string }).url
  }
  throw new Error('the program ended without an address')
}

function fetchWhole(url: string): Promise<void> {
  return new Promise((resolve, reject) => {
    get(url, { agent: false }, (response) => {
      response.resume()
      response.on('end', () =>
        response.statusCode === 200 ? resolve() : reject(new Error(`${response.statusCode}`)),
      )
    }).on('error', reject)
  })
}
