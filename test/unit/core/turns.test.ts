import { expect, test } from 'vitest'
import { createTurns } from '../../../server/core/turns.ts'

test('tasks run one after another, in their order', async () => {
  const inTurn = createTurns()
  const noted: string[] = []
  const task = (name: string) => async () => {
    noted.push(`${name} begins`)
    await new Promise(setImmediate)
    noted.push(`${name} ends`)
    return name
  }
  expect(await Promise.all([inTurn(task('a')), inTurn(task('b'))])).toEqual(['a', 'b'])
  expect(noted).toEqual(['a begins', 'a ends', 'b begins', 'b ends'])
})

test('a task that fails fails alone', async () => {
  const inTurn = createTurns()
  const failed = inTurn(() => Promise.reject(new Error('it broke')))
  const next = inTurn(() => 'done')
  await expect(failed).rejects.toThrow('it broke')
  expect(await next).toBe('done')
})
