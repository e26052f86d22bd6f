import { randomBytes } from 'node:crypto'
import * as fc from 'fast-check'
import { Webhook as Verifier } from 'standardwebhooks'
import { describe, expect, test } from 'vitest'
import { signingKeyOf } from '../../../../server/hub/webhooks/delivery/webhook-secret.ts'
import { createWebhookWorld, startReceiver } from '../../../helpers/webhook-world.ts'

const settings = { deliveryProfile: 'standard-webhooks' } as const
const noMatch = 'No matching signature found'
const key = randomBytes(24).toString('base64')

describe('the standard-webhooks profile, judged by the library of that name', () => {
  test.each([key, `whsec_${key}`])(
    'signs with %s, by real time, whatever the clock says',
    async (secret) => {
      const receiver = await startReceiver()
      const world = await createWebhookWorld({ settings })
      world.addWebhook({ url: receiver.url, secret })
      world.engine.start()
      world.emit()
      await world.settle()
      // Verification has a tolerance of five minutes.
      world.clock.advance(30 * 86_400_000)
      world.emit()
      await world.settle()
      expect(receiver.received).toHaveLength(2)
      for (const { body, headers } of receiver.received) {
        const signed = headers as Record<string, string>
        const verifier = new Verifier(secret)
        expect(verifier.verify(body, signed)).toEqual(JSON.parse(body))
        const forged = `v1,${randomBytes(32).toString('base64')}`
        expect(() => verifier.verify(body, { ...signed, 'webhook-signature': forged })).toThrow(
          noMatch,
        )
        expect(() => verifier.verify(`${body} `, signed)).toThrow(noMatch)
        const stranger = new Verifier(randomBytes(24).toString('base64'))
        expect(() => stranger.verify(body, signed)).toThrow(noMatch)
      }
    },
  )

  test('takes for a key only what the library takes, too', () => {
    const secret = fc.oneof(
      fc.string({ maxLength: 12 }),
      fc.base64String({ maxLength: 24 }),
      fc.stringMatching(/^(whsec_)?[A-Za-z0-9+/_-]{0,12}={0,3}$/),
    )
    fc.assert(
      fc.property(secret, (text) => {
        const own = signingKeyOf(text)
        if (own === undefined) return
        const payload = '{}'
        const signed = new Verifier(own, { format: 'raw' }).sign('id', new Date(0), payload)
        expect(new Verifier(text).sign('id', new Date(0), payload)).toBe(signed)
      }),
      { numRuns: 2000 },
    )
    for (const fine of [key, key.replace(/=+$/, ''), `whsec_${key}`, 'YWJj']) {
      expect(signingKeyOf(fine)).toBeDefined()
    }
  })

  test('sends nothing for a secret that is no key, and does not blame the receiver', async () => {
    const receiver = await startReceiver()
    const world = await createWebhookWorld({ settings })
    const webhook = world.addWebhook({ url: receiver.url, secret: 'made under another profile' })
    world.engine.start()
    world.emit()
    await world.settle()
    expect(world.only()).toMatchObject({ state: 'failed', attempts: 1 })
    expect(world.state.attempts.first()?.error).toMatchObject({
      class: 'sender_fault',
      message: expect.stringContaining('base64'),
    })
    expect(await world.engine.replay(world.only().id)).toMatchObject({
      error: { class: 'sender_fault' },
    })
    expect(receiver.received).toEqual([])
    expect(world.state.webhooks.get(webhook.id)).toMatchObject({
      status: 'enabled',
      consecutiveFailures: 0,
    })
  })
})
