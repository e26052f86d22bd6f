// Sandboxes beside each other in one process, and bare Fastify apps to compare with: what each costs to start.
import { setTimeout as sleep } from 'node:timers/promises'
import fastify from 'fastify'
import { ready } from './child.mjs'

// By address, so that the compiler does not look for it: it is there once it was built.
const bundle = new URL('../../../dist/library/index.js', import.meta.url)
const { startSandbox } = await import(bundle.href)

/** As many routes as the metadata, token and API groups of the hub have together. */
const routesOfBare = 50

async function startBare() {
  const app = fastify()
  for (let index = 0; index < routesOfBare; index++) app.get(`/things/${index}/:id`, () => ({}))
  await app.listen({ port: 0, host: '127.0.0.1' })
  return app
}

/** What the first of its kind leaves in the process, such as modules, is no part of the second. */
const origin = await startSandbox()
await origin.clock.read()
await (await startBare()).close()

const makers = {
  bare: startBare,
  sandbox: () => startSandbox(),
  /** With all that a first call of its methods takes. */
  async used() {
    const sandbox = await startSandbox()
    await sandbox.clock.read()
    return sandbox
  },
  fork: () => origin.fork(),
}

/** In which V8 ends a collection of what was made before: it goes on in threads, and is no part of what comes next. */
const collectionMs = 50

/** CPU time of all threads, in milliseconds. @param {keyof typeof makers} kind */
async function costOf(kind) {
  await sleep(collectionMs)
  const before = process.cpuUsage()
  const made = await makers[kind]()
  const { user, system } = process.cpuUsage(before)
  await made.close()
  return (user + system) / 1000
}

/** Resident bytes of each of so many forks. @param {number} count */
async function memoryOf(count) {
  const before = process.memoryUsage.rss()
  const forks = await Promise.all(Array.from({ length: count }, () => origin.fork()))
  const bytes = process.memoryUsage.rss() - before
  await Promise.all(forks.map((fork) => fork.close()))
  return bytes / count
}

ready(origin.url, {
  costOf,
  memoryOf,
  // The key of all forks is made by the first.
  makeKey: async () => (await origin.fork()).close(),
})
