import { describe, expect, test } from 'vitest'
import type { DeliveryRow } from '../../../renderer/api/delivery-rows.ts'
import { toHex } from '../../../renderer/features/deliveries/model/hex.ts'
import {
  deliveryExamples,
  hasSecret,
  payloadText,
  shownHeaders,
  shownUrl,
  repeated,
} from '../../../renderer/features/deliveries/model/snippets.ts'
import {
  decidedOf,
  isFailure,
  isNotRun,
  lookOf,
  outcomeWord,
  stateLooks,
} from '../../../renderer/features/deliveries/model/state-look.ts'
import { resultOfDelivery } from '../../../server/contract/delivery-result.ts'
import type { DeliveryItem } from '../../../server/contract/control-deliveries.ts'

const row = (part: Partial<DeliveryRow>): DeliveryRow => ({
  id: 'd1',
  webhookId: 'w1',
  eventId: 'e1',
  scope: 'repo.content',
  action: 'update',
  repo: 'acme/corpus',
  repoType: 'dataset',
  state: 'succeeded',
  attempts: 1,
  createdAt: '2026-01-01T00:00:00.000Z',
  ...part,
})

describe('a delivery at a glance', () => {
  test.each<[Partial<DeliveryRow>, string]>([
    [{ status: 200 }, '200'],
    [{ status: 0 }, '0'],
    [{ recorded: true }, 'not run'],
    [{ state: 'skipped', reason: 'disabled' }, 'disabled'],
    [{ state: 'skipped' }, 'skipped'],
    [{ state: 'failed', errorClass: 'dns_error' }, 'DNS failed'],
    [{ state: 'failed', status: 503, errorClass: 'http_status' }, '503'],
    // A class without a word of its own is told as it is.
    [{ state: 'failed', errorClass: 'http_status' }, 'http_status'],
    [{ state: 'queued' }, '–'],
  ])('%o: %s', (part, word) => {
    expect(outcomeWord(row(part))).toBe(word)
  })

  test('a job that was taken note of is neither green nor succeeded', () => {
    const recorded = row({ recorded: true })
    expect(isNotRun(recorded)).toBe(true)
    expect(lookOf(recorded)).toMatchObject({ tone: 'neutral', word: 'Not run' })
    // The exit code of one that ran, and a delivery whose last replay was refused.
    for (const part of [{ status: 0 }, { errorClass: 'connection_refused' as const }]) {
      expect(isNotRun(row(part))).toBe(false)
      expect(lookOf(row(part))).toBe(stateLooks.succeeded)
    }
  })

  test('what waits after a failure is failing and open; what was given up is not open', () => {
    const tried = { errorClass: 'timeout', firstOutcome: 'failed' } as const
    const all = [
      row({ state: 'waiting', ...tried }),
      row({ state: 'queued' }),
      row({ state: 'queued', ...tried }),
      row({ state: 'failed', ...tried }),
      row({ state: 'cancelled', ...tried }),
    ]
    const results = all.map((one) => resultOfDelivery(decidedOf(one)))
    expect(results).toEqual(['failing', 'pending', 'failing', 'failed', 'cancelled'])
    expect(all.map(isFailure)).toEqual([true, false, true, true, false])
  })

  test('no two states look and sound alike', () => {
    const looks = Object.values(stateLooks)
    expect(new Set(looks.map(({ word }) => word)).size).toBe(looks.length)
    expect(new Set(looks.map(({ icon }) => icon)).size).toBe(looks.length)
  })
})

describe('bytes as hexadecimal', () => {
  test('sixteen on a line, with what can be read beside them', () => {
    const bytes = new TextEncoder().encode('{"event": "é"}\n\u007f and more')
    expect(toHex(bytes).split('\n')).toEqual([
      '00000000  7b 22 65 76 65 6e 74 22 3a 20 22 c3 a9 22 7d 0a  {"event": ".."}.',
      '00000010  7f 20 61 6e 64 20 6d 6f 72 65                    . and more',
    ])
  })

  test('nothing for nothing, and an end where nobody reads on', () => {
    expect(toHex(new Uint8Array())).toBe('')
    const lines = toHex(new Uint8Array(16 * 1024 + 3)).split('\n')
    expect(lines).toHaveLength(1025)
    expect(lines.at(-1)).toBe('… 3 more bytes')
  })
})

describe('the request of a delivery as text', () => {
  const headers = [
    ['Host', 'localhost:9'],
    ['Content-Length', '17'],
    ['Connection', 'close'],
    ['Content-Type', 'application/json'],
    ['X-Webhook-Secret', '••••••••'],
  ]

  test('the secret is masked until it is asked for, whatever the case of its header', () => {
    expect(hasSecret(headers)).toBe(true)
    expect(hasSecret(headers.slice(0, 4))).toBe(false)
    expect(shownHeaders(headers)).toContainEqual(['X-Webhook-Secret', '••••••••'])
    expect(shownHeaders(headers, 's3cret')).toContainEqual(['X-Webhook-Secret', 's3cret'])
    expect(shownHeaders(headers, '')).toContainEqual(['X-Webhook-Secret', ''])
    expect(shownHeaders(headers, 's3cret').filter(([, value]) => value === 's3cret')).toHaveLength(
      1,
    )
  })

  test.each([
    ['http://localhost:9/hook?secret=***&a=1', 'http://localhost:8/?b&secret=a%20b'],
    ['http://localhost:9/hook?a=1&secret=***', 'http://localhost:8/?secret=a%20b#x'],
    ['http://alice:***@localhost:9/hook', 'http://:a%20b@localhost:8/'],
  ])('%s has what the webhook has now in place of the mask', (masked, present) => {
    expect(shownUrl(masked, present)).toBe(masked.replace('***', 'a%20b'))
    for (const without of ['http://localhost:8/hook?secrets=1@2', undefined]) {
      expect(shownUrl(masked, without)).toBe(masked)
    }
  })

  test('repeats omit the headers that clients set, and have the secret of the webhook', () => {
    const request = { method: 'POST', url: 'http://localhost:9/hook', headers } as never
    expect(repeated(request, { a: "it's" }, { secret: 's3cret' })).toEqual({
      method: 'POST',
      url: 'http://localhost:9/hook',
      headers: [
        ['Content-Type', 'application/json'],
        ['X-Webhook-Secret', 's3cret'],
      ],
      body: `{"a":"it's"}`,
    })
  })

  test('a sent delivery is repeated by curl, fetch and HTTPie, another one by none', () => {
    const delivery = { scope: 'repo', action: 'update', payload: {}, attempts: [] } as never
    const request = { method: 'POST', url: 'http://localhost:9/hook', headers }
    const labels = (attempt: unknown) =>
      deliveryExamples(delivery, attempt as never, undefined).map(({ label }) => label)
    expect(labels({ request })).toEqual([
      'TypeScript',
      'Vitest',
      'Python',
      'curl',
      'fetch',
      'HTTPie',
    ])
    expect(labels({})).toEqual(['TypeScript', 'Vitest', 'Python'])
  })

  test('code for an event names that event', () => {
    const delivery = {
      scope: 'repo.content',
      action: 'update',
      repo: 'acme/corpus',
      payload: { a: 1 },
      messageId: 'msg_1',
      attempts: [],
    } as unknown as DeliveryItem
    const codeOf = (wanted: string) =>
      deliveryExamples(delivery, undefined, { secret: 's3cret' })
        .find(({ label }) => label === wanted)
        ?.render()
    expect(codeOf('TypeScript')).toContain("hooks.on('repo.content.update'")
    expect(codeOf('Python')).toContain('event["scope"] == "repo.content"')
    const vitest = codeOf('Vitest')
    expect(vitest).toContain("'webhook-id': 'msg_1'")
    expect(vitest).toContain(payloadText({ a: 1 }))
    // What is kept in a repository must not hold it.
    expect(vitest).not.toContain('s3cret')
  })

  test('what has no payload is an empty text', () => {
    expect(payloadText(undefined)).toBe('')
    expect(payloadText(null)).toBe('null')
  })
})
