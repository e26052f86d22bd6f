import { pickOwner } from './cast.ts'
import type { DemoWebhook, Scene, Script } from './scene.ts'

/**
 * A webhook: event, delivery, response, retry and replay.
 * @param isFailing the receiver has another secret, so it refuses every delivery
 */
export async function* webhook(scene: Scene, isFailing: boolean): Script {
  const user = pickOwner(scene.cast, scene.user)
  const opened = await scene.openWebhook?.(user.username)
  if (opened === undefined) throw new Error('This program has no webhooks.')
  scene.plays(undefined, user)
  try {
    return yield* play(scene, opened, isFailing)
  } finally {
    opened.close()
  }
}

async function* play(scene: Scene, opened: DemoWebhook, isFailing: boolean): Script {
  const { repo, url } = opened
  if (isFailing) opened.respondsWith(403, { error: 'Invalid webhook secret.' })
  else opened.respondsWith(503, { error: 'Starting up. Try again later.' })
  yield {
    name: 'event',
    explanation: `A commit is pushed to ${repo}, and the Hub sends the event to ${url}.`,
  }
  const deliveryId = await opened.push()
  scene.delivers(deliveryId)
  if (!isFailing) opened.respondsWith(200, { processed: true })
  if (opened.willRetry(deliveryId)) {
    yield {
      name: 'retry',
      explanation: 'The Hub sends a failed delivery again by itself, after a wait that grows.',
    }
    await scene.waitFor('Waiting for the retry of the Hub.', opened.retry(deliveryId))
  }
  yield {
    name: 'replay',
    explanation: 'The developer sends the same delivery once more: same id, same bytes.',
  }
  await opened.replay(deliveryId)
  return isFailing
    ? {
        outcome: 'refused',
        explanation: 'The receiver refused every attempt with 403.',
        fix: 'Give the receiver the secret of the webhook, then replay the delivery: X-Webhook-Secret must be equal to it.',
      }
    : {
        outcome: 'completed',
        explanation: 'The receiver has the event, after one failure and one retry.',
      }
}
