import { describe, expect, it } from 'vitest'
import { createWebhookWorld, startReceiver } from '../../helpers/webhook-world.ts'

describe('webhook engine', () => {
  it('delivers an event with the documented headers and the frozen body', async () => {
    const receiver = await startReceiver()
    const world = await createWebhookWorld()
    const webhook = world.addWebhook({ url: receiver.url, secret: 's3cret' })
    world.engine.start()
    world.emit()
    await world.settle()

    const delivery = world.only()
    expect(delivery).toMatchObject({ state: 'succeeded', attempts: 1, matchedBy: 'org:acme' })
    const [request] = receiver.received
    expect(request?.headers).toEqual({
      host: `127.0.0.1:${receiver.port}`,
      connection: 'close',
      'content-type': 'application/json',
      'content-length': String(request?.body.length),
      'user-agent': 'hub-sandbox/0.0.0-test',
      'webhook-id': delivery.messageId,
      'x-webhook-secret': 's3cret',
    })
    expect(request?.body).toBe(world.state.deliveryBodies.get(delivery.id)?.body)
    expect(JSON.parse(request?.body ?? '')).toMatchObject({
      event: { scope: 'repo.content', action: 'update' },
      webhook: { id: webhook.id, version: 3 },
    })
  })
})
