import { describe, expect, test, vi } from 'vitest'
import { createSpareKey } from '../../../server/app/spare-key.ts'

function setUp() {
  let made = 0
  const generate = vi.fn<() => Promise<{ n: number }>>(async () => ({ n: ++made }))
  return { generate, spare: createSpareKey(generate) }
}

describe('the spare signing key of a process', () => {
  test('is generated before the first sandbox asks for it', async () => {
    const { generate, spare } = setUp()
    spare.prepare()
    expect(generate).toHaveBeenCalledTimes(1)
    expect(await spare.take()).toEqual({ n: 1 })
    expect(generate).toHaveBeenCalledTimes(1)
  })

  test('is one key, however many sandboxes never sign', () => {
    const { generate, spare } = setUp()
    for (let sandbox = 0; sandbox < 100; sandbox++) spare.prepare()
    expect(generate).toHaveBeenCalledTimes(1)
  })

  test('goes to one sandbox only, and the next one is generated at once', async () => {
    const { generate, spare } = setUp()
    spare.prepare()
    spare.prepare()
    expect(await spare.take()).toEqual({ n: 1 })
    expect(generate).toHaveBeenCalledTimes(2)
    expect(await spare.take()).toEqual({ n: 2 })
  })

  test('makes no sandbox wait for the keys of others that sign at the same time', () => {
    const generate = vi.fn<() => Promise<{ n: number }>>(() => new Promise(() => {}))
    const spare = createSpareKey(generate)
    for (let sandbox = 0; sandbox < 4; sandbox++) spare.prepare()
    for (let sandbox = 0; sandbox < 4; sandbox++) void spare.take()
    // None has ended, and all four are under way, as the next spare one is.
    expect(generate).toHaveBeenCalledTimes(5)
  })

  test('is generated on demand for a sandbox that announced nothing', async () => {
    const { spare } = setUp()
    expect(await spare.take()).toEqual({ n: 1 })
  })

  test('is generated again after a failure, which reaches only the sandbox that took it', async () => {
    const { generate, spare } = setUp()
    generate.mockRejectedValueOnce(new Error('no entropy'))
    spare.prepare()
    await expect(spare.take()).rejects.toThrow('no entropy')
    generate.mockRejectedValueOnce(new Error('no entropy'))
    spare.prepare()
    await vi.waitFor(async () => expect(await spare.take()).toEqual({ n: 1 }))
  })
})
