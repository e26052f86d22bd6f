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
    const panel = dashboard.beside('Job')
    await expect(panel.getByLabel('Output')).toContainText('accuracy 24')
    await expect(panel.getByText('completed', { exact: true })).toBeVisible()
    await expect(panel).toContainText('python evaluate.py --fast')
    await expect(panel.getByLabel('Environment')).toContainText('EPOCHS=3')
    await expect(panel.getByLabel('Environment')).toContainText('TOKEN=••••')
    await expect(panel).not.toContainText('geheim')
    expect(await job(id)).toMatchObject({ stage: 'COMPLETED', executed: true })
    await expect(panel.getByRole('button', { name: 'Cancel job' })).toHaveCount(0)
  })

  test('a failed job shows its exit code, in the list too', async ({ dashboard, start, job }) => {
    const id = await start({ dockerImage: 'fails:1' })
    await expect.poll(async () => (await job(id)).stage).toBe('ERROR')
    await dashboard.open('/jobs')
    const row = dashboard.table('Jobs').filter({ hasText: 'fails:1' })
    await expect(row).toContainText('exit code 3')
    await row.getByRole('button', { name: id }).click()
    await expect(dashboard.page).toHaveURL(new RegExp(`/jobs/${id}$`))
    await expect(dashboard.beside('Job').getByLabel('Output')).toContainText('no data')
    await dashboard
      .beside('Job')
      .getByRole('button', { name: /^Close/ })
      .click()
    await expect(dashboard.page).toHaveURL(/\/jobs$/)
  })

  test('a running job is cancelled', async ({ dashboard, start, job }) => {
    const id = await start({ dockerImage: 'sleeps:1' })
    await dashboard.open(`/jobs/${id}`)
    const panel = dashboard.beside('Job')
    await expect(panel.getByText('running', { exact: true })).toBeVisible()
    expect(await job(id)).toMatchObject({ stage: 'RUNNING' })
    await panel.getByRole('button', { name: 'Cancel job' }).click()
    await expect(dashboard.notice('Job cancelled')).toBeVisible()
    await expect(panel.getByText('canceled', { exact: true })).toBeVisible()
    await expect(panel.getByRole('button', { name: 'Cancel job' })).toHaveCount(0)
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
  const panel = dashboard.beside('Job')
  await expect(panel.getByText('not run', { exact: true })).toBeVisible()
  await expect(panel).toContainText('--run-jobs')
  await expect(panel.getByRole('button', { name: 'Cancel job' })).toHaveCount(0)
})

test('a job that starts while the list is open appears at once', async ({ dashboard, start }) => {
  await dashboard.open('/jobs')
  await expect(dashboard.table('Jobs').filter({ hasText: 'evaluate.py' })).toBeVisible()
  await start({ dockerImage: 'newcomer:1' })
  await expect(dashboard.table('Jobs').filter({ hasText: 'newcomer:1' })).toBeVisible()
})
