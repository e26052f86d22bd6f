import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { spawn } from 'node:child_process'
import { describe, expect, test, vi } from 'vitest'
import { signedRequest, fixture } from '../../../server/receiver/testing.ts'
import { createGate, quietWebhooks, type QuietLog } from './kit.ts'

const printed = (log: QuietLog) => ({
  info: log.info.mock.calls.flat(),
  warn: log.warn.mock.calls.flat().join('\n'),
})

async function deliver(url: string, endpoint: string): Promise<Response> {
  const { headers, body } = signedRequest(fixture('repo.create'), { secret: 'abc', endpoint })
  const init = { method: 'POST', headers, body, duplex: 'half' } as RequestInit
  return fetch(`${url}/webhooks/${endpoint}`, init)
}

describe('listen()', () => {
  test('listens on loopback and prints every route', async () => {
    const { webhooks, log } = quietWebhooks()
    webhooks.endpoint('a', () => undefined)
    webhooks.endpoint('b', () => undefined)
    const { url, port, close } = await webhooks.listen({ port: 0 })
    expect(url).toBe(`http://127.0.0.1:${port}`)
    expect(printed(log).info).toEqual([
      'Webhook secret is correctly defined.',
      'Webhooks are set up and ready to use:',
      `  - POST ${url}/webhooks/a`,
      `  - POST ${url}/webhooks/b`,
      `Instructions: ${url}/`,
    ])
    expect(printed(log).warn).toContain('experimental')
    expect((await deliver(url, 'a')).status).toBe(204)
    await expect(webhooks.listen({ port: 0 })).rejects.toThrow('already listening')
    await close()
    await expect(fetch(url)).rejects.toThrow('fetch failed')
  })

  test('can be silenced about being experimental, but not about open access', async () => {
    vi.stubEnv('HF_HUB_DISABLE_EXPERIMENTAL_WARNING', '1')
    vi.stubEnv('WEBHOOK_SECRET', undefined)
    const { webhooks, log } = quietWebhooks({ secret: undefined })
    const { close } = await webhooks.listen({ port: 0 })
    await close()
    expect(printed(log).warn).not.toContain('experimental')
    expect(printed(log).warn).toContain('open to everyone')
  })

  test.each(['node', 'express', 'fastify', 'fetch'] as const)(
    'warns once with %s as well',
    (way) => {
      vi.stubEnv('WEBHOOK_SECRET', undefined)
      const { webhooks, log } = quietWebhooks({ secret: undefined })
      for (let time = 0; time < 2; time += 1) {
        if (way === 'fetch') void webhooks.fetch
        else webhooks[way]()
      }
      expect(printed(log).warn.match(/open to everyone/g)).toHaveLength(1)
    },
  )

  test('prints the URL of a Space, and that loopback is unreachable there', async () => {
    vi.stubEnv('SPACE_HOST', 'acme-demo.hf.space')
    const { webhooks, log } = quietWebhooks()
    webhooks.endpoint('a', () => undefined)
    const { close } = await webhooks.listen({ port: 0 })
    await close()
    expect(printed(log).info).toContain('  - POST https://acme-demo.hf.space/webhooks/a')
    expect(printed(log).warn).toContain('0.0.0.0')
  })

  test('uses the next free port after 7860, but only a given one', async () => {
    const first = quietWebhooks().webhooks
    const second = quietWebhooks().webhooks
    const one = await first.listen()
    const two = await second.listen()
    expect(one.port).toBeGreaterThanOrEqual(7860)
    expect(two.port).toBeGreaterThan(one.port)
    await two.close()
    await expect(second.listen({ port: one.port })).rejects.toMatchObject({ code: 'EADDRINUSE' })
    const again = await second.listen({ port: 0 })
    await Promise.all([one.close(), again.close()])
  })

  test('closes at once without pending requests, despite idle connections', async () => {
    const { webhooks } = quietWebhooks()
    webhooks.endpoint('a', () => undefined)
    const { url, close } = await webhooks.listen({ port: 0 })
    await deliver(url, 'a')
    const start = performance.now()
    await close()
    expect(performance.now() - start).toBeLessThan(4000)
  })

  test('closes without waiting for a connection that never sent a request', async () => {
    const { webhooks } = quietWebhooks()
    webhooks.endpoint('a', () => undefined)
    const { port, close } = await webhooks.listen({ port: 0 })
    const silent = connect({ host: '127.0.0.1', port })
    await once(silent, 'connect')
    // Time that would end the wait never passes.
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    await close()
    vi.useRealTimers()
    await expect(once(silent, 'close')).resolves.toEqual([false])
  })

  test('aborts work that continues for 5 s after close', async () => {
    const { webhooks } = quietWebhooks()
    const started = createGate()
    webhooks.endpoint('a', (_payload, { signal }) => {
      started.resolve()
      return new Promise((resolve) => {
        signal.addEventListener('abort', () => resolve(undefined))
      })
    })
    const { url, close } = await webhooks.listen({ port: 0 })
    const sent = deliver(url, 'a').catch((error: unknown) => error)
    await started.promise
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const closed = close()
    await vi.advanceTimersByTimeAsync(5_000)
    vi.useRealTimers()
    await closed
    await sent
    await webhooks.idle()
    expect(webhooks.receptions).toHaveLength(1)
  })

  test('waits for running and deferred work before it closes', async () => {
    const { webhooks } = quietWebhooks()
    const started = createGate()
    const gate = createGate()
    const deferred = vi.fn<() => void>()
    webhooks.endpoint('a', async (_payload, context) => {
      context.defer(deferred)
      started.resolve()
      await gate.promise
      return { done: true }
    })
    const { url, close } = await webhooks.listen({ port: 0 })
    const sent = deliver(url, 'a')
    await started.promise
    const closed = close()
    gate.resolve()
    expect(await (await sent).json()).toEqual({ done: true })
    await closed
    expect(deferred).toHaveBeenCalledOnce()
  })
})

describe('run()', () => {
  test('lasts until the server is closed', async () => {
    const program = `
      import { createWebhooks } from './server/receiver/index.ts'
      const hooks = createWebhooks({ secret: 'abc' })
      hooks.endpoint('stop', () => process.exit(3))
      await hooks.run({ port: 0 })
      console.log('not reached')
    `
    const { child, output } = startProgram(program)
    const url = await urlOf('stop', output)
    // A delivery comes in later than the line after a run() that has ended.
    await expect(deliver(url, 'stop')).rejects.toThrow('fetch failed')
    const [code] = (await once(child, 'close')) as [number]
    expect(code).toBe(3)
    expect(output()).not.toContain('not reached')
  })
})

describe('the end of the program', () => {
  const start = `
    import { createWebhooks } from './server/receiver/index.ts'
    const hooks = createWebhooks({ secret: 'abc' })
    hooks.endpoint(function first() { return { by: 'first' } })
    hooks.endpoint('second', () => ({ by: 'second' }))
  `

  test('starts one server with every handler', async () => {
    const { child, output } = startProgram(start)
    const url = await urlOf('second', output)
    expect(await (await deliver(url, 'first')).json()).toEqual({ by: 'first' })
    expect(await (await deliver(url, 'second')).json()).toEqual({ by: 'second' })
    child.kill()
    await once(child, 'close')
    expect(output().match(/ready to use/g)).toHaveLength(1)
  })

  test.each([
    ['something else serves', start + 'hooks.node()'],
    ['only the function is used', start + 'void hooks.fetch'],
    ['the option says so', start.replace("'abc'", "'abc', autoStart: false")],
    ['nothing is registered', start.replaceAll('hooks.endpoint', 'void hooks.endpoint === ')],
  ])('starts nothing if %s', async (_why, program) => {
    const { code, output } = await runProgram(program)
    expect(code).toBe(0)
    expect(output).not.toContain('ready to use')
  })

  test('fails the program if the server cannot start', async () => {
    const taken = createServer().listen(0, '127.0.0.1')
    await once(taken, 'listening')
    const { port } = taken.address() as AddressInfo
    const program = `${start}; hooks.listen({ port: ${port} }).catch((error) => { console.log(error.code); process.exitCode = 1 })`
    const { code, output } = await runProgram(program)
    taken.close()
    expect([code, output.includes('EADDRINUSE')]).toEqual([1, true])
  })
})

function startProgram(source: string) {
  const child = spawn(
    process.execPath,
    ['--import', 'tsx', '--input-type=module', '--eval', source],
    { env: { ...process.env, NODE_OPTIONS: '' } },
  )
  let text = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk
    })
  }
  return { child, output: () => text }
}

/** Waits until a program lists this endpoint, and returns its URL. */
function urlOf(endpoint: string, output: () => string): Promise<string> {
  const line = new RegExp(`POST (\\S+)/webhooks/${endpoint}\\n`)
  return vi.waitFor(() => line.exec(output())![1]!, { timeout: 20_000 })
}

async function runProgram(source: string): Promise<{ code: number; output: string }> {
  const { child, output } = startProgram(source)
  const [code] = (await once(child, 'close')) as [number]
  return { code, output: output() }
}
