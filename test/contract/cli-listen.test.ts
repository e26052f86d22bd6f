import { describe, expect, test } from 'vitest'
import { commandLineWorld } from '../helpers/command-line.ts'

const { run, said, start } = commandLineWorld()

describe('hub-sandbox listen --forward-to', { timeout: 180_000 }, () => {
  test.each(['SIGINT', 'SIGHUP', 'SIGKILL'] as const)(
    'leaves no webhook behind on %s',
    async (signal) => {
      const { child, sandbox } = await start(['--ephemeral'])
      const count = async () => {
        const answer = await fetch(`${sandbox.url}/_sandbox/api/webhooks`)
        return ((await answer.json()) as { items: unknown[] }).items.length
      }
      const before = await count()
      const listening = run(['listen', '--forward-to', '9/x', '--url', sandbox.url])
      await said(listening, /Sending every event to http:\/\/localhost:9\/x/)
      expect(await count()).toBe(before + 1)
      listening.child.kill(signal)
      await listening.ended
      await expect.poll(count, { timeout: 30_000 }).toBe(before)
      child.kill('SIGKILL')
    },
  )

  test('ends when the sandbox does', async () => {
    const { child, sandbox } = await start(['--ephemeral'])
    const listening = run(['listen', '--forward-to', '9', '--url', sandbox.url])
    await said(listening, /Sending every event/)
    child.kill('SIGTERM')
    expect((await listening.ended).stderr).toMatch(/The sandbox has ended the stream/)
  })
})
