import { expect, test } from 'vitest'
import { receiverModules } from '../../../../server/lab/audit/receiver/receiver-catalog.ts'
import { madeUpMistakes } from '../../../helpers/receiver-mistakes.ts'
import type {
  Reaction,
  Receiver,
  Sent,
} from '../../../../server/lab/audit/receiver/audited-receiver.ts'

/** A receiver whose reactions are made up, so that no test waits. */
function receiverOf(
  react: (sent: Sent, index: number) => Partial<Reaction> | 'no response',
): Receiver {
  let count = 0
  return {
    secretIn: 'header',
    isSigned: false,
    deadlineMs: 30_000,
    payload: () => ({ event: { scope: 'repo', action: 'update' } }),
    messageId: () => 'id',
    async send(sent = {}) {
      const reaction = react(sent, count++)
      const common = { durationMs: 10, text: '' }
      return reaction === 'no response' ? common : { status: 200, ...common, ...reaction }
    },
    wait: async () => undefined,
  }
}

async function run(id: string, react: Parameters<typeof receiverOf>[0]) {
  const module = receiverModules.find((one) => one.id === id)
  if (module === undefined) throw new Error(`no module ${id}`)
  const { outcome, level = module.level } = await module.provoke(receiverOf(react))
  return outcome === 'failed' ? `failed: ${level}` : outcome
}

const refusal = { status: 503 }
const isPaced = ({ pace }: Sent) => pace !== undefined

const rows = [
  ['time/answer', 'a quick receiver', () => ({}), 'passed'],
  [
    'time/answer',
    'one slow response',
    (_: Sent, n: number) => (n === 3 ? { durationMs: 5001 } : {}),
    'failed: warning',
  ],
  ['time/answer', 'a response after the deadline', () => ({ durationMs: 30_000 }), 'failed: error'],
  ['time/answer', 'a refusal', (_: Sent, n: number) => (n === 4 ? refusal : {}), 'failed: warning'],
  [
    'time/burst',
    'two slow responses of 50',
    (_: Sent, n: number) => (n < 2 ? { durationMs: 6000 } : {}),
    'passed',
  ],
  [
    'time/burst',
    'four slow responses of 50',
    (_: Sent, n: number) => (n < 4 ? { durationMs: 6000 } : {}),
    'failed: warning',
  ],
  [
    'time/burst',
    'one refusal',
    (_: Sent, n: number) => (n === 49 ? refusal : {}),
    'failed: warning',
  ],
  ['time/slow-sender', 'a concurrent receiver', () => ({}), 'passed'],
  [
    'time/slow-sender',
    'a receiver that takes turns',
    (_: Sent, n: number) => (n > 3 ? { durationMs: 8000 } : {}),
    'failed: warning',
  ],
  ['time/kept-open', 'a concurrent receiver', () => ({}), 'passed'],
  [
    'time/kept-open',
    'a receiver that runs out of connections',
    (sent: Sent, n: number) => (n > 3 && !isPaced(sent) ? { durationMs: 4000 } : {}),
    'failed: note',
  ],
  ['http/redirect', 'a receiver', () => ({}), 'passed'],
  ['http/redirect', 'a receiver that redirects', () => ({ status: 308 }), 'failed: error'],
  ['http/redirect', 'a receiver that fails', () => ({ status: 500 }), 'inconclusive'],
  ['http/redirect', 'a receiver without a response', () => 'no response' as const, 'inconclusive'],
] as const

test.each(rows)('%s judges %s', async (id, _title, react, expected) => {
  expect(await run(id, react)).toBe(expected)
})

test('each mistake of the list fails its module', () => {
  for (const [mistake, modules] of Object.entries(madeUpMistakes)) {
    const failing = rows.filter(
      ([, title, , expected]) => title === mistake && expected.startsWith('failed'),
    )
    expect([mistake, failing.map(([id]) => id)]).toEqual([mistake, modules])
  }
})
