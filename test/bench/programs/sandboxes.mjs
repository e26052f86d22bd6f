// Starts sandboxes and bare Fastify apps in one process, and measures the CPU time of each start.
import { setTimeout as sleep } from 'node:timers/promises'
import fastify from 'fastify'
import { ready } from './child.mjs'

// By URL, because the compiler finds it only after a build.
const bundle = new URL('../../../dist/library/index.cjs', import.meta.url)
const { startSandbox } = await import(bundle.href)

/** Number of routes that the metadata, token and API groups of the hub have together. */
const routesOfBare = 50

async function startBare() {
  const app = fastify()
  for (let index = 0; index < routesOfBare; index++) app.get(`/things/${index}/:id`, () => ({}))
  await app.listen({ port: 0, host: '127.0.0.1' })
  return app
}

// The first of each kind loads modules, which is not part of the measurement.
const origin = await startSandbox()
await origin.clock.read()
await (await startBare()).close()

const makers = {
  bare: startBare,
  sandbox: () => startSandbox(),
  fork: () => origin.fork(),
}

/** Time in which V8 completes a garbage collection of earlier objects on other threads. */
const collectionMs = 50

/** CPU time of a start, all threads, in milliseconds. @param {keyof typeof makers} kind */
async function costOf(kind) {
  await sleep(collectionMs)
  const before = process.cpuUsage()
  const made = await makers[kind]()
  const { user, system } = process.cpuUsage(before)
  await made.close()
  return (user + system) / 1000
}

ready(origin.url, {
  costOf,
  // The first fork generates the key for all of them.
  makeKey: async () => (await origin.fork()).close(),
})
