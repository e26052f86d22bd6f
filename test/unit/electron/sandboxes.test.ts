import { describe, expect, test, vi } from 'vitest'
import { createSandboxes, runningElsewhere } from '../../../electron/sandboxes.ts'

/** Starts sandboxes whose ends are recorded and come when they are told to. */
function world() {
  const closes: string[] = []
  const finish: (() => void)[] = []
  let count = 0
  const sandboxes = createSandboxes(
    async () => {
      const url = `http://localhost:${++count}`
      const closed = new Promise<void>((resolve) => finish.push(resolve))
      return {
        url,
        dashboardUrl: `${url}/_sandbox/`,
        notices: [`${url} has started`],
        close: () => {
          closes.push(url)
          return closed
        },
      }
    },
    (line) => reported.push(line),
  )
  const reported: string[] = []
  return { sandboxes, closes, reported, finishAll: () => finish.forEach((end) => end()) }
}

describe('the sandboxes of the app', () => {
  test('report the messages of a start', async () => {
    const { sandboxes, reported } = world()
    await sandboxes.start({})
    expect(reported).toEqual(['http://localhost:1 has started'])
  })

  test('close once, and again only for an impatient user', async () => {
    const { sandboxes, closes, finishAll } = world()
    const first = await sandboxes.start({})
    await sandboxes.start({})
    void first.close()
    const closing = sandboxes.closeAll()
    await vi.waitFor(() => expect(closes).toEqual(['http://localhost:1', 'http://localhost:2']))

    void sandboxes.closeAll()
    await vi.waitFor(() => expect(closes).toHaveLength(4))
    finishAll()
    await closing
  })

  test('wait for one that is still starting, and close it', async () => {
    const { sandboxes, closes, finishAll } = world()
    const starting = sandboxes.start({})
    finishAll()
    await sandboxes.closeAll()
    expect(closes).toEqual(['http://localhost:1'])
    await starting
  })

  test('forget a closed one', async () => {
    const { sandboxes, closes, finishAll } = world()
    const sandbox = await sandboxes.start({})
    expect(sandboxes.has(sandbox)).toBe(true)
    finishAll()
    await sandbox.close()
    expect(sandboxes.has(sandbox)).toBe(false)
    await sandboxes.closeAll()
    expect(closes).toHaveLength(1)
  })

  test('close even after a failed start', async () => {
    const failing = createSandboxes(
      () => Promise.reject(new Error('no')),
      () => {},
    )
    await expect(failing.start({})).rejects.toThrow('no')
    await expect(failing.closeAll()).resolves.toBeUndefined()
  })
})

describe('a sandbox of another process', () => {
  const holder = { pid: 1, host: 'here', startedAt: '', url: 'http://localhost:7420' }

  test('is shown with the token from its lock', () => {
    expect(runningElsewhere(holder).dashboardUrl).toBe('http://localhost:7420/_sandbox/')
    expect(runningElsewhere({ ...holder, controlToken: 'a+b' }).dashboardUrl).toBe(
      'http://localhost:7420/_sandbox/?token=a%2Bb',
    )
  })
})
