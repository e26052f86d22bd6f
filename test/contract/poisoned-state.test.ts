import { expect, onTestFinished, test, vi } from 'vitest'
import { startSandbox } from '../../server/index.ts'
import type { Delivery, Webhook } from '../../server/store/entities/webhook-entities.ts'
import { definitions, stateFormatVersion } from '../../server/store/state.ts'
import { openStore } from '../../server/store/store.ts'
import { temporaryDirectory } from '../helpers/temporary-directory.ts'

const id = (number: number) => number.toString(16).padStart(24, '0')

/** Each of them passes the schema of the state, and each has stopped a sandbox that had to work on it. */
const poisonedWebhooks: Partial<Webhook>[] = [
  {},
  { url: 'http://[' },
  { url: 'http://127.0.0.1:1/a b', secret: 'line\nfeed' },
  { job: job({ dockerImage: 'hasOwnProperty' }) },
  { job: job({ dockerImage: 'any', environment: { NUL: '\0' } }) },
  { job: job({ dockerImage: 'any', secrets: { HUGE: 'x'.repeat(2 << 20) } }) },
  { job: job({ dockerImage: 'any', flavor: '__proto__' }) },
]

function job(changes: object): NonNullable<Webhook['job']> {
  return {
    command: [],
    arguments: [],
    environment: {},
    secrets: {},
    flavor: 'cpu-basic',
    timeoutSeconds: null,
    labels: {},
    ...changes,
  }
}

async function poison(directory: string): Promise<number> {
  const store = await openStore(definitions, { directory, formatVersion: stateFormatVersion })
  const state = store.collections
  const [owner] = state.users.values()
  const [repo] = state.repos.values()
  if (owner === undefined || repo === undefined) throw new Error('the fixtures are not loaded')
  let count = 0
  const deliver = (webhookId: string, more: Partial<Delivery>, body: string | undefined) => {
    count += 1
    const delivery = state.deliveries.put({
      id: id(count),
      seq: count,
      messageId: `message-${count}`,
      webhookId,
      eventId: 'event',
      scope: 'repo.content',
      action: 'update',
      repo: 'acme/corpus',
      repoType: 'dataset',
      repoId: repo.id,
      state: 'queued',
      matchedBy: 'org:acme',
      attempts: 0,
      tries: 0,
      createdAt: 0,
      ...more,
    })
    if (body === undefined) return
    state.deliveryBodies.put({ id: delivery.id, body, sha256: '', bytes: body.length })
  }
  for (const [index, changes] of poisonedWebhooks.entries()) {
    const webhook = state.webhooks.put({
      id: id(100 + index),
      ownerId: owner.id,
      watched: [],
      domains: ['repo'],
      status: 'enabled',
      consecutiveFailures: 0,
      createdAt: 0,
      ...changes,
    })
    deliver(webhook.id, {}, '{}')
    deliver(webhook.id, {}, undefined)
    deliver(webhook.id, { state: 'sending', attempts: 1 }, '{}')
    deliver(webhook.id, { state: 'waiting', nextRetryAt: 0 }, '{}')
  }
  state.attempts.put({ id: 'x/1', deliveryId: id(999), number: 1, source: 'auto', at: 0 })
  state.jobs.put({
    id: id(50),
    namespace: 'constructor',
    ownerId: id(51),
    ownerType: 'user',
    spec: job({ dockerImage: 'toString' }),
    stage: 'RUNNING',
    initiatorType: 'hasOwnProperty',
    initiatorId: '__proto__',
    executed: true,
    createdAt: 0,
  })
  await store.close()
  return count
}

test('a start accepts whatever is stored, and reports each invalid item with its reason', async () => {
  const data = temporaryDirectory()
  const warnings = vi.spyOn(process, 'emitWarning').mockReturnValue()
  const options = { data, runJobs: { any: 'true' }, runJobsEnv: ['NUL', 'HUGE'] }
  const first = await startSandbox(options)
  await first.close()
  const count = await poison(data)

  const sandbox = await startSandbox(options)
  onTestFinished(() => sandbox.close())
  await sandbox.idle()
  await sandbox.control('POST', 'clock', { untilIdle: true })
  const { items } = await sandbox.control<{
    items: { id: string; state: string; attempts: { error?: { message: string } }[] }[]
  }>('GET', 'deliveries?limit=1000')
  expect(items).toHaveLength(count)
  const open = items.filter(({ state }) => !['succeeded', 'failed', 'cancelled'].includes(state))
  expect(open).toEqual([])
  const reasons = JSON.stringify(items)
  for (const reason of [/has no body/, /has no job/, /NUL holds a NUL/, /JOB_SECRETS|HUGE/]) {
    expect(reasons).toMatch(reason)
  }
  expect(await sandbox.control('GET', `jobs/${id(50)}`)).toMatchObject({ stage: 'ERROR' })
  expect((await fetch(`${sandbox.url}/_sandbox/health`)).status).toBe(200)
  expect(warnings).not.toHaveBeenCalledWith(expect.stringMatching(/could not be marked/))
})
