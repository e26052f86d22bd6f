import { expect, test, vi } from 'vitest'
import type { Delivery } from '../../../server/index.ts'
import type { Stage } from './recipe.ts'

/** Environment variables of the app of a recipe. */
export const webhookSecret = 'known to both'

/** The tests of an app that receives webhooks at `/webhook` and prints what a repo's head is now. */
export function receivesWebhooks(stage: Stage): void {
  const watch = (secret: string) =>
    stage.sandbox.control('POST', 'webhooks', {
      user: 'alice',
      url: `${stage.app.url}/webhook`,
      secret,
      watched: [{ type: 'org', name: 'acme' }],
    })
  const ended = ({ state }: Delivery) => state === 'succeeded' || state === 'failed'

  test('acts on a push, and once however often it is told', async () => {
    await watch(webhookSecret)
    await stage.sandbox.trigger({ event: 'repo.content', repo: 'acme/corpus' })
    const delivery = await stage.sandbox.waitForDelivery(ended)
    expect(delivery).toMatchObject({ state: 'succeeded' })
    const { headSha } = (delivery.payload as { repo: { headSha: string } }).repo
    const lines = () =>
      stage.app
        .said()
        .split('\n')
        .filter((line) => line.includes(headSha))
    await vi.waitFor(() => expect(lines()).toHaveLength(1))
    expect(lines()[0]).toMatch(/^dataset acme\/corpus: refs\/heads\/main is now at [\da-f]{40}$/)

    const again = await stage.sandbox.control<{ status: number }>(
      'POST',
      `deliveries/${delivery.id}/replay`,
      {},
    )
    expect(again.status).toBe(200)
    expect(lines()).toHaveLength(1)
  })

  test('answers what it has no use for, so that it is not sent again', async () => {
    await watch(webhookSecret)
    await stage.sandbox.trigger({ event: 'discussion.create', repo: 'acme/corpus' })
    expect(await stage.sandbox.waitForDelivery(ended)).toMatchObject({ state: 'succeeded' })
  })

  test('takes nothing from somebody who does not know the secret', async () => {
    await watch('guessed')
    await stage.sandbox.trigger({ event: 'repo.content', repo: 'acme/corpus' })
    const delivery = await stage.sandbox.waitForDelivery(
      ({ attempts: [first] }) => first?.status !== undefined,
    )
    expect(delivery.attempts[0]).toMatchObject({ status: 403 })
  })
}
