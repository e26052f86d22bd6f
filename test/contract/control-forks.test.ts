import { describe, expect, test, vi } from 'vitest'
import type { ForkItem } from '../../server/index.ts'
import { startJsonReceiver, webhookAt } from '../helpers/json-receiver.ts'
import { startTestSandbox } from '../helpers/sandbox.ts'
import { limitRounds } from '../helpers/limit-rounds.ts'

const isUp = (url: string) =>
  fetch(`${url}/_sandbox/health`).then(
    ({ status }) => status === 200,
    () => false,
  )

describe('POST /_sandbox/api/forks', () => {
  test('a fork has the state, settings and time of its sandbox, and DELETE closes it', async () => {
    const sandbox = await startTestSandbox({ strict: true, controlToken: 'let-me-in' })
    const { access_token: token } = await sandbox.tokens.mint({ user: 'carol', role: 'read' })
    await sandbox.clock.freeze()
    await sandbox.clock.set('2031-01-01T00:00:00Z')
    const fork = await sandbox.control<ForkItem>('POST', 'forks')
    expect(fork).toEqual({
      id: 'fork-1',
      url: expect.stringMatching(/^http:\/\/localhost:\d+$/),
      dashboardUrl: `${fork.url}/_sandbox/?token=let-me-in`,
      controlToken: 'let-me-in',
      temporary: false,
    })
    const authorization = { Authorization: 'Bearer let-me-in' }
    expect((await fetch(`${fork.url}/_sandbox/api/overview`)).status).toBe(401)
    const overview = await fetch(`${fork.url}/_sandbox/api/overview`, { headers: authorization })
    expect(await overview.json()).toMatchObject({
      baseUrl: fork.url,
      strict: true,
      clock: { now: '2031-01-01T00:00:00.000Z', frozen: true },
    })
    const tokens = await fetch(`${fork.url}/_sandbox/api/tokens`, { headers: authorization })
    expect(await tokens.text()).toContain(token)
    expect(await sandbox.control('GET', 'forks')).toEqual({ items: [fork] })
    expect(await sandbox.control('GET', `forks/${fork.id}`)).toEqual(fork)

    expect(await sandbox.control('DELETE', `forks/${fork.id}`)).toEqual({})
    expect(await isUp(fork.url)).toBe(false)
    await expect(sandbox.control('DELETE', `forks/${fork.id}`)).rejects.toThrow(
      'There is no fork fork-1.',
    )
    await expect(sandbox.control('GET', `forks/${fork.id}`)).rejects.toThrow(
      'There is no fork fork-1.',
    )
  })

  test('permanent forks survive a reset, and all end with their sandbox', async () => {
    const sandbox = await startTestSandbox()
    const first = await sandbox.control<ForkItem>('POST', 'forks', {})
    const second = await sandbox.control<ForkItem>('POST', 'forks')
    await sandbox.reset()
    expect(await isUp(first.url)).toBe(true)
    await sandbox.close()
    expect(await Promise.all([isUp(first.url), isUp(second.url)])).toEqual([false, false])
  })

  test('forks are for programs and the dashboard, and unknown members are refused', async () => {
    const sandbox = await startTestSandbox()
    const post = (headers: Record<string, string>) =>
      fetch(`${sandbox.url}/_sandbox/api/forks`, { method: 'POST', headers })
    expect((await post({ Origin: 'http://localhost:3000' })).status).toBe(403)
    expect((await post({ 'Sec-Fetch-Site': 'cross-site' })).status).toBe(403)
    await expect(sandbox.control('POST', 'forks', { port: 1 })).rejects.toThrow(
      'port is an unknown key',
    )
    expect(await sandbox.control('GET', 'forks')).toEqual({ items: [] })
  })

  test('a temporary fork ends with its last follower', async () => {
    const sandbox = await startTestSandbox()
    const fork = await sandbox.control<ForkItem>('POST', 'forks', { temporary: true })
    const follow = async () => {
      const hungUp = new AbortController()
      const answer = await fetch(`${sandbox.url}/_sandbox/api/forks/${fork.id}?follow=1`, hungUp)
      expect(answer.headers.get('content-type')).toBe('application/x-ndjson')
      const reader = answer.body?.getReader()
      const { value } = (await reader?.read()) ?? {}
      expect(JSON.parse(Buffer.from(value ?? []).toString())).toEqual(fork)
      return { hungUp, reader }
    }
    const [first, second] = [await follow(), await follow()]
    first.hungUp.abort()
    expect(await isUp(fork.url)).toBe(true)
    second.hungUp.abort()
    await vi.waitFor(async () => expect(await isUp(fork.url)).toBe(false), 30_000)
    expect(await sandbox.control('GET', 'forks')).toEqual({ items: [] })
  })

  test('followers of a fork get its end', async () => {
    const sandbox = await startTestSandbox()
    const fork = await sandbox.control<ForkItem>('POST', 'forks')
    const answer = await fetch(`${sandbox.url}/_sandbox/api/forks/${fork.id}?follow=1`)
    await sandbox.control('DELETE', `forks/${fork.id}`)
    expect(JSON.parse(await answer.text())).toEqual(fork)
  })
})

describe('GET /_sandbox/api/requests?follow=1', () => {
  test('following requests lists the log, then each new one, and ends with the sandbox', async () => {
    const sandbox = await startTestSandbox()
    const ask = (path: string) => fetch(sandbox.url + path)
    await ask('/api/whoami-v2')
    await ask('/oauth/jwks')
    const answer = await fetch(`${sandbox.url}/_sandbox/api/requests?follow=1&method=GET`)
    const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader()
    let text = ''
    const until = async (count: number) => {
      const round = limitRounds()
      while (text.split('\n').length <= count) {
        round()
        text += (await reader?.read())?.value ?? ''
      }
      return text
        .trim()
        .split('\n')
        .map((line) => (JSON.parse(line) as { path: string }).path)
    }
    expect(await until(2)).toEqual(['/api/whoami-v2', '/oauth/jwks'])
    await fetch(`${sandbox.url}/oauth/token`, { method: 'POST' })
    await ask('/.well-known/openid-configuration')
    expect(await until(3)).toEqual([
      '/api/whoami-v2',
      '/oauth/jwks',
      '/.well-known/openid-configuration',
    ])
    await sandbox.reset()
    await ask('/nothing')
    expect((await until(4)).at(-1)).toBe('/nothing')
    await sandbox.close()
    expect((await reader?.read())?.done).toBe(true)
  })
})

describe('GET /_sandbox/api/deliveries?follow=1', () => {
  test('a caller that hung up is unsubscribed', async () => {
    const sandbox = await startTestSandbox()
    const receiver = await startJsonReceiver()
    const waits = Array.from({ length: 20 }, () =>
      sandbox.waitForDelivery(() => false, { timeoutMs: 1 }).catch(() => undefined),
    )
    await Promise.all(waits)
    await sandbox.control('POST', 'webhooks', webhookAt(receiver.url))
    await sandbox.trigger({ event: 'repo.content', repo: 'acme/corpus' })
    const delivery = await sandbox.waitForDelivery(({ state }) => state === 'succeeded')
    expect(delivery.repo).toBe('acme/corpus')
  })
})
