import { expect, test, vi } from 'vitest'
import type { Delivery } from '../../../server/index.ts'
import type { Stage } from './recipe.ts'

/** Environment variables of the app of a recipe. */
export const webhookSecret = 'known to both'

/** Sends the events of an organization's repos to the app. */
export const watchAcme = (stage: Stage, path = '/webhook') =>
  stage.sandbox.control('POST', 'webhooks', {
    user: 'alice',
    url: `${stage.app.url}${path}`,
    secret: webhookSecret,
    watched: [{ type: 'org', name: 'acme' }],
  })

/**
 * Lists the discussions and pull requests of a repo.
 * @param path `models/acme/classifier`
 */
export async function discussionsOf(
  stage: Stage,
  path: string,
): Promise<{ num: number; title: string; isPullRequest: boolean; status: string }[]> {
  const headers = { authorization: 'Bearer hf_sandbox_alice' }
  const response = await fetch(`${stage.sandbox.url}/api/${path}/discussions`, { headers })
  const { discussions } = (await response.json()) as {
    discussions: Awaited<ReturnType<typeof discussionsOf>>
  }
  return discussions
}

/** Lists the comments of a discussion, the opening one first. */
export async function commentsOf(
  stage: Stage,
  repo: string,
  { type = 'dataset', num = 1 }: { type?: string; num?: number } = {},
): Promise<{ author: string; content: string }[]> {
  interface Item {
    type: string
    author?: { username: string }
    content?: string
  }
  const path = `repos/${type}/${repo}/discussions/${num}`
  const { timeline } = await stage.sandbox.control<{ timeline: Item[] }>('GET', path)
  return timeline
    .filter((item) => item.type === 'comment')
    .map(({ author, content = '' }) => ({ author: author?.username ?? '', content }))
}

/** Tests that a receiver passes its audit. What counts its work, it does not have. */
export function passesReceiverAudit(stage: Stage, path = '/webhook'): void {
  test('passes the audit of receivers', async () => {
    const { verdicts } = await stage.sandbox.audit.receiver({
      url: `${stage.app.url}${path}`,
      secret: webhookSecret,
    })
    const others = verdicts.filter(({ outcome }) => outcome !== 'passed')
    expect(others.map(({ module, outcome }) => [module, outcome])).toEqual([
      ['again/same', 'inconclusive'],
      ['again/at-once', 'inconclusive'],
    ])
  })
}

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

  passesReceiverAudit(stage)

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
