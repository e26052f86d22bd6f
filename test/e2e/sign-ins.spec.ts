import { type AppSite, startAppSite } from './app-site.ts'
import { expect, test as base } from './fixtures.ts'
import { newestFlow, SignInsPage } from './pages/sign-ins.ts'

const test = base.extend<{ signIns: SignInsPage }>({
  signIns: async ({ page, sandbox }, provide) => provide(new SignInsPage(page, sandbox.url)),
})

let site: AppSite

test.beforeAll(async () => {
  site = await startAppSite()
})

test.afterAll(() => site.close())

test('a sign-in with @huggingface/hub is drawn while it happens in another window', async ({
  signIns,
  sandbox,
  context,
}) => {
  const { page } = signIns
  const client = sandbox.fixtures.apps.find(({ clientSecret }) => clientSecret === undefined)
  await signIns.open('/sign-ins')
  await expect(page.getByText('Nobody has signed in yet')).toBeVisible()

  const window = await context.newPage()
  const settings = new URLSearchParams({ hubUrl: sandbox.url, clientId: client?.clientId ?? '' })
  await window.goto(`${site.url()}/?${settings}`)
  await window.getByRole('button', { name: 'Sign in' }).click()
  await expect(signIns.step('authorization request')).toHaveCount(1)
  await expect(signIns.step('the user looks at the login page')).toContainText('so far')
  await expect(signIns.flow).toContainText('in progress')

  await window.getByRole('button', { name: /alice@/ }).click()
  await expect(signIns.step('the user looks at the consent page')).toContainText('so far')
  await window.getByRole('button', { name: 'Allow' }).click()
  await expect(window.getByRole('status')).toContainText('Hello')
  await expect(signIns.step('token request with PKCE')).toBeVisible()
  await expect(signIns.flow).toContainText('completed')
  await expect(signIns.flow).toContainText('alice')

  const flow = await newestFlow(sandbox)
  await expect(signIns.steps).toHaveCount(flow.steps.length)
  const story = await signIns.story()
  for (const [index, step] of flow.steps.entries()) {
    expect(story[index]).toContain(step.name)
    if (step.status !== undefined) expect(story[index]).toContain(String(step.status))
  }
})
