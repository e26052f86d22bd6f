import { describe, expect, test } from 'vitest'
import { createPausing } from '../../../electron/pausing.ts'
import type { ControlCall } from '../../../server/contract/control-call.ts'

/** Webhooks by id, and whether they are held; two to a page. */
function world(webhooks: Record<string, boolean>) {
  const held = new Map(Object.entries(webhooks))
  const call = async (
    key: string,
    { query, params, body }: Record<string, Record<string, unknown>>,
  ) => {
    if (key === 'GET webhooks') {
      const start = Number(query?.['cursor'] ?? 0)
      const items = Array.from(held, ([id, isHeld]) => ({ id, held: isHeld }))
      const next = start + 2
      return {
        items: items.slice(start, next),
        ...(next < items.length ? { nextCursor: String(next) } : {}),
      }
    }
    held.set(String(params?.['id']), body?.['held'] === true)
    return {}
  }
  const pausing = () => createPausing(() => call as unknown as ControlCall)
  return { held, pausing, states: () => Object.fromEntries(held) }
}

describe('pausing deliveries', () => {
  test('pauses every webhook, and resumes those that were not paused before', async () => {
    const { pausing, states } = world({ a: false, b: true, c: false, d: false, e: true })
    const { pause, resume } = pausing()
    await pause()
    expect(states()).toEqual({ a: true, b: true, c: true, d: true, e: true })
    await resume()
    expect(states()).toEqual({ a: false, b: true, c: false, d: false, e: true })
  })

  test('resumes all if an earlier run of the app has paused them', async () => {
    const { pausing, states } = world({ a: false, b: true })
    await pausing().pause()
    await pausing().resume()
    expect(states()).toEqual({ a: false, b: false })
  })

  test('ignores those resumed by hand meanwhile', async () => {
    const { held, pausing, states } = world({ a: false, b: false, c: true })
    const { pause, resume } = pausing()
    await pause()
    held.set('a', false)
    await resume()
    expect(states()).toEqual({ a: false, b: false, c: true })
  })
})
