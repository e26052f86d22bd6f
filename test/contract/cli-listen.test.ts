import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { commandLineWorld } from '../helpers/command-line.ts'
import { printed } from '../helpers/printed.ts'
import { controlAt } from '../helpers/sandbox.ts'

const { run, start } = commandLineWorld()

describe('hub-sandbox listen --forward-to', { timeout: 180_000 }, () => {
  test.each(['SIGINT', 'SIGHUP', 'SIGKILL'] as const)(
    'deletes its webhook on %s',
    async (signal) => {
      const { child, sandbox } = await start(['--ephemeral'])
      const count = async () => {
        const answer = await fetch(`${sandbox.url}/_sandbox/api/webhooks`)
        return ((await answer.json()) as { items: unknown[] }).items.length
      }
      const before = await count()
      const listening = run(['listen', '--forward-to', '9/x', '--url', sandbox.url])
      await printed(listening, /Forwarding events that alice may see to http:\/\/localhost:9\/x/)
      expect(await count()).toBe(before + 1)
      listening.child.kill(signal)
      await listening.ended
      await expect.poll(count, { timeout: 30_000 }).toBe(before)
      child.kill('SIGKILL')
    },
  )

  test('deletes its webhook on a signal that arrives while the webhook is created', async () => {
    const { child, sandbox } = await start(['--ephemeral'])
    const calls: string[] = []
    let listening: ReturnType<typeof run> | undefined
    const relay = createServer((request, response) => {
      void (async () => {
        const chunks: Buffer[] = []
        for await (const chunk of request) chunks.push(chunk as Buffer)
        const { method = '', url = '' } = request
        calls.push(`${method} ${url}`)
        if (method === 'POST') listening?.child.kill('SIGINT')
        const headers = { 'content-type': 'application/json' }
        const body = method === 'POST' ? { body: Buffer.concat(chunks), headers } : {}
        const answer = await fetch(`${sandbox.url}${url}`, { method, ...body })
        response.writeHead(answer.status, headers)
        for await (const chunk of answer.body ?? []) response.write(chunk)
        response.end()
      })().catch(() => response.destroy())
    })
    await once(relay.listen(0, '127.0.0.1'), 'listening')
    const { port } = relay.address() as AddressInfo
    listening = run(['listen', '--forward-to', '9', '--url', `http://127.0.0.1:${port}`])
    expect(await listening.ended).toMatchObject({ code: 0 })
    expect(calls).toContainEqual(expect.stringMatching(/^DELETE \/_sandbox\/api\/webhooks\/\w+$/))
    relay.closeAllConnections()
    relay.close()
    child.kill('SIGKILL')
  })

  test('leaves no webhook behind when Ctrl-C comes at any moment of its start', async () => {
    const { child, sandbox } = await start(['--ephemeral'])
    const webhooks = async () => {
      const answer = await fetch(`${sandbox.url}/_sandbox/api/webhooks`)
      return ((await answer.json()) as { items: { name: string }[] }).items
    }
    const before = await webhooks()
    const listen = () => run(['listen', '--forward-to', '9', '--url', sandbox.url])
    const begin = performance.now()
    const whole = listen()
    await printed(whole, /Forwarding events/)
    const startMs = performance.now() - begin
    whole.child.kill('SIGINT')
    await whole.ended
    const moments = Array.from({ length: 12 }, (_, index) => (index / 11) * startMs * 1.2)
    for (const moment of moments) {
      const listening = listen()
      await sleep(moment)
      listening.child.kill('SIGINT')
      // The signal ends it before it has handlers, and the handlers end it afterwards.
      expect([0, null]).toContain((await listening.ended).code)
      expect(await webhooks(), `after ${Math.round(moment)} ms`).toEqual(before)
    }
    child.kill('SIGKILL')
  })

  test('prints skipped deliveries with the reason', async () => {
    const { child, sandbox } = await start(['--ephemeral'])
    const listening = run(['listen', '--forward-to', 'https://203.0.113.1/x', '--url', sandbox.url])
    const shown = printed(listening, /^.+(?=\n)/, 'stdout')
    await printed(listening, /Skipped events are listed with the reason/)
    const event = { event: 'repo.content', repo: 'acme/corpus' }
    await controlAt(sandbox.url).post('events', event)
    expect((await shown)[0]).toMatch(
      /skipped +repo\.content update +acme\/corpus +offline-target-blocked$/,
    )
    child.kill('SIGKILL')
    await listening.ended
  })

  test.each([
    ['SIGTERM', 0, /^The sandbox closed the stream/m],
    ['SIGKILL', 1, /^The connection to the sandbox at \S+ was lost/m],
  ] as const)('exits when the sandbox ends, by %s with %i', async (signal, ending, told) => {
    const { child, sandbox } = await start(['--ephemeral'])
    const listening = run(['listen', '--forward-to', '9', '--url', sandbox.url])
    await printed(listening, /Forwarding events/)
    // The stream is open once a delivery has come by it.
    const delivered = printed(listening, /./, 'stdout')
    const event = { event: 'repo.content', repo: 'acme/corpus' }
    await controlAt(sandbox.url).post('events', event)
    await delivered
    child.kill(signal)
    const { code, stderr } = await listening.ended
    expect(stderr).toMatch(told)
    expect(code).toBe(ending)
  })
})
