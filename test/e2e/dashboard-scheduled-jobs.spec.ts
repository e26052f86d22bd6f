import { expect, test as base } from './fixtures.ts'
import { Dashboard } from './pages/dashboard.ts'

const test = base.extend<{ dashboard: Dashboard }>({
  dashboard: async ({ page, sandbox }, provide) => provide(new Dashboard(page, sandbox.url)),
})

const jobs = async (sandbox: { control: <T>(method: string, path: string) => Promise<T> }) =>
  (await sandbox.control<{ items: { dockerImage?: string }[] }>('GET', 'jobs')).items.filter(
    ({ dockerImage }) => dockerImage === 'report:1',
  )

test('a job is scheduled, run by the clock and by hand, suspended, resumed and deleted', async ({
  dashboard,
  sandbox,
}) => {
  const { page } = dashboard
  await sandbox.clock.set('2030-01-01T08:00:00Z')
  await sandbox.clock.freeze()
  await dashboard.open('/scheduled-jobs')
  await expect(page.getByText('No scheduled jobs yet')).toBeVisible()
  await dashboard.button('Schedule a job').click()
  const dialog = dashboard.dialog('Schedule a job')
  await dialog.getByLabel('Schedule').fill('every day')
  await dialog.getByLabel('Docker image').fill('report:1')
  await dialog.getByLabel('Command').fill('python report.py')
  await dialog.getByRole('button', { name: 'Schedule a job' }).click()
  await expect(dialog.getByRole('alert')).toContainText('Invalid schedule "every day"')
  await dialog.getByLabel('Schedule').fill('0 9 * * *')
  await dialog.getByRole('button', { name: 'Schedule a job' }).click()
  const row = dashboard.table('Scheduled jobs').nth(1)
  await expect(row).toContainText('python report.py')
  await expect(row).toContainText('in 1h')
  await expect(row).toContainText('never')

  await sandbox.clock.advance('1h')
  await expect.poll(async () => (await jobs(sandbox)).length).toBe(1)
  await expect(row).toContainText('completed')
  await expect(row).toContainText('in 1d')
  await dashboard.button('Run report:1 now').click()
  await expect.poll(async () => (await jobs(sandbox)).length).toBe(2)

  await page.getByRole('switch', { name: 'Active: report:1' }).click()
  await expect(row).toContainText('suspended')
  await sandbox.clock.advance('2d')
  expect(await jobs(sandbox)).toHaveLength(2)
  await page.getByRole('switch', { name: 'Active: report:1' }).click()
  await expect(row).not.toContainText('suspended')

  await row.getByRole('link').click()
  const job = dashboard.beside('Job')
  await expect(job).toContainText('python report.py')
  await page.goBack()
  await dashboard.button('Delete report:1').click()
  await page.getByRole('button', { name: 'Delete scheduled job' }).click()
  await expect(page.getByText('No scheduled jobs yet')).toBeVisible()
})

test('a job that a client schedules appears at once', async ({ dashboard, sandbox }) => {
  await dashboard.open('/scheduled-jobs')
  await expect(dashboard.page.getByText('No scheduled jobs yet')).toBeVisible()
  const answer = await fetch(`${sandbox.url}/api/scheduled-jobs/alice`, {
    method: 'POST',
    headers: { authorization: 'Bearer hf_sandbox_alice', 'content-type': 'application/json' },
    body: JSON.stringify({ schedule: '@daily', jobSpec: { dockerImage: 'newcomer:1' } }),
  })
  expect(answer.ok).toBe(true)
  await expect(dashboard.table('Scheduled jobs').filter({ hasText: 'newcomer:1' })).toBeVisible()
})
