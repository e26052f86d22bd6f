import { describe, expect, test } from 'vitest'
import {
  createProbeLog,
  type ProbeDelivery,
} from '../../../../server/hub/webhooks/delivery/probe-log.ts'
import { recordBody } from '../../../../server/hub/webhooks/delivery/sent-body.ts'
import { createTestDeps } from '../../../helpers/deps.ts'

const probeOf = (module: string, body = ''): Omit<ProbeDelivery, 'id' | 'seq' | 'index'> => ({
  audit: { id: 'audit', module },
  messageId: 'message',
  scope: 'repo.content',
  action: 'update',
  repo: 'acme/corpus',
  repoType: 'dataset',
  attempt: {
    number: 1,
    source: 'audit',
    outcome: 'succeeded',
    at: 0,
    request: {
      method: 'POST',
      url: 'http://localhost/',
      headers: [],
      sent: { body, encoding: 'utf-8', size: body.length, truncated: false },
    },
  },
})

describe('the log of attempts of audits', () => {
  const modulesOf = async (limits: { probes: number; bytes: number }, bodies: string[]) => {
    const log = createProbeLog((await createTestDeps()).deps, limits)
    for (const [index, body] of bodies.entries()) log.add(probeOf(String(index), body))
    return log.newestFirst().map(({ audit }) => audit.module)
  }

  test('drops the oldest above the number of attempts', async () => {
    expect(await modulesOf({ probes: 2, bytes: 100 }, ['', '', ''])).toEqual(['2', '1'])
  })

  test('drops the oldest above the bytes of bodies', async () => {
    expect(await modulesOf({ probes: 9, bytes: 6 }, ['aaa', 'bbb', 'c', 'd'])).toEqual([
      '3',
      '2',
      '1',
    ])
    expect(await modulesOf({ probes: 9, bytes: 6 }, ['aaa', 'bbb', 'c'.repeat(7)])).toEqual([])
  })

  test('counts the bytes anew after it was cleared', async () => {
    const log = createProbeLog((await createTestDeps()).deps, { probes: 9, bytes: 6 })
    log.add(probeOf('old', 'aaaaaa'))
    log.clear()
    log.add(probeOf('new', 'bbbbbb'))
    expect(log.newestFirst().map(({ audit }) => audit.module)).toEqual(['new'])
  })
})

describe('the body of a request in the log', () => {
  const request = { url: 'http://localhost/', headers: [], deadlineMs: 1, connectTimeoutMs: 1 }
  const recorded = (body: Parameters<typeof recordBody>[0]['body'], method?: 'GET') =>
    recordBody({ ...request, body, ...(method && { method }) })

  test('is text, or Base64 for other bytes', () => {
    expect(recorded('é')).toEqual({ body: 'é', encoding: 'utf-8', size: 2, truncated: false })
    expect(recorded(Uint8Array.of(0xc3, 0x28))).toMatchObject({ body: 'wyg=', encoding: 'base64' })
  })

  test('of a GET is empty', () => {
    expect(recorded('unsent', 'GET')).toMatchObject({ body: '', size: 0 })
  })

  test('is cut at 64 KiB, between characters', () => {
    const { body, encoding, size, truncated } = recorded(`a${'é'.repeat(40_000)}`)
    expect({ length: Buffer.byteLength(body), encoding, size, truncated }).toEqual({
      length: 64 * 1024 - 1,
      encoding: 'utf-8',
      size: 80_001,
      truncated: true,
    })
  })

  test('that is made while it is sent is read no further than needed', () => {
    let made = 0
    const part = Buffer.alloc(40 * 1024, 'x')
    const { body, size, truncated } = recorded({
      bytes: 100 * part.length,
      *parts() {
        for (; made < 100; made++) yield part
      },
    })
    expect(made).toBeLessThan(3)
    expect({ length: body.length, size, truncated }).toEqual({
      length: 64 * 1024,
      size: 100 * part.length,
      truncated: true,
    })
  })
})
