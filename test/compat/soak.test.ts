// Some seconds of what `npm run soak` does for half an hour. How much memory it takes is judged there; what is left
// behind, a short run shows as well, and no load of the machine changes it.
import { describe, expect, test } from 'vitest'
import { soak, type SoakOptions } from '../soak/soak.ts'

const options: SoakOptions = { minutes: 0.1, rate: 50, seed: 1 }
const leak = new URL('../soak/leak.mjs', import.meta.url).href

const lasting = [
  'timers and handles are back where they were',
  'open files and sockets are back where they were',
  'no request made it fail',
  'it ends when it is told to',
]

async function failing(preloads: readonly string[]): Promise<string[]> {
  const { verdicts } = await soak({ ...options, preloads })
  return verdicts.flatMap(({ isGood, what, why }) =>
    isGood || !lasting.includes(what) ? [] : [`${what}: ${why}`],
  )
}

// Both wait most of the time.
describe.concurrent('in a short soak', { timeout: 180_000 }, () => {
  test('a sandbox that many have used leaves nothing behind', async () => {
    expect(await failing([])).toEqual([])
  })

  test('one that leaks is found out', async () => {
    expect(await failing([leak])).toContainEqual(
      expect.stringContaining('timers and handles are back where they were: Timeout'),
    )
  })
})
