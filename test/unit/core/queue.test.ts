import { array, assert, integer, property } from 'fast-check'
import { expect, test } from 'vitest'
import { Queue } from '../../../server/core/queue.ts'

test('a queue has the items of an array that is shifted, also after thousands of them', () => {
  const steps = array(integer({ min: -1500, max: 1500 }), { maxLength: 8 })
  assert(
    property(steps, (all) => {
      const queue = new Queue<number>()
      const list: number[] = []
      for (const step of all) {
        for (let index = 0; index < step; index += 1) {
          queue.push(list.length)
          list.push(list.length)
        }
        for (let index = step; index < 0; index += 1) expect(queue.shift()).toBe(list.shift())
        expect(queue.length).toBe(list.length)
        expect([queue.at(0), queue.at(list.length - 1)]).toEqual([list[0], list.at(-1)])
        expect([queue.at(-1), queue.at(list.length)]).toEqual([undefined, undefined])
      }
      queue.clear()
      expect([queue.length, queue.at(0), queue.shift()]).toEqual([0, undefined, undefined])
    }),
    { numRuns: 20 },
  )
})
