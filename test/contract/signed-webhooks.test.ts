import { expect, test } from 'vitest'
import type { ErrorBody } from '../../server/contract/control.ts'
import { WebhookItem } from '../../server/contract/control-webhooks.ts'
import { controlWorld, expectInvalid } from '../helpers/control.ts'

const world = controlWorld({ deliveryProfile: 'standard-webhooks' })
const { call, read } = world

const create = (secret: string) =>
  call<WebhookItem & ErrorBody>('POST', 'webhooks', {
    user: 'alice',
    url: 'http://localhost:9/',
    watched: [{ type: 'user', name: 'alice' }],
    secret,
  })

test.each(['not base64!', 'whsec_', 'whsec_abc', 'YWJjZ', 'YWJj=='])(
  'refuses the secret %s with the reason that receivers could not verify it',
  async (secret) => {
    const made = await create(secret)
    expectInvalid(made, ['secret'])
    expect(made.body.message).toContain('base64')
    const webhook = (await create('whsec_c2VjcmV0c2VjcmV0')).body
    expectInvalid(await call('PATCH', `webhooks/${webhook.id}`, { secret }), ['secret'])
  },
)

test('lists a webhook with a secret of another profile with the reason', async () => {
  const { body: webhook } = await create('c2VjcmV0c2VjcmV0')
  expect(webhook).not.toHaveProperty('problem')
  const { webhooks } = world.sandbox.deps.state
  webhooks.put({ ...webhooks.get(webhook.id)!, secret: 'made under the hub profile' })
  const body = await read(WebhookItem, `webhooks/${webhook.id}`)
  expect(body.problem).toContain('base64')
})
