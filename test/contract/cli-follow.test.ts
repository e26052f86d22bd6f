import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { RequestItem } from '../../server/contract/control-requests.ts'
import { commandLineWorld } from '../helpers/command-line.ts'
import { printed } from '../helpers/printed.ts'

const { folder, run, start } = commandLineWorld()
const patience = 120_000

const whoami = (url: string, token: string) =>
  fetch(`${url}/api/whoami-v2`, { headers: { authorization: `Bearer ${token}` } })

/** Lines that a command has printed so far. */
function linesOf({ child }: ReturnType<typeof run>): () => string[] {
  let text = ''
  child.stdout.on('data', (chunk: string) => (text += chunk))
  return () => text.split('\n').filter((line) => line !== '')
}

const soon = { timeout: 60_000 }

describe('requests --follow', { timeout: patience }, () => {
  test('prints logged requests, then each matching one after its response', async () => {
    const { sandbox } = await start(['--ephemeral'])
    const at = ['--url', sandbox.url]
    await whoami(sandbox.url, 'hf_sandbox_alice')
    await whoami(sandbox.url, 'hf_sandbox_bob')
    const all = run(['requests', '--follow', '--limit', '1', ...at])
    const refused = run(['requests', '--follow', '--refused', '--json', ...at])
    const [linesOfAll, linesOfRefused] = [linesOf(all), linesOf(refused)]
    await Promise.all([printed(all, /Ctrl-C/), printed(refused, /Ctrl-C/)])
    await whoami(sandbox.url, 'hf_sandbox_carol')
    await whoami(sandbox.url, 'nobody')
    await expect.poll(() => linesOfAll().length, soon).toBeGreaterThanOrEqual(3)
    await expect.poll(() => linesOfRefused().length, soon).toBe(1)
    expect(linesOfAll()[0]).toContain('bob')
    expect(linesOfAll()[1]).toContain('carol')
    const item = JSON.parse(linesOfRefused()[0] ?? '') as RequestItem
    expect(item).toMatchObject({ path: '/api/whoami-v2', status: 401 })
    all.child.kill('SIGINT')
    refused.child.kill('SIGTERM')
    expect((await all.ended).code).toBe(0)
    const { code, stdout } = await refused.ended
    expect(code).toBe(0)
    expect(stdout.trim().split('\n')).toHaveLength(1)
  })

  test('continues with a restarted sandbox at another URL and reports a possible gap', async () => {
    const data = join(folder(), 'comes-back')
    // The same ids again: they must not be taken for those that were shown.
    const flags = ['--data', data, '--seed', '7']
    const first = await start(flags)
    await whoami(first.sandbox.url, 'hf_sandbox_alice')
    const following = run(['requests', '--follow', '--data', data])
    const lines = linesOf(following)
    await printed(following, /Ctrl-C/)
    const isGone = printed(following, /closed the stream/)
    first.child.kill('SIGKILL')
    await isGone
    const isBack = printed(following, /Reconnected to (\S+)\. .*may be missing/)
    const second = await start(flags)
    await isBack
    await whoami(second.sandbox.url, 'hf_sandbox_dave')
    await expect.poll(() => lines().at(-1), soon).toContain('dave')
    expect(lines()).toHaveLength(2)
    following.child.kill('SIGINT')
    expect((await following.ended).code).toBe(0)
  })

  test('ends when its reader closes stdout', async () => {
    const { sandbox } = await start(['--ephemeral'])
    await whoami(sandbox.url, 'hf_sandbox_alice')
    const following = run(['requests', '--follow', '--url', sandbox.url])
    await printed(following, /Ctrl-C/)
    following.child.stdout.destroy()
    await whoami(sandbox.url, 'hf_sandbox_bob')
    // The helper waits for both streams, and stdout was closed here.
    const code = await new Promise((resolve) => following.child.once('exit', resolve))
    expect(code).toBe(0)
  })

  test('fails if no sandbox is running at first', async () => {
    const { code, stderr } = await run(['requests', '--follow', '--url', 'http://localhost:9'])
      .ended
    expect({ code, stderr }).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('No sandbox is running'),
    })
  })
})
