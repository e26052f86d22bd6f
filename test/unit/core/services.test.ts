import { expect, test } from 'vitest'
import { ServiceList } from '../../../server/core/service-list.ts'

/** A list of three services that note what is called. */
function listOf(calls: string[]) {
  const noting = (name: string) => ({
    onStart: () => void calls.push(`start ${name}`),
    onReset: {
      forget: () => void calls.push(`forget ${name}`),
      takeUp: (_value: unknown, _deps: unknown, kept: string) =>
        void calls.push(`${name} takes up ${kept}`),
    },
    onHurry: () => void calls.push(`hurry ${name}`),
  })
  return ServiceList.of<{ greeting: string }, string>()
    .with('ground', {
      create: (_, { greeting }) => greeting,
      ...noting('ground'),
      async onStop(_value, _deps, { settled }) {
        await settled()
        calls.push('stop ground')
      },
    })
    .with('middle', {
      create: ({ ground }) => `${ground}, you`,
      ...noting('middle'),
      onStop() {
        calls.push('stop middle')
        throw new Error('middle fails')
      },
    })
    .with('top', {
      create: ({ middle }) => `${middle}!`,
      ...noting('top'),
      onStop: (_value, _deps, { alongside }) => {
        calls.push('stop top')
        alongside(new Promise(setImmediate).then(() => calls.push('top has stopped')))
      },
    })
}

test('services are created in order, over those before them', () => {
  const { deps } = listOf([]).create({ greeting: 'Hello' })
  expect(deps).toEqual({ ground: 'Hello', middle: 'Hello, you', top: 'Hello, you!' })
})

test('a given service stands for that of the list, also for those after it', () => {
  const { deps } = listOf([]).create({ greeting: 'Hello' }, { middle: 'Bye' })
  expect(deps).toEqual({ ground: 'Hello', middle: 'Bye', top: 'Bye!' })
})

test('they start in order, and forget from the end before any takes up the new state', async () => {
  const calls: string[] = []
  const running = listOf(calls).create({ greeting: '' })
  await running.start()
  running.reset('a state')
  expect(calls).toEqual([
    'start ground',
    'start middle',
    'start top',
    'forget top',
    'forget middle',
    'forget ground',
    'ground takes up a state',
    'middle takes up a state',
    'top takes up a state',
  ])
})

test('all stop from the end even if one fails, which is thrown in the end', async () => {
  const calls: string[] = []
  const running = listOf(calls).create({ greeting: '' })
  await expect(running.stop(0)).rejects.toThrow('middle fails')
  expect(calls).toEqual(['stop top', 'stop middle', 'top has stopped', 'stop ground'])
})

test('a stop fails with work that ended badly alongside', async () => {
  const failing = ServiceList.of<null, null>().with('one', {
    create: () => 1,
    onStop: (_value, _deps, { alongside }) => alongside(Promise.reject(new Error('it broke'))),
    stays: 'there is no reset',
  })
  await expect(failing.create(null).stop(0)).rejects.toThrow('it broke')
})

test('a hurry reaches all, the last one first', () => {
  const calls: string[] = []
  listOf(calls).create({ greeting: '' }).hurry()
  expect(calls).toEqual(['hurry top', 'hurry middle', 'hurry ground'])
})
