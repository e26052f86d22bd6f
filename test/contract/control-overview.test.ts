import { beforeEach, expect, test } from 'vitest'
import { Overview } from '../../server/contract/control-health.ts'
import type { TriggerResult } from '../../server/contract/control-events.ts'
import { controlWorld, publicClient, controlWebhooks } from '../helpers/control.ts'

const world = controlWorld()
const { call, read } = world

const { receiver, idle, ...webhooks } = controlWebhooks(world)
beforeEach(() => {
  Object.assign(receiver, { status: 503, text: 'busy, try again later' })
})

const makeWebhook = (more: object = {}) => webhooks.makeWebhook({ name: 'ci-trigger', ...more })

async function trigger(): Promise<TriggerResult> {
  const result = await webhooks.trigger()
  await idle()
  return result
}

const readOverview = () => read(Overview, 'overview')

const authorizeUrl = (redirectUri: string) =>
  `${world.sandbox.url}/oauth/authorize?${new URLSearchParams({
    client_id: publicClient,
    redirect_uri: redirectUri,
    response_type: 'code',
    scope: 'openid',
  })}`

test('an untouched sandbox has no issues and no sign-ins', async () => {
  expect(await readOverview()).toMatchObject({
    issues: { items: [], total: 0 },
    signIns: { recent: [], fixes: [] },
    requestDensity: { spans: [] },
  })
})

test('undelivered deliveries of one cause are one issue, in the words of the receiver', async () => {
  const webhook = await makeWebhook()
  await trigger()
  const last = await trigger()
  const { issues } = await readOverview()
  expect(issues.total).toBe(1)
  expect(issues.items).toMatchObject([
    {
      webhookId: webhook.id,
      name: 'ci-trigger',
      webhookStatus: 'enabled',
      isCurrent: true,
      class: 'http_status',
      status: 503,
      said: 'busy, try again later',
      lastDeliveryId: last.deliveries[0]?.id,
      failing: 2,
      failed: 0,
      mostAttempts: 1,
    },
  ])
})

test('a webhook that works again leaves an issue that is not current, until its deliveries are replayed', async () => {
  await makeWebhook()
  const missed = (await trigger()).deliveries[0]?.id ?? ''
  receiver.status = 200
  await trigger()
  expect((await readOverview()).issues.items).toMatchObject([{ isCurrent: false, failing: 1 }])
  await call('POST', `deliveries/${missed}/replay`, {})
  expect((await readOverview()).issues).toEqual({ items: [], total: 0 })
})

test('issues of a deleted webhook are not listed: nothing can be delivered to it', async () => {
  const { id } = await makeWebhook()
  await trigger()
  await call('DELETE', `webhooks/${id}`)
  expect((await readOverview()).issues.total).toBe(0)
})

test('held deliveries are counted, and are no issue', async () => {
  await makeWebhook({ held: true })
  await trigger()
  const { counts, issues } = await readOverview()
  expect([counts.heldDeliveries, issues.total]).toEqual([1, 0])
})

test('the newest sign-in comes first, and a refused one with its reason and fixes', async () => {
  const form = { client_id: publicClient, scope: 'openid' }
  expect((await world.hub('POST', '/oauth/device', { form })).status).toBe(200)
  await fetch(authorizeUrl('http://localhost:3000/elsewhere'))
  const { recent, fixes, setting } = (await readOverview()).signIns
  expect(recent).toMatchObject([
    {
      outcome: 'refused',
      app: { name: 'Public app' },
      explanation: expect.stringContaining('invalid_redirect_uri') as unknown,
    },
    { outcome: 'pending', kind: 'device-code' },
  ])
  expect(fixes.map(({ kind }) => kind)).toEqual(['redirect-uri'])
  expect(setting).toMatchObject({ clientId: publicClient, field: 'redirectUris' })
})

test('requests are counted over time, with the refused ones', async () => {
  for (const token of ['hf_sandbox_alice', 'no'])
    await world.hub('GET', '/api/whoami-v2', { token })
  const { spans } = (await readOverview()).requestDensity
  const sum = (key: 'requests' | 'refused') => spans.reduce((all, span) => all + span[key], 0)
  expect([sum('requests'), sum('refused')]).toEqual([2, 1])
})
