import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import type { ControlCall } from '../../../../server/contract/control-call.ts'
import {
  createLogSegments,
  type SegmentSource,
} from '../../../../server/inspect/log/log-segments.ts'

const call = (async () => ({})) as unknown as ControlCall

/** A run, its deliveries by id, and the segments that were read. */
function observed(deliveries: string[] = []) {
  const segments = createLogSegments()
  const read: [fork: number | undefined, inherited: string[]][] = []
  const listen = () =>
    segments.onEnd(async ({ fork, inherited }: SegmentSource) => {
      await sleep(1)
      read.push([fork, [...inherited]])
    })
  segments.readBy(call, () => deliveries)
  return { segments, read, listen }
}

describe('segments of the log', () => {
  test('are read before what deletes them runs, and one at a time', async () => {
    const { segments, read, listen } = observed()
    listen()
    const counts: number[] = []
    const reset = () => segments.endBefore(() => void counts.push(read.length))
    await Promise.all([reset(), reset(), reset()])
    expect(counts).toEqual([1, 2, 3])
  })

  test('hold those of forks, of forks of forks, and of those still open at the end', async () => {
    const { segments, read, listen } = observed()
    listen()
    const fork = segments.ofFork()
    fork.readBy(call, () => [])
    const forkOfFork = fork.ofFork()
    forkOfFork.readBy(call, () => [])
    await fork.close()
    await segments.endAll()
    await Promise.all([segments.endAll(), forkOfFork.close(), segments.close()])
    expect(read).toEqual([
      [1, []],
      [undefined, []],
      [2, []],
    ])
  })

  test('name the deliveries that a fork or a restored snapshot brought', async () => {
    const deliveries = ['one']
    const { segments, read, listen } = observed(deliveries)
    listen()
    const fork = segments.ofFork()
    fork.readBy(call, () => deliveries)
    await fork.close()
    deliveries.push('two')
    await segments.endBefore(() => void deliveries.pop())
    await segments.endBefore(() => {})
    expect(read).toEqual([
      [1, ['one']],
      [undefined, []],
      [undefined, ['one']],
    ])
  })

  test('go on after a reset that failed, and wait for nobody without listeners', async () => {
    const { segments, read, listen } = observed()
    expect(segments.close()).toBeUndefined()
    segments.readBy(call, () => [])
    listen()
    await expect(segments.endBefore(() => Promise.reject(new Error('no')))).rejects.toThrow('no')
    await expect(segments.endBefore(() => 'done')).resolves.toBe('done')
    expect(read).toHaveLength(2)
  })
})
