import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { expect, test as base } from './fixtures.ts'
import { DeliveriesPage } from './pages/deliveries.ts'
import { startReceiverOfAcme, type TestReceiver } from './pages/receiver.ts'

interface Delivery {
  id: string
  state: string
  attempts: { source: string; status?: number; outcome: string }[]
}

const test = base.extend<{
  receiver: TestReceiver
  /** The page with the one delivery there is, opened. */
  deliveries: DeliveriesPage
  delivery: () => Promise<Delivery>
}>({
  receiver: async ({ sandbox }, provide) => {
    const receiver = await startReceiverOfAcme(sandbox, { name: 'bot' })
    await sandbox.trigger({ event: 'repo.content', repo: 'datasets/acme/corpus' })
    await sandbox.idle()
    await provide(receiver)
    await receiver.close()
  },
  deliveries: async ({ page, sandbox, receiver }, provide) => {
    expect(receiver.received).toHaveLength(1)
    const deliveries = new DeliveriesPage(page, sandbox.url)
    await deliveries.open('/deliveries')
    await deliveries.rows.first().click()
    await deliveries.pane('Timeline').click()
    await expect(deliveries.detail.getByText('Attempt 1')).toBeVisible()
    await provide(deliveries)
  },
  delivery: async ({ sandbox }, provide) => {
    await provide(async () => {
      const { items } = await sandbox.control<{ items: Delivery[] }>('GET', 'deliveries')
      expect(items).toHaveLength(1)
      return items[0] as Delivery
    })
  },
})

/** Resolves when the sandbox, which runs in this process, has heard that nobody waits for its answer any more. */
function heardHangUp(path: string): Promise<void> {
  return new Promise((resolve) => {
    const note = (message: unknown) => {
      const { request, response } = message as {
        request: IncomingMessage
        response: ServerResponse
      }
      if (request.url !== path) return
      unsubscribe('http.server.request.start', note)
      response.once('close', resolve)
    }
    subscribe('http.server.request.start', note)
  })
}

test('several replays send the same message, and each is counted by its outcome', async ({
  deliveries,
  receiver,
  delivery,
}) => {
  receiver.answerNext(200, 503, 200)
  await deliveries.press('R')
  const dialog = deliveries.dialog('Replay several times')
  await dialog.getByLabel('Times').fill('3')
  await dialog.getByRole('button', { name: 'Replay 3 times' }).click()
  await expect(dialog.getByRole('status')).toHaveText('3 of 3 sent, 2 succeeded')

  expect(receiver.received).toHaveLength(4)
  expect(new Set(receiver.received).size).toBe(1)
  expect(new Set(receiver.messageIds).size).toBe(1)
  const { attempts } = await delivery()
  expect(attempts.map(({ source, status }) => [source, status])).toEqual([
    ['auto', 200],
    ['replay', 200],
    ['replay', 503],
    ['replay', 200],
  ])
  await dialog.getByRole('button', { name: 'Done' }).click()
  await expect(deliveries.detail.getByText('Attempt 4')).toBeVisible()
})

test('a series of replays can be stopped', async ({ deliveries, receiver, delivery }) => {
  const release = receiver.hold()
  await deliveries.press('R')
  const dialog = deliveries.dialog('Replay several times')
  await dialog.getByRole('button', { name: 'Replay 10 times' }).click()
  await expect.poll(() => receiver.received.length).toBe(2)
  await expect(dialog.getByRole('button', { name: 'Cancel' })).toHaveCount(0)
  await dialog.getByRole('button', { name: 'Stop' }).click()
  release()
  await expect(dialog.getByRole('status')).toHaveText('1 of 10 sent, 1 succeeded')
  await expect(dialog.getByRole('button', { name: 'Replay 10 times' })).toBeEnabled()
  expect(receiver.received).toHaveLength(2)
  expect((await delivery()).attempts).toHaveLength(2)
})

test('a refusal by the sandbox ends the series and is reported', async ({
  deliveries,
  receiver,
  delivery,
  page,
}) => {
  let asked = 0
  await page.route('**/api/deliveries/*/replay', async (route) => {
    asked += 1
    if (asked < 3) return route.continue()
    return route.fulfill({ status: 409, json: { message: 'The delivery is being sent.' } })
  })
  await deliveries.button('More actions').click()
  await page.getByRole('menuitem', { name: 'Replay several times…' }).click()
  const dialog = deliveries.dialog('Replay several times')
  await dialog.getByLabel('Times').fill('5')
  await dialog.getByRole('button', { name: 'Replay 5 times' }).click()
  await expect(dialog.getByRole('status')).toHaveText('2 of 5 sent, 2 succeeded')
  await expect(page.getByText('Could not replay the delivery').first()).toBeVisible()
  await expect(page.getByText('The delivery is being sent.').first()).toBeVisible()
  expect(asked).toBe(3)
  expect(receiver.received).toHaveLength(3)
  expect((await delivery()).attempts).toHaveLength(3)
})

test('an invalid number of replays is reported at the field', async ({ deliveries, receiver }) => {
  await deliveries.press('R')
  const dialog = deliveries.dialog('Replay several times')
  const times = dialog.getByLabel('Times')
  for (const bad of ['0', '-1', '1.5', '501', 'many', '']) {
    await times.fill(bad)
    await expect(times).toHaveAccessibleDescription('A whole number from 1 to 500')
    await expect(dialog.getByRole('button', { name: /^Replay/ })).toBeDisabled()
  }
  for (const good of ['1', '500']) {
    await times.fill(good)
    await expect(dialog.getByRole('button', { name: `Replay ${good} time` })).toBeEnabled()
  }
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  expect(receiver.received).toHaveLength(1)
})

test('an edited payload can be reverted; a closed editor sends nothing', async ({
  deliveries,
  receiver,
}) => {
  await deliveries.press('e')
  const dialog = deliveries.dialog('Edit and replay')
  const payload = dialog.getByLabel('Payload')
  const before = await payload.inputValue()
  expect(JSON.parse(before)).toEqual(JSON.parse(receiver.received[0] ?? ''))
  await payload.fill('')
  await expect(payload).toHaveAccessibleDescription('Enter a payload')
  await dialog.getByRole('button', { name: 'Revert' }).click()
  await expect(payload).toHaveValue(before)
  await expect(dialog.getByRole('button', { name: 'Send' })).toBeEnabled()
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await expect(dialog).toBeHidden()
  expect(receiver.received).toHaveLength(1)
})

test('a button keeps focus while its action runs, so no key reaches the page behind its dialog', async ({
  deliveries,
  receiver,
  page,
}) => {
  const release = receiver.hold()
  await deliveries.press('e')
  const dialog = deliveries.dialog('Edit and replay')
  const send = dialog.getByRole('button', { name: 'Send' })
  await dialog.getByLabel('Payload').fill('{"edited": true}')
  await send.press('Enter')
  await expect.poll(() => receiver.received.length).toBe(2)
  await expect(send).toHaveAttribute('aria-busy', 'true')
  await expect(send).toBeFocused()
  // Neither does it send once more, nor does the page behind replay what is opened there.
  for (const key of ['Enter', 'Space', 'r']) await deliveries.press(key)
  await page.evaluate(() => fetch('/_sandbox/api/deliveries'))
  expect(receiver.received).toHaveLength(2)
  release()
  await expect(dialog).toHaveCount(0)
  await expect(deliveries.button('1 new ↑')).toBeVisible()
  expect(receiver.received).toHaveLength(2)
})

test('a pending delivery is cancelled and not retried', async ({ page, sandbox, receiver }) => {
  await sandbox.clock.freeze()
  receiver.answer(503)
  await sandbox.trigger({ event: 'repo.content', repo: 'datasets/acme/corpus' })
  await sandbox.idle()
  const deliveries = new DeliveriesPage(page, sandbox.url)
  await deliveries.open('/deliveries?state=waiting')
  await deliveries.withStatus(503).click()
  await expect(deliveries.button(/^Retry now/)).toBeVisible()
  await deliveries.detail.getByRole('button', { name: 'Cancel' }).click()
  await expect(deliveries.notice('Retries cancelled')).toBeVisible()
  await expect(deliveries.detail.getByText('Cancelled', { exact: true }).first()).toBeVisible()
  await sandbox.clock.advance('30d')
  await sandbox.idle()
  expect(receiver.received).toHaveLength(2)
  const { items } = await sandbox.control<{ items: Delivery[] }>('GET', 'deliveries')
  expect(items.map(({ state }) => state).toSorted()).toEqual(['cancelled', 'succeeded'])
})

test('several deliveries are replayed together, with a summary of the outcomes', async ({
  deliveries,
  page,
  sandbox,
  receiver,
}) => {
  await sandbox.trigger({
    event: 'repo.content',
    repo: 'datasets/acme/corpus',
    repeat: { times: 4 },
  })
  await sandbox.idle()
  await deliveries.open('/deliveries')
  await deliveries.button('Select').click()
  const boxes = page.getByRole('checkbox', { name: /^Select repo.content/ })
  await boxes.first().click()
  await boxes.nth(2).click({ modifiers: ['Shift'] })
  const bar = page.getByRole('region', { name: 'Selected deliveries' })
  await expect(bar.getByRole('status')).toHaveText('3 deliveries selected')
  await bar.getByRole('button', { name: 'Select all 5' }).click()
  receiver.received.length = 0
  receiver.answerNext(503)
  await bar.getByRole('button', { name: 'Replay…' }).click()
  const dialog = deliveries.dialog('Replay 5 deliveries')
  await dialog.getByRole('button', { name: 'Shuffled' }).click()
  await dialog.getByRole('button', { name: 'Send 5 requests' }).click()
  await expect(dialog.getByRole('status')).toContainText('5 requested: 4 succeeded, 1 failed')
  await expect(dialog.getByRole('status')).toContainText('200 × 4')
  expect(receiver.received).toHaveLength(5)
  await dialog.getByRole('button', { name: 'Done' }).click()
  await page.getByRole('button', { name: 'Select', exact: true }).click()
  await expect(bar).toHaveCount(0)
})

test('a duplicate is a new message with the same body', async ({ deliveries, page, receiver }) => {
  await deliveries.button('More actions').click()
  await page.getByRole('menuitem', { name: 'Duplicate…' }).click()
  const dialog = deliveries.dialog('Duplicate 1 delivery')
  await dialog.getByLabel('Duplicates of each').fill('0')
  await expect(dialog.getByRole('alert')).toHaveText('A number from 1 to 100')
  await dialog.getByLabel('Duplicates of each').fill('3')
  await dialog.getByRole('button', { name: 'Send 3 requests' }).click()
  await expect(dialog.getByRole('status')).toContainText('3 requested: 3 succeeded')
  expect(new Set(receiver.received).size).toBe(1)
  expect(new Set(receiver.messageIds).size).toBe(4)
  await dialog.getByRole('button', { name: 'Done' }).click()
  await deliveries.button('3 new ↑').click()
  await expect(deliveries.rows).toHaveCount(4)
  await deliveries.rows.first().click()
  await deliveries.press('x')
  await expect(deliveries.detail.getByText('Duplicate of')).toBeVisible()
})

test('stopping a bulk replay reports how many were sent', async ({
  deliveries,
  sandbox,
  receiver,
}) => {
  await sandbox.trigger({
    event: 'repo.content',
    repo: 'datasets/acme/corpus',
    repeat: { times: 9 },
  })
  await sandbox.idle()
  await deliveries.open('/deliveries')
  await deliveries.button('Select').click()
  await deliveries.button('Select all 10').click()
  receiver.received.length = 0
  const release = receiver.hold()
  const hungUp = heardHangUp('/_sandbox/api/deliveries/replay')
  await deliveries.button('Replay…').click()
  const dialog = deliveries.dialog('Replay 10 deliveries')
  await dialog.getByRole('button', { name: 'Send 10 requests' }).click()
  await expect.poll(() => receiver.received.length).toBe(4)
  await dialog.getByRole('button', { name: 'Stop' }).click()
  await hungUp
  release()
  await expect(dialog.getByRole('status')).toHaveText('Stopped: 4 sent')
  await sandbox.idle()
  expect(receiver.received).toHaveLength(4)
})
