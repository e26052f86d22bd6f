import { expect, test } from 'vitest'
import type { Advice } from '../../server/contract/control-advice.ts'
import { commandLineWorld } from '../helpers/command-line.ts'

const { run, start } = commandLineWorld()
const options = { timeout: 60_000 }

async function checked(url: string, ...args: string[]) {
  return run(['check', ...args, '--url', url]).ended
}

test('check tells nothing to check, no mistake and mistakes apart', options, async () => {
  const { url } = (await start(['--ephemeral'])).sandbox
  const nothing = await checked(url)
  expect(nothing).toMatchObject({ code: 3, stdout: expect.stringContaining('Nothing to check') })

  const fine = { headers: { authorization: 'Bearer hf_sandbox_alice' } }
  await fetch(`${url}/api/whoami-v2`, fine)
  expect(await checked(url)).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^No mistakes found\. \d+ of \d+ checks had something to judge/),
  })

  await fetch(`${url}/api/daily_papers`, fine)
  expect(await checked(url)).toMatchObject({ code: 0 })
  const warned = await checked(url, '--fail-on', 'warning')
  expect(warned.code).toBe(1)
  expect(warned.stdout).toMatch(/^warning {2}portability\/not-emulated/)
  expect(warned.stdout).toContain('GET /api/daily_papers 501: was answered 501')

  await fetch(`${url}/api/models?access_token=hf_sandbox_alice`)
  const failed = await checked(url, '--json')
  expect(failed.code).toBe(1)
  const { items } = JSON.parse(failed.stdout) as Advice
  expect(items.map(({ rule }) => rule)).toEqual(['token/secret-in-url', 'portability/not-emulated'])
  expect(failed.stdout).not.toContain('hf_sandbox_alice')
})

test('check explains its checks, and names what it does not know', options, async () => {
  const { url } = (await start(['--ephemeral'])).sandbox
  const listed = await checked(url, '--list')
  expect(listed.stdout).toMatch(/^token\/refresh-race +error +Two requests/m)
  const explained = await checked(url, '--explain', 'token/refresh-race')
  expect(explained.stdout).toMatch(/Fix: Let one refresh[^]*RFC 9700, 4\.14\.2: https:/)
  expect(await checked(url, '--explain', 'token/refresh-rac')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('did you mean "token/refresh-race"?'),
  })
  expect(await checked(url, '--fail-on', 'errors')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('error, warning, note'),
  })
  expect(await checked(url, '--app', 'Nobody')).toMatchObject({ code: 2 })
  expect(await checked('http://127.0.0.1:9')).toMatchObject({ code: 2 })
})
