import { expect, test } from 'vitest'
import { receiverModules } from '../../../../server/lab/audit/receiver/receiver-catalog.ts'
import { verdictOnReceiver } from '../../../../server/lab/audit/receiver/receiver-module.ts'
import type { Effects, Receiver } from '../../../../server/lab/audit/receiver/audited-receiver.ts'

/** Runs a module against a receiver that has the secret `right` and reacts in the same way to all others. */
async function run(id: string, status: number | undefined, work?: number) {
  const module = receiverModules.find((one) => one.id === id)
  if (module === undefined) throw new Error(`no module ${id}`)
  let count = 0
  const effects: Effects = { settled: async () => String(count), unit: 1 }
  const receiver: Receiver = {
    secret: 'right',
    secretIn: 'header',
    isSigned: false,
    deadlineMs: 30_000,
    effects: work === undefined ? undefined : effects,
    payload: () => ({ event: { scope: 'repo', action: 'update' } }),
    messageId: () => 'id',
    wait: async () => undefined,
    async send() {
      count += work ?? 0
      return {
        durationMs: 1,
        text: '',
        deliveryId: 'sent',
        ...(status !== undefined && { status }),
      }
    },
  }
  const judgement = await module.provoke(receiver)
  const { outcome, level, observed, evidence } = verdictOnReceiver(module, judgement, 0, 'right')
  return { judged: outcome === 'failed' ? level : outcome, observed, evidence }
}

test.each([
  ['accepts it', 200, undefined, 'error', 'responded with 200.'],
  ['accepts it and works', 200, 1, 'error', 'responded with 200, and did the work.'],
  ['accepts it and does no work', 200, 0, 'warning', 'responded with 200, but did no work.'],
  ['fails', 500, undefined, 'warning', 'responded with 500 instead of refusing.'],
  ['fails after the work', 500, 1, 'error', 'responded with 500, and did the work.'],
  ['gives no response', undefined, undefined, 'warning', 'unknown reason instead of refusing.'],
  ['refuses it', 401, 0, 'passed', 'refused it, and did no work.'],
])('a receiver without the secret that %s', async (_what, status, work, judged, observed) => {
  const verdict = await run('secret/missing', status, work)
  expect(verdict.judged).toBe(judged)
  expect(verdict.observed).toContain(observed)
})

test('each of several secrets is named, with the delivery that shows it', async () => {
  const { evidence } = await run('secret/prefix', 401)
  expect(evidence).toEqual([
    { id: 'sent', note: 'sent the first half of the secret: responded with 401 after 1 ms' },
    { id: 'sent', note: 'sent the secret with one more character: responded with 401 after 1 ms' },
  ])
})

test.each([
  [401, 'passed', 'refusals look alike'],
  [500, 'inconclusive', 'responded with 500 to a wrong secret with a good body'],
  [200, 'inconclusive', 'responded with 200 to a wrong secret with a good body'],
  [undefined, 'inconclusive', 'so no refusals could be compared'],
])('a leak is judged at refusals, not at %s', async (status, judged, observed) => {
  const verdict = await run('secret/no-leak', status)
  expect(verdict.judged).toBe(judged)
  expect(verdict.observed).toContain(observed)
})
