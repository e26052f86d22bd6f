import { describe, expect, test, vi } from 'vitest'
import { createOwnSandbox } from '../../../electron/own.ts'
import type { ShownSandbox } from '../../../electron/sandboxes.ts'
import type { StartOrAsk } from '../../../electron/starting.ts'
import type { SandboxOptions } from '../../../server/index.ts'

/** Sandboxes that start at the port they are given, or at 40001 and on where that is 0. */
function world({ isElsewhere = false } = {}) {
  const started: SandboxOptions[] = []
  const closed: string[] = []
  let free = 40_000
  let closing = Promise.resolve()
  /** Until what is returned is called, none has ended. */
  const holdClosing = () => {
    let end: (error?: Error) => void = () => undefined
    closing = new Promise((resolve, reject) => {
      end = (error) => (error === undefined ? resolve() : reject(error))
    })
    return (error?: Error) => end(error)
  }
  const startOrAsk = vi.fn<StartOrAsk>(async (_subject, options) => {
    const wanted = options()
    started.push(wanted)
    const url = `http://localhost:${wanted.port || ++free}`
    const sandbox: ShownSandbox = {
      url,
      dashboardUrl: `${url}/_sandbox/`,
      async close() {
        await closing
        closed.push(url)
      },
    }
    return sandbox
  })
  const own = createOwnSandbox(startOrAsk, { has: () => !isElsewhere }, () => ({
    port: 0,
    data: '/a',
  }))
  const changes: (string | undefined)[] = []
  own.onChange(() => changes.push(own.running?.url))
  return { own, started, closed, changes, startOrAsk, holdClosing }
}

describe("the user's own sandbox", () => {
  test('starts once, however often it is requested', async () => {
    const { own, started } = world()
    const [first, second] = await Promise.all([own.start(), own.start()])
    expect(second).toBe(first)
    expect(await own.start()).toBe(first)
    expect(started).toEqual([{ port: 0, data: '/a' }])
  })

  test('returns at its former port, where its clients expect it', async () => {
    const { own, started, closed, changes } = world()
    await own.start()
    await own.stop()
    expect(closed).toEqual(['http://localhost:40001'])
    await own.start()
    expect(started.at(-1)).toEqual({ port: 40_001, data: '/a' })
    expect(changes).toEqual(['http://localhost:40001', undefined, 'http://localhost:40001'])
  })

  test('stops only after it has started', async () => {
    const { own, closed } = world()
    void own.start()
    await own.stop()
    expect(closed).toHaveLength(1)
    expect(own.running).toBeUndefined()
  })

  test('starts again only after it has ended, since it holds its port and folder', async () => {
    const { own, started, holdClosing } = world()
    await own.start()
    const close = holdClosing()
    const stops = [own.stop(), own.stop()]
    const again = own.start()
    await new Promise(setImmediate)
    expect(started).toHaveLength(1)
    close()
    expect(await again).toMatchObject({ url: 'http://localhost:40001' })
    await Promise.all(stops)
    expect(started).toHaveLength(2)
    expect(own.running).toBe(await again)
  })

  test('starts again even after a failed stop, which is reported to its caller', async () => {
    const { own, holdClosing } = world()
    await own.start()
    const close = holdClosing()
    const stopped = own.stop().catch((error: unknown) => error)
    const again = own.start()
    close(new Error('disk'))
    expect(await stopped).toEqual(new Error('disk'))
    expect(await again).toBeDefined()
  })

  test('restarts with other options and keeps them', async () => {
    const { own, started, closed } = world()
    await own.start()
    await own.restart(() => ({ port: 7500, ephemeral: true }))
    expect(closed).toEqual(['http://localhost:40001'])
    await own.stop()
    await own.start()
    expect(started.slice(1)).toEqual([
      { port: 7500, ephemeral: true },
      { port: 7500, ephemeral: true },
    ])
  })

  test('cannot be stopped here if another process runs it', async () => {
    const { own, closed } = world({ isElsewhere: true })
    expect(await own.start()).toMatchObject({ url: 'http://localhost:40001' })
    await own.stop()
    expect(own.running).toBeUndefined()
    expect(closed).toEqual([])
  })

  test('can be started again after a failed start', async () => {
    const { own, startOrAsk } = world()
    startOrAsk.mockResolvedValueOnce(undefined)
    expect(await own.start()).toBeUndefined()
    expect(await own.start()).toBeDefined()
  })
})
