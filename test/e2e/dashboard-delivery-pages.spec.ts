import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { expect, test as base } from './fixtures.ts'
import { DeliveriesPage } from './pages/deliveries.ts'
import { startReceiverOfAcme, type TestReceiver } from './pages/receiver.ts'

interface Loaded {
  path: string
  bytes: number
}

const test = base.extend<{ receiver: TestReceiver; deliveries: DeliveriesPage; loaded: Loaded[] }>({
  // The hub's own profile ends at 1,000 deliveries a day.
  sandboxOptions: { deliveryProfile: 'ci' },
  receiver: async ({ sandbox }, provide) => {
    const receiver = await startReceiverOfAcme(sandbox, { name: 'bot' })
    await provide(receiver)
    await receiver.close()
  },
  deliveries: async ({ page, sandbox, receiver }, provide) => {
    expect(receiver.received).toEqual([])
    const { items } = await sandbox.control<{ items: { id: string }[] }>('GET', 'webhooks')
    for (const { id } of items) await sandbox.control('PATCH', `webhooks/${id}`, { held: true })
    await sandbox.trigger({ ...push, mode: 'send', repeat: { times: 5000 } })
    await provide(new DeliveriesPage(page, sandbox.url))
  },
  loaded: async ({ page }, provide) => provide(noteLoaded(page)),
})

test.describe.configure({ timeout: 90_000 })

const push = { event: 'repo.content', repo: 'datasets/acme/corpus' }

/** Notes what the page reads about deliveries. */
function noteLoaded(page: Page): Loaded[] {
  const loaded: Loaded[] = []
  page.on('response', async (response) => {
    const [, path] = response.url().split('/_sandbox/api/')
    if (path?.startsWith('deliveries') !== true) return
    // Without the ones that the page no longer waits for.
    const body = await response.body().catch(() => Buffer.alloc(0))
    loaded.push({ path, bytes: body.length })
  })
  return loaded
}

const bytesOf = (loaded: readonly Loaded[]) => loaded.reduce((sum, { bytes }) => sum + bytes, 0)

test('5,000 deliveries load a page at a time, down to the last', async ({
  deliveries,
  loaded,
  sandbox,
}) => {
  const { page } = deliveries
  await deliveries.open('/deliveries')
  const grid = page.getByRole('grid', { name: 'Deliveries' })
  await expect(grid).toHaveAttribute('aria-rowcount', '5001')
  await expect(deliveries.fact('Pending')).toHaveText('5,000')
  await expect.poll(() => loaded.length).toBe(3)
  expect(loaded.filter(({ path }) => path.startsWith('deliveries/summary?'))).toHaveLength(1)
  expect(bytesOf(loaded)).toBeLessThan(120_000)

  const { items } = await sandbox.control<{ items: { id: string }[] }>(
    'GET',
    'deliveries?view=rows&limit=1&skip=4999',
  )
  const last = page.locator(`#delivery-${items[0]?.id}`)
  await grid.hover()
  await expect(async () => {
    await page.mouse.wheel(0, 20_000)
    await expect(last).toBeVisible({ timeout: 200 })
  }).toPass()
  await expect(grid.locator('[aria-busy]')).toHaveCount(0)
  // Most pages were passed too fast to be read.
  expect(bytesOf(loaded)).toBeLessThan(1_500_000)

  // The way back ends at the newest.
  await deliveries.press('g')
  await expect(deliveries.rows.first()).toHaveAttribute('aria-rowindex', '2')
  await expect(deliveries.selected).toHaveAttribute('aria-rowindex', '2')
  await deliveries.press('G')
  await expect(deliveries.selected).toHaveAttribute('aria-rowindex', '5001')
  await expect(page).toHaveURL(new RegExp(`/deliveries/${items[0]?.id}`))
  await grid.focus()
  await deliveries.press('PageUp')
  await expect(deliveries.selected).toHaveAttribute('aria-rowindex', '4991')
})

test('a linked delivery in the middle is shown at its place, and the selection moves on from it', async ({
  deliveries,
  loaded,
  sandbox,
}) => {
  const { items } = await sandbox.control<{ items: { id: string }[] }>(
    'GET',
    'deliveries?view=rows&limit=1&skip=2500',
  )
  await deliveries.open(`/deliveries/${items[0]?.id}`)
  await expect(deliveries.selected).toHaveAttribute('aria-rowindex', '2502')
  await expect(deliveries.selected).toBeInViewport()
  // A lower list still shows it, as when the sums appear above.
  await deliveries.page.setViewportSize({ width: 1280, height: 560 })
  await expect(deliveries.selected).toBeInViewport()
  await deliveries.press('j')
  await expect(deliveries.selected).toHaveAttribute('aria-rowindex', '2503')
  await deliveries.press('k')
  await expect(deliveries.page).toHaveURL(new RegExp(`/deliveries/${items[0]?.id}`))
  expect(bytesOf(loaded)).toBeLessThan(400_000)
})

test('the next and the previous failure are found wherever they are', async ({
  deliveries,
  sandbox,
  receiver,
}) => {
  const failing = ['4200', '100'].map(async (skip) => {
    const { items } = await sandbox.control<{ items: { id: string }[] }>(
      'GET',
      `deliveries?view=rows&limit=1&skip=${skip}`,
    )
    return items[0]?.id ?? ''
  })
  receiver.answer(503)
  for (const id of await Promise.all(failing)) {
    await sandbox.control('POST', `deliveries/${id}/replay`, {})
  }
  await deliveries.open('/deliveries')
  await expect(deliveries.rows.first()).toBeVisible()
  const places = ['102', '4202', '4202', '102', '102'] as const
  for (const [index, key] of ([']', ']', ']', '[', '['] as const).entries()) {
    await deliveries.press(key)
    await expect(deliveries.selected).toHaveAttribute('aria-rowindex', places[index] ?? '')
  }
  // From a delivery that has not failed, in both directions.
  for (const [moves, key, place] of [
    ['j', '[', '102'],
    ['k', ']', '102'],
    ['k', '[', '101'],
  ] as const) {
    await deliveries.press(moves)
    await expect(deliveries.selected).toHaveAttribute(
      'aria-rowindex',
      moves === 'j' ? '103' : '101',
    )
    await deliveries.press(key)
    await expect(deliveries.selected).toHaveAttribute('aria-rowindex', place)
  }
})

test('all matches are selected and exported, loaded or not', async ({
  deliveries,
  loaded,
  page,
}) => {
  await deliveries.open('/deliveries?q=kind:repo.content')
  await expect(deliveries.fact('Pending')).toHaveText('5,000')
  await deliveries.button('Select').click()
  await deliveries.button('Select all 5,000').click()
  const bar = page.getByRole('region', { name: 'Selected deliveries' })
  await expect(bar.getByRole('status')).toHaveText('5,000 selected; 500 can be sent at once')
  await expect(bar.getByRole('button', { name: 'Replay…' })).toBeDisabled()
  expect(bytesOf(loaded)).toBeLessThan(300_000)
  await bar.getByRole('button', { name: 'Clear' }).click()

  // A range from the first row to one on another page, past rows that were dropped meanwhile.
  const boxes = page.getByRole('checkbox', { name: /^Select repo.content/ })
  await boxes.first().click()
  await page.getByRole('grid', { name: 'Deliveries' }).focus()
  await deliveries.press('G')
  await expect(deliveries.selected).toHaveAttribute('aria-rowindex', '5001')
  await deliveries.press('g')
  await expect(deliveries.selected).toHaveAttribute('aria-rowindex', '2')
  await page.getByRole('grid', { name: 'Deliveries' }).evaluate((grid) => {
    grid.scrollTop = 400 * 32
  })
  const far = page.locator('[role="row"][aria-rowindex="402"]')
  await far.getByRole('checkbox').click({ modifiers: ['Shift'] })
  await expect(bar.getByRole('status')).toHaveText('401 deliveries selected')

  const download = page.waitForEvent('download')
  await deliveries.button('Export as NDJSON').click()
  const lines = (await readFile(await (await download).path(), 'utf8')).trimEnd().split('\n')
  const ids = lines.map((line) => (JSON.parse(line) as { id: string }).id)
  expect(new Set(ids).size).toBe(5000)
})

test('many deliveries at once do not cause a request each, and none is missed', async ({
  deliveries,
  loaded,
  sandbox,
}) => {
  await deliveries.open('/deliveries')
  await expect(deliveries.fact('Pending')).toHaveText('5,000')
  loaded.length = 0
  for (let round = 0; round < 15; round++) {
    await sandbox.trigger({ ...push, mode: 'send', repeat: { times: 100 } })
  }
  await expect(deliveries.fact('Pending')).toHaveText('6,500')
  const grid = deliveries.page.getByRole('grid', { name: 'Deliveries' })
  await expect(grid).toHaveAttribute('aria-rowcount', '6501')
  expect(loaded.length).toBeLessThan(40)
  const { items } = await sandbox.control<{ items: { id: string }[] }>(
    'GET',
    'deliveries?view=rows&limit=20',
  )
  for (const [index, { id }] of items.entries()) {
    await expect(deliveries.page.locator(`#delivery-${id}`)).toHaveAttribute(
      'aria-rowindex',
      String(index + 2),
    )
  }
})

test('a paused list counts what waits, and shows all of it afterwards', async ({
  deliveries,
  sandbox,
}) => {
  await deliveries.open('/deliveries?q=kind:repo.content')
  const grid = deliveries.page.getByRole('grid', { name: 'Deliveries' })
  await expect(grid).toHaveAttribute('aria-rowcount', '5001')
  await sandbox.trigger(push)
  await expect(grid).toHaveAttribute('aria-rowcount', '5002')
  await deliveries.press('j')
  await sandbox.trigger({ event: 'discussion.create', repo: 'datasets/acme/corpus' })
  await sandbox.trigger({ ...push, mode: 'send', repeat: { times: 1100 } })
  await expect(deliveries.button('1,100 new ↑')).toBeVisible()
  await expect(grid).toHaveAttribute('aria-rowcount', '5002')
  await expect(deliveries.fact('Pending')).toHaveText('5,001')
  await deliveries.press('Space')
  await expect(grid).toHaveAttribute('aria-rowcount', '6102')
  await expect(deliveries.fact('Pending')).toHaveText('6,101')
  await expect(deliveries.selected).toHaveAttribute('aria-rowindex', '1102')
})

test('a reset ends a pause, and the deliveries after it are shown', async ({
  deliveries,
  sandbox,
  receiver,
}) => {
  await deliveries.open('/deliveries')
  await expect(deliveries.rows.first()).toBeVisible()
  await deliveries.press('j')
  await expect(deliveries.button('Stopped following')).toBeVisible()
  await sandbox.control('POST', 'reset', {})
  await expect(deliveries.page.getByText('cleared by a reset')).toBeVisible()
  await deliveries.press('Escape')
  await expect(deliveries.page.getByText('No deliveries yet')).toBeVisible()
  await sandbox.control('POST', 'webhooks', {
    user: 'alice',
    url: receiver.url,
    watched: [{ type: 'org', name: 'acme' }],
  })
  // Their numbers begin again.
  await sandbox.trigger({ ...push, repeat: { times: 3 } })
  await expect(deliveries.rows).toHaveCount(3)
  await expect(deliveries.fact('Succeeded')).toHaveText('3')
})

test('a row leaves a filtered list when it no longer matches, and rows enter it', async ({
  deliveries,
  sandbox,
  receiver,
}) => {
  const idAt = async (skip: number) => {
    const path = `deliveries?view=rows&limit=1&skip=${skip}`
    const { items } = await sandbox.control<{ items: { id: string }[] }>('GET', path)
    return items[0]?.id ?? ''
  }
  const [old, older] = [await idAt(3000), await idAt(3100)]
  receiver.answer(503)
  await sandbox.control('POST', `deliveries/${old}/replay`, {})
  await deliveries.open('/deliveries?state=failing')
  await expect(deliveries.rows).toHaveCount(1)
  // Older ones than all loaded rows.
  await sandbox.control('POST', `deliveries/${older}/replay`, {})
  await expect(deliveries.rows).toHaveCount(2)
  receiver.answer(200)
  await sandbox.control('POST', `deliveries/${old}/replay`, {})
  await expect(deliveries.rows).toHaveCount(1)
  await expect(deliveries.fact('Failing')).toHaveText('1')
  await expect(deliveries.page.locator(`#delivery-${older}`)).toBeVisible()
})
