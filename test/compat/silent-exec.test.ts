import { expect, test } from 'vitest'
import { commandLineWorld } from '../helpers/command-line.ts'
import { watchRun } from '../helpers/expect-silent.ts'

const { folder, run } = commandLineWorld()

test.each([
  ['/api/models', undefined],
  ['/api/models?access_token=hf_sandbox_alice', 'token/secret-in-url'],
])('a program under exec that calls %s has the finding %s', async (path, rule) => {
  const watched = watchRun(folder(), [])
  const script = `fetch(process.env.HUB_SANDBOX_URL + ${JSON.stringify(path)})`
  const program = [process.execPath, '-e', script]
  expect(await run(['exec', ...watched.flags, '--', ...program]).ended).toMatchObject({ code: 0 })
  let found = ''
  try {
    watched.expectSilent()
  } catch (error) {
    found = String(error)
  }
  expect(/ error (\S+),/.exec(found)?.[1]).toBe(rule)
})
