import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { ElectronApi } from '../../../electron/electron-api.ts'
import { createNotifications } from '../../../electron/notifications.ts'
import { defaultSettings } from '../../../electron/settings.ts'
import type { LiveEntry } from '../../../server/contract/live.ts'
import { StandInNotification } from '../../helpers/electron-stand-in/desktop-parts.ts'

function world({ isSupported = true } = {}) {
  const shown: StandInNotification[] = []
  class Notification extends StandInNotification {
    static override isSupported() {
      return isSupported
    }

    show() {
      shown.push(this)
    }
  }
  const notify = { ...defaultSettings.notify }
  const goTo = vi.fn<(path: string) => void>()
  const notifications = createNotifications({ Notification } as unknown as ElectronApi, {
    wanted: () => notify,
    goTo,
  })
  return { ...notifications, shown, notify, goTo, titles: () => shown.map(({ title }) => title) }
}

let seq = 0
function entry(type: LiveEntry['type'], data: object): LiveEntry {
  return { seq: ++seq, time: '2026-01-01T00:00:00Z', type, data } as LiveEntry
}
const failed = (more: object = {}) =>
  entry('delivery.failed', {
    deliveryId: 'dlv1',
    scope: 'repo.content',
    action: 'update',
    repo: 'acme/corpus',
    attempt: 3,
    status: 500,
    ...more,
  })
const device = () => entry('device.requested', { clientId: 'app', userCode: 'ABCD-EFGH' })
const suspended = () =>
  entry('webhook.suspended', { webhookId: 'w1', reason: 'It failed 5 times in a row.' })

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

describe('notifications', () => {
  test('report a failed delivery, and open it', () => {
    const { receive, shown, goTo } = world()
    receive([failed()])
    expect(shown).toMatchObject([
      {
        title: 'A delivery failed',
        body: 'repo.content.update in acme/corpus, attempted 3 times. The receiver returned 500.',
      },
    ])
    shown[0]?.emit('click')
    expect(goTo).toHaveBeenCalledWith('/deliveries/dlv1')
  })

  test('report a device by its code, and a suspended webhook by the reason', () => {
    const { receive, shown, goTo } = world()
    receive([device(), suspended()])
    expect(shown.map(({ body }) => body)).toEqual([
      'Code: ABCD-EFGH',
      'It receives no deliveries until you enable it. It failed 5 times in a row.',
    ])
    for (const notification of shown) notification.emit('click')
    expect(goTo).toHaveBeenLastCalledWith('/webhooks/w1/activity')
  })

  test('report nothing else', () => {
    const { receive, shown } = world()
    receive([
      entry('delivery.attempted', {}),
      entry('device.denied', {}),
      entry('sandbox.reset', {}),
    ])
    expect(shown).toEqual([])
  })

  test('are combined for simultaneous events, with the number of the others', () => {
    const { receive, titles } = world()
    receive(Array.from({ length: 200 }, () => failed()))
    expect(titles()).toEqual(['A delivery failed'])
    vi.advanceTimersByTime(10_000)
    expect(titles()).toEqual(['A delivery failed', '199 more deliveries failed'])
    vi.advanceTimersByTime(60_000)
    receive([failed()])
    expect(titles()).toHaveLength(3)
  })

  test('of one kind do not suppress those of another', () => {
    const { receive, titles } = world()
    receive([failed(), device(), suspended()])
    expect(titles()).toHaveLength(3)
  })

  test.each([
    ['failedDelivery', failed],
    ['pendingDevice', device],
    ['suspendedWebhook', suspended],
  ] as const)('are not shown if %s is switched off', (notice, make) => {
    const { receive, notify, shown } = world()
    notify[notice] = false
    receive([make()])
    expect(shown).toEqual([])
    notify[notice] = true
    receive([make(), make()])
    notify[notice] = false
    vi.advanceTimersByTime(10_000)
    expect(shown).toHaveLength(1)
  })

  test('show any text as one plain line of limited length', () => {
    const { receive, shown } = world()
    const message = `<a href="x">\u202e\n&amp;${'x'.repeat(500)}`
    receive([failed({ error: { class: 'connection', message } })])
    const { body = '' } = shown[0] ?? {}
    expect(body).not.toMatch(/[<>&\n\u202e]/)
    expect(body.length).toBeLessThanOrEqual(120)
  })

  test('are omitted if the system has none', () => {
    const { receive, shown } = world({ isSupported: false })
    receive([failed()])
    expect(shown).toEqual([])
  })

  test('end with the app', () => {
    const { receive, stop, titles } = world()
    receive([failed(), failed()])
    stop()
    vi.advanceTimersByTime(60_000)
    expect(titles()).toEqual(['A delivery failed'])
  })

  test('can still be clicked in the list of the system, until the app ends', () => {
    const { receive, stop, shown, goTo } = world()
    receive([failed()])
    shown[0]?.emit('close')
    shown[0]?.emit('click')
    expect(goTo).toHaveBeenCalledWith('/deliveries/dlv1')
    expect(shown[0]?.isClosed).toBe(false)
    stop()
    expect(shown[0]?.isClosed).toBe(true)
  })
})
