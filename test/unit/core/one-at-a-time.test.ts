import { expect, test } from 'vitest'
import { createOneAtATime } from '../../../server/core/one-at-a-time.ts'

test('tasks run one after another, also behind one that fails', async () => {
  const { run } = createOneAtATime()
  const steps: string[] = []
  const task = (name: string) => async () => {
    steps.push(`${name} begins`)
    await new Promise(setImmediate)
    steps.push(`${name} ends`)
    if (name === 'a') throw new Error('no')
    return name
  }
  const outcomes = await Promise.allSettled([run(task('a')), run(task('b'))])
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'fulfilled'])
  expect(steps).toEqual(['a begins', 'a ends', 'b begins', 'b ends'])
})

test('one runs and eight wait; a further one is refused until one is done', async () => {
  const { run } = createOneAtATime()
  let finish = () => {}
  const first = run(() => new Promise<void>((resolve) => (finish = resolve)))
  const others = Array.from({ length: 8 }, () => run(async () => {}))
  await expect(run(async () => {})).rejects.toMatchObject({ code: 'overloaded' })
  finish()
  await Promise.all([first, ...others])
  await expect(run(async () => 'done')).resolves.toBe('done')
})
