import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test as base } from './fixtures.ts'
import { DeliveriesPage } from './pages/deliveries.ts'

const discussions = '/api/datasets/acme/corpus/discussions'

interface Payload {
  event: { scope: string }
  discussion: { num: number }
}

interface Bot {
  url: string
  /** Posts the comment of a person, which the bot answers. */
  start: () => Promise<void>
}

/** A receiver that answers every comment as bob, its own too, up to a number. */
const test = base.extend<{ deliveries: DeliveriesPage; bot: Bot }>({
  deliveries: async ({ page, sandbox }, provide) => provide(new DeliveriesPage(page, sandbox.url)),
  bot: async ({ sandbox }, provide) => {
    const call = async (user: string, path: string, body: object) => {
      const response = await fetch(`${sandbox.url}${path}`, {
        method: 'POST',
        headers: {
          authorization: `Bearer hf_sandbox_${user}`,
          'content-type': 'application/json',
        },
        body: JSON.stringify(body),
      })
      return (await response.json()) as { num: number }
    }
    const say = (user: string, num: number) =>
      call(user, `${discussions}/${num}/comment`, { comment: `from ${user}` })
    let left = 8
    async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
      const chunks: Buffer[] = []
      for await (const chunk of request) chunks.push(chunk as Buffer)
      const { event, discussion } = JSON.parse(Buffer.concat(chunks).toString()) as Payload
      if (event.scope === 'discussion.comment' && left-- > 0) await say('bob', discussion.num)
      response.end()
    }
    const server = createServer((request, response) => void answer(request, response))
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    await provide({
      url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
      start: async () => {
        const { num } = await call('carol', discussions, { title: 'Question', description: '?' })
        await say('carol', num)
        await sandbox.idle()
      },
    })
    server.closeAllConnections()
    server.close()
  },
})

test('a webhook that triggers itself is held, shows its chain, and goes on when released', async ({
  deliveries,
  bot,
  sandbox,
}) => {
  await deliveries.open('/webhooks?new')
  const form = deliveries.dialog('Create webhook')
  await form.getByLabel('URL', { exact: true }).fill(bot.url)
  await form.getByLabel('Name', { exact: true }).first().fill('bot')
  await deliveries.choose(form.getByLabel('Receiver acts as'), 'bob')
  await form.getByRole('button', { name: 'Create' }).click()
  await expect(form).toBeHidden()
  const { items } = await sandbox.control<{ items: { id: string; actsAs?: string }[] }>(
    'GET',
    'webhooks',
  )
  expect(items.map(({ actsAs }) => actsAs)).toEqual(['bob'])
  await sandbox.control('PATCH', `webhooks/${items[0]?.id}`, {
    watched: [{ type: 'org', name: 'acme' }],
  })

  await bot.start()
  await deliveries.open('/deliveries')
  const held = deliveries.rows.filter({ hasText: 'Paused' })
  await expect(held).toHaveCount(1)
  await held.click()
  await deliveries.pane('Summary').click()
  await expect(deliveries.detail).toContainText('This webhook is triggering itself')
  // The heading says the state, and nothing else repeats it.
  await expect(deliveries.detail.getByText('Paused (loop)', { exact: true })).toHaveCount(1)
  await deliveries.pane('Related').click()
  const chain = deliveries.detail.getByRole('list', {
    name: 'Earlier deliveries that caused this one',
  })
  await expect(chain.getByRole('listitem')).toHaveCount(3)
  await deliveries.detail.getByRole('button', { name: 'Release' }).click()
  await sandbox.idle()
  await expect(deliveries.detail.getByRole('button', { name: 'Release' })).toHaveCount(0)
  await expect(deliveries.detail.getByText('Paused (loop)', { exact: true })).toHaveCount(0)
  // One more round, and the next one is held again.
  await deliveries.open('/deliveries')
  await expect(held).toHaveCount(1)

  await deliveries.open(`/deliveries?edit=${items[0]?.id}`)
  const edit = deliveries.dialog('Edit webhook')
  await deliveries.choose(edit.getByLabel('Receiver acts as'), 'Not declared')
  await edit.getByRole('button', { name: 'Save' }).click()
  await expect(edit).toBeHidden()
  const after = await sandbox.control<{ items: { actsAs?: string }[] }>('GET', 'webhooks')
  expect(after.items[0]).not.toHaveProperty('actsAs')
})

test('a delivery says that an undeclared receiver is likely in a loop', async ({
  deliveries,
  bot,
  sandbox,
}) => {
  await sandbox.control('POST', 'webhooks', {
    owner: 'alice',
    url: bot.url,
    watched: [{ type: 'org', name: 'acme' }],
    domains: ['discussion'],
  })
  await bot.start()
  await deliveries.open('/deliveries')
  await expect(deliveries.rows.filter({ hasText: 'Paused' })).toHaveCount(0)
  await deliveries.rows.nth(3).click()
  await deliveries.pane('Related').click()
  const hint = deliveries.detail
    .locator('section')
    .filter({ has: deliveries.page.getByRole('heading', { name: 'Likely a loop' }) })
  await expect(hint).toContainText('within 5 s of this one')
  await hint.getByRole('button', { name: 'Edit webhook' }).click()
  await expect(deliveries.dialog('Edit webhook').getByLabel('Receiver acts as')).toBeVisible()
})
