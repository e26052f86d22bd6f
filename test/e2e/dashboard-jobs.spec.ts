import { expect, test as base } from './fixtures.ts'
import { Dashboard } from './pages/dashboard.ts'

interface Job {
  id: string
  stage: string
  executed: boolean
  exitCode?: number
}

const test = base.extend<{
  dashboard: Dashboard
  /** Starts a job and tells its id. */
  start: (job: object) => Promise<string>
  job: (id: string) => Promise<Job>
}>({
  dashboard: async ({ page, sandbox }, provide) => provide(new Dashboard(page, sandbox.url)),
  start: async ({ sandbox }, provide) => {
    await provide(async (job) => {
      const body = { user: 'alice', namespace: 'acme', ...job }
      return (await sandbox.control<{ id: string }>('POST', 'jobs', body)).id
    })
  },
  job: async ({ sandbox }, provide) =>
    provide(async (id) => sandbox.control<Job>('GET', `jobs/${id}`)),
})

const node = (program: string) => `"${process.execPath}" -e '${program}'`

test.describe('executed jobs', () => {
  test.use({
    sandboxOptions: {
      runJobs: {
        'talks:1': node('console.log("accuracy " + process.env.JOB_ID.length)'),
        'fails:1': node('console.error("no data"); process.exit(3)'),
        'sleeps:1': node('console.log("awake"); setInterval(() => {}, 1000)'),
      },
    },
  })

  test('a job shows its output and settings, but no secret', async ({ dashboard, start, job }) => {
    const id = await start({
      dockerImage: 'talks:1',
      command: ['python', 'evaluate.py'],
      arguments: ['--fast'],
      environment: { EPOCHS: '3' },
      secrets: { TOKEN: 'geheim' },
    })
    await dashboard.open(`/jobs/${id}`)
    const dialog = dashboard.dialog('Job')
    await expect(dialog.getByLabel('Output')).toContainText('accuracy 24')
    await expect(dialog.getByText('completed', { exact: true })).toBeVisible()
    await expect(dialog).toContainText('python evaluate.py --fast')
    await expect(dialog.getByLabel('Environment')).toContainText('EPOCHS=3')
    await expect(dialog.getByLabel('Environment')).toContainText('TOKEN=••••')
    await expect(dialog).not.toContainText('geheim')
    expect(await job(id)).toMatchObject({ stage: 'COMPLETED', executed: true })
    await expect(dialog.getByRole('button', { name: 'Cancel job' })).toHaveCount(0)
  })

  test('a failed job shows its exit code, in the list too', async ({ dashboard, start, job }) => {
    const id = await start({ dockerImage: 'fails:1' })
    await expect.poll(async () => (await job(id)).stage).toBe('ERROR')
    await dashboard.open('/jobs')
    const row = dashboard.table('Jobs').filter({ hasText: 'fails:1' })
    await expect(row).toContainText('exit code 3')
    await row.getByRole('button', { name: id }).click()
    await expect(dashboard.page).toHaveURL(new RegExp(`/jobs/${id}$`))
    await expect(dashboard.dialog('Job').getByLabel('Output')).toContainText('no data')
    await dashboard.dialog('Job').getByRole('button', { name: 'Close' }).click()
    await expect(dashboard.page).toHaveURL(/\/jobs$/)
  })

  test('a running job is cancelled', async ({ dashboard, start, job }) => {
    const id = await start({ dockerImage: 'sleeps:1' })
    await dashboard.open(`/jobs/${id}`)
    const dialog = dashboard.dialog('Job')
    await expect(dialog.getByText('running', { exact: true })).toBeVisible()
    expect(await job(id)).toMatchObject({ stage: 'RUNNING' })
    await dialog.getByRole('button', { name: 'Cancel job' }).click()
    await expect(dashboard.notice('Job cancelled')).toBeVisible()
    await expect(dialog.getByText('canceled', { exact: true })).toBeVisible()
    await expect(dialog.getByRole('button', { name: 'Cancel job' })).toHaveCount(0)
    expect(await job(id)).toMatchObject({ stage: 'CANCELED' })
  })
})

test('a job without a configured command is not shown as executed', async ({
  dashboard,
  start,
  job,
}) => {
  const id = await start({ dockerImage: 'python:3.12', command: ['python', 'x.py'] })
  expect(await job(id)).toMatchObject({ executed: false })
  await dashboard.open(`/jobs/${id}`)
  const dialog = dashboard.dialog('Job')
  await expect(dialog.getByText('recorded (not run)', { exact: true })).toBeVisible()
  await expect(dialog).toContainText('--run-jobs')
  await expect(dialog.getByRole('button', { name: 'Cancel job' })).toHaveCount(0)
})

test('a job that starts while the list is open appears at once', async ({ dashboard, start }) => {
  await dashboard.open('/jobs')
  await expect(dashboard.table('Jobs').filter({ hasText: 'evaluate.py' })).toBeVisible()
  await start({ dockerImage: 'newcomer:1' })
  await expect(dashboard.table('Jobs').filter({ hasText: 'newcomer:1' })).toBeVisible()
})
