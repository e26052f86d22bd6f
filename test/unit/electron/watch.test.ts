import { describe, expect, test, vi } from 'vitest'
import type { LiveListener } from '../../../electron/live.ts'
import type { ShownSandbox } from '../../../electron/sandboxes.ts'
import { createWatch } from '../../../electron/watch.ts'
import type { ControlCall } from '../../../server/contract/control-call.ts'

const sandboxAt = (url: string): ShownSandbox => ({
  url,
  dashboardUrl: `${url}/_sandbox/`,
  close: async () => undefined,
})

/** A sandbox whose answers are counted, and a feed whose events the test tells. */
function world() {
  const own: { known: ShownSandbox | undefined } = { known: undefined }
  let told = () => {}
  const feeds = new Map<string, LiveListener>()
  const left: string[] = []
  const counts = { pending: 1, failing: 0, failed: 0 }
  const held = [true, false]
  const call = vi.fn<(key: string) => Promise<unknown>>(async (key) => {
    if (key === 'GET overview') {
      return { deliveries: { ...counts }, counts: { pendingDevices: 0 } }
    }
    if (key === 'GET webhooks') return { items: held.map((isHeld) => ({ held: isHeld })) }
    return {}
  })
  const report = vi.fn<(line: string) => void>()
  const watch = createWatch(
    {
      get known() {
        return own.known
      },
      onChange: (listener) => (told = listener),
    },
    {
      report,
      restMs: 20,
      connect: () => call as unknown as ControlCall,
      follow(sandbox, listener) {
        feeds.set(sandbox.url, listener)
        return () => void left.push(sandbox.url)
      },
    },
  )
  const changes: unknown[] = []
  watch.onChange(() => changes.push(watch.glance))
  const run = (url: string | undefined) => {
    own.known = url === undefined ? undefined : sandboxAt(url)
    told()
  }
  const looks = () => call.mock.calls.filter(([key]) => key === 'GET overview').length
  return { watch, run, feeds, left, counts, held, call, report, changes, looks }
}

describe('the monitor of the user’s own sandbox', () => {
  test('has a state once the feed is connected, and none when stopped', async () => {
    const { watch, run, feeds, left, changes } = world()
    run('http://a:1')
    expect(watch.glance).toBeUndefined()
    feeds.get('http://a:1')?.onOpen()
    await vi.waitFor(() => {
      expect(watch.glance).toMatchObject({ pendingDeliveries: 1, isPaused: false })
    })
    run(undefined)
    expect(watch.glance).toBeUndefined()
    expect(left).toEqual(['http://a:1'])
    expect(changes).toHaveLength(2)
  })

  test('refreshes after events, at most once per pause', async () => {
    const { watch, run, feeds, counts, looks } = world()
    run('http://a:1')
    const feed = feeds.get('http://a:1')
    feed?.onOpen()
    await vi.waitFor(() => expect(watch.glance).toBeDefined())
    counts.pending = 7
    for (let count = 0; count < 500; count += 1) feed?.onNews([])
    await vi.waitFor(() => expect(watch.glance).toMatchObject({ pendingDeliveries: 7 }))
    expect(looks()).toBeLessThanOrEqual(3)
  })

  test('counts deliveries as paused if every webhook is paused', async () => {
    const { watch, run, feeds, held } = world()
    held.splice(0, 2, true, true)
    run('http://a:1')
    feeds.get('http://a:1')?.onOpen()
    await vi.waitFor(() => expect(watch.glance).toMatchObject({ isPaused: true }))
  })

  test('passes events on, and has no state while disconnected', async () => {
    const { watch, run, feeds } = world()
    const news = vi.fn<(entries: readonly unknown[]) => void>()
    watch.onNews(news)
    run('http://a:1')
    const feed = feeds.get('http://a:1')
    feed?.onOpen()
    await vi.waitFor(() => expect(watch.glance).toBeDefined())
    const entries: never[] = []
    feed?.onNews(entries)
    expect(news).toHaveBeenCalledWith(entries)
    feed?.onLost()
    expect(watch.glance).toBeUndefined()
  })

  test('switches to another sandbox, and ignores the former one', async () => {
    const { watch, run, feeds, left, call, report } = world()
    run('http://a:1')
    call.mockRejectedValueOnce(new Error('it has ended'))
    feeds.get('http://a:1')?.onOpen()
    run('http://b:2')
    feeds.get('http://b:2')?.onOpen()
    await vi.waitFor(() => expect(watch.glance).toBeDefined())
    expect(left).toEqual(['http://a:1'])
    expect(report).not.toHaveBeenCalled()
  })

  test('reports a failed refresh, and refreshes again', async () => {
    const { watch, run, feeds, call, report } = world()
    call.mockRejectedValueOnce(new Error('it is busy'))
    run('http://a:1')
    feeds.get('http://a:1')?.onOpen()
    await vi.waitFor(() => expect(report).toHaveBeenCalledWith(expect.stringContaining('busy')))
    feeds.get('http://a:1')?.onNews([])
    await vi.waitFor(() => expect(watch.glance).toBeDefined())
  })
})
