import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { MessageBoxOptions } from 'electron'
import type { ElectronApi } from '../../../electron/electron-api.ts'
import type { ShownSandbox } from '../../../electron/sandboxes.ts'
import { createStartOrAsk } from '../../../electron/starting.ts'
import { ListenError } from '../../../server/app/open-listener.ts'
import type { SandboxOptions } from '../../../server/index.ts'

const url = 'http://localhost:5000'
const sandbox: ShownSandbox = { url, dashboardUrl: `${url}/_sandbox/`, close: async () => {} }
const cause = Object.assign(new Error('in use'), { code: 'EADDRINUSE' })

/** The usual port is taken, a free one takes a while; the user presses the first button of each question. */
function world({ sandboxUrl, startMs = 0 }: { sandboxUrl?: string; startMs?: number } = {}) {
  const boxes: MessageBoxOptions[] = []
  const started: SandboxOptions[] = []
  const opened: string[] = []
  const startOrAsk = createStartOrAsk(
    {
      dialog: {
        async showMessageBox(options: MessageBoxOptions) {
          boxes.push(options)
          return { response: 0 }
        },
      },
      shell: { openExternal: async (address: string) => void opened.push(address) },
    } as unknown as ElectronApi,
    {
      async start(options) {
        started.push(options)
        if (options.port !== 0) throw new ListenError('taken', { cause, port: 7420, sandboxUrl })
        await new Promise((resolve) => setTimeout(resolve, startMs))
        return sandbox
      },
    },
  )
  const result = startOrAsk('The sandbox', () => ({ port: 7420, data: '/data' }))
  return { boxes, started, opened, result }
}

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

describe('a start on a taken port', () => {
  test('uses a free port on request', async () => {
    const { boxes, started, result } = world()
    await vi.advanceTimersByTimeAsync(0)
    expect(await result).toBe(sandbox)
    expect(started).toEqual([
      { port: 7420, data: '/data' },
      { port: 0, data: '/data' },
    ])
    await vi.advanceTimersByTimeAsync(60_000)
    expect(boxes).toHaveLength(1)
  })

  test('reports within three seconds what it waits for, until it has started', async () => {
    const { boxes, result } = world({ startMs: 20_000 })
    await vi.advanceTimersByTimeAsync(3000)
    expect(boxes.slice(1)).toMatchObject([
      { message: 'The sandbox is starting', detail: expect.stringContaining('/data') },
    ])
    expect(boxes[1]?.signal?.aborted).toBe(false)
    await vi.advanceTimersByTimeAsync(20_000)
    expect(await result).toBe(sandbox)
    expect(boxes[1]?.signal?.aborted).toBe(true)
  })

  test('opens the sandbox that uses the port on request', async () => {
    const { started, result } = world({ sandboxUrl: 'http://localhost:7420' })
    expect(await result).toMatchObject({ url: 'http://localhost:7420', isElsewhere: true })
    expect(started).toHaveLength(1)
  })

  test('opens one with a self-signed certificate in the browser', async () => {
    const { opened, result } = world({ sandboxUrl: 'https://localhost:7420' })
    expect(await result).toBeUndefined()
    expect(opened).toEqual(['https://localhost:7420/_sandbox/'])
  })
})
