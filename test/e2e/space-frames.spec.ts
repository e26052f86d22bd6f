import type { FrameLocator, Locator } from '@playwright/test'
import type { AppList } from '../../server/contract/control-apps.ts'
import { expect, test as base } from './fixtures.ts'
import { brokenRules } from './pages/accessibility.ts'
import { findClipped } from './pages/clipped.ts'
import { Dashboard } from './pages/dashboard.ts'
import { type FramedApp, startFramedApp } from './pages/framed-app.ts'
import { startStaticApp } from './pages/static-app.ts'

const test = base.extend<{ dashboard: Dashboard; app: FramedApp; space: string }>({
  dashboard: async ({ page, sandbox }, provide) => provide(new Dashboard(page, sandbox.url)),
  space: async ({ sandbox }, provide) => {
    const { items } = await sandbox.control<AppList>('GET', 'apps')
    await provide(items.find(({ space }) => space !== undefined)?.space ?? '')
  },
  app: async ({ sandbox, space }, provide) => {
    const { items } = await sandbox.control<AppList>('GET', 'apps')
    const client = items.find((item) => item.space === space)
    if (client === undefined) throw new Error('the default fixtures have no Space with an app')
    const app = await startFramedApp(sandbox.url, client)
    await provide(app)
    await app.close()
  },
})

const forFrames = 'SameSite=None; Secure; Partitioned'

/** Frame of the app on the page of the dashboard. */
const frameOf = ({ page }: Dashboard): FrameLocator =>
  page.frameLocator('[title="App in the frame"]')

/** The verdicts on a cookie. */
function cookie({ page }: Dashboard, name: string): Locator {
  return page
    .getByRole('listitem')
    .filter({ has: page.getByRole('heading', { name, exact: true, level: 3 }) })
}

/** Signs in to the app inside its frame, as Gradio does on the Hub. */
async function signInFramed(dashboard: Dashboard): Promise<void> {
  const frame = frameOf(dashboard)
  await frame.getByRole('link', { name: 'Sign in' }).click()
  await frame.getByRole('button', { name: /alice@/ }).click()
  await frame.getByRole('button', { name: 'Allow' }).click()
}

test('an app in the frame loses its cookie, and the page says why', async ({
  dashboard,
  app,
  space,
}) => {
  const { page } = dashboard
  app.setCookies('SameSite=Lax')
  await dashboard.open('/space-frames')
  await dashboard.button('Open app in a frame').click()
  const dialog = dashboard.dialog('Open app in a frame')
  await dialog.getByLabel('URL of the app').fill(app.url)
  await dashboard.choose(dialog.getByLabel('Space'), space)
  await dialog.getByRole('button', { name: 'Open' }).click()

  await expect(dashboard.heading(`Space frame of ${space}`)).toBeVisible()
  await signInFramed(dashboard)
  await expect(
    frameOf(dashboard).getByRole('heading', { name: 'The state of the sign-in is lost' }),
  ).toBeVisible()
  const state = cookie(dashboard, 'oauth_state')
  await expect(state).toContainText('In the frameNot sent')
  await expect(state).toContainText('SameSite=Lax, so browsers do not store it')
  await expect(state).toContainText(`Fix: Set ${forFrames}.`)
  await expect(page.getByText('SPACE_HOST=127.0.0.1:')).toBeVisible()

  // The drawing of the sign-in says the same.
  await dashboard.open('/sign-ins')
  await page.getByRole('link', { name: /alice/ }).first().click()
  await expect(page.getByText('redirect URI called without oauth_state').first()).toBeVisible()
  await expect(page.getByText(`Set ${forFrames}.`).first()).toBeVisible()
})

test(`an app in the frame keeps a cookie with ${forFrames}`, async ({
  dashboard,
  app,
  sandbox,
}) => {
  const { page } = dashboard
  app.setCookies(forFrames)
  const { id } = await sandbox.spaceFrames.open({ target: app.url })
  await dashboard.open(`/space-frames/${id}`)
  await signInFramed(dashboard)
  await expect(frameOf(dashboard).getByRole('heading', { name: 'Hello alice' })).toBeVisible()
  await expect(cookie(dashboard, 'session')).toContainText('In the frameSent')
  await expect(cookie(dashboard, 'oauth_state')).toContainText('In the frameSent')

  // Opened directly, the app has another partition.
  const [tab] = await Promise.all([
    page.waitForEvent('popup'),
    page.getByRole('link', { name: 'Open directly' }).click(),
  ])
  await expect(tab.getByRole('heading', { name: 'Not signed in' })).toBeVisible()
  await expect(cookie(dashboard, 'session')).toContainText('Opened directlyNot sent')
  await expect(cookie(dashboard, 'session')).toContainText('own partition')

  // The mode acts on the next request; the browser keeps the cookies.
  await dashboard.choose(page.getByRole('combobox', { name: 'Cookies' }), 'No cookies in frames')
  await expect(frameOf(dashboard).getByRole('heading', { name: 'Not signed in' })).toBeVisible()
  await expect(cookie(dashboard, 'session')).toContainText('In the frameNot sentby the mode')

  await dashboard.choose(page.getByRole('combobox', { name: 'Cookies' }), 'As your browser')
  await expect(frameOf(dashboard).getByRole('heading', { name: 'Hello alice' })).toBeVisible()
  await expect(cookie(dashboard, 'session')).toContainText('In the frameSent')
  await dashboard.button('Close frame').click()
  await expect(page.getByText('No app is framed')).toBeVisible()
})

test('where third-party cookies are blocked, a cookie needs Partitioned', async ({
  dashboard,
  app,
  sandbox,
}) => {
  app.setCookies('SameSite=None; Secure')
  const { id } = await sandbox.spaceFrames.open({ target: app.url, mode: 'partitioned' })
  await dashboard.open(`/space-frames/${id}`)
  await signInFramed(dashboard)
  await expect(
    frameOf(dashboard).getByRole('heading', { name: 'The state of the sign-in is lost' }),
  ).toBeVisible()
  const state = cookie(dashboard, 'oauth_state')
  await expect(state).toContainText('Not sentby the mode')
  await expect(state).toContainText(`Fix: Set ${forFrames}.`)
})

test('the app opened directly keeps its cookies, on either name of the sandbox', async ({
  page,
  app,
  sandbox,
}) => {
  app.setCookies('SameSite=Lax')
  const dashboard = new Dashboard(page, sandbox.url.replace('localhost', '127.0.0.1'))
  const { id } = await sandbox.spaceFrames.open({ target: app.url })
  await dashboard.open(`/space-frames/${id}`)
  const [tab] = await Promise.all([
    page.waitForEvent('popup'),
    page.getByRole('link', { name: 'Open directly' }).click(),
  ])
  expect(new URL(tab.url()).hostname).toBe('localhost')
  await tab.getByRole('link', { name: 'Sign in' }).click()
  await tab.getByRole('button', { name: /alice@/ }).click()
  await tab.getByRole('button', { name: 'Allow' }).click()
  await expect(tab.getByRole('heading', { name: 'Hello alice' })).toBeVisible()
  await expect(cookie(dashboard, 'session')).toContainText('Opened directlySent')
  await dashboard.button('Reload').click()
  await expect(frameOf(dashboard).getByRole('heading', { name: 'Not signed in' })).toBeVisible()
  await expect(cookie(dashboard, 'session')).toContainText('In the frameNot sent')
})

test('its page is accessible and fits narrow windows', async ({
  dashboard,
  app,
  sandbox,
  space,
}) => {
  const { page } = dashboard
  app.setCookies('SameSite=Lax')
  const { id } = await sandbox.spaceFrames.open({ target: app.url, space })
  await dashboard.open(`/space-frames/${id}`)
  await frameOf(dashboard).getByRole('link', { name: 'Sign in' }).click()
  await expect(cookie(dashboard, 'oauth_state')).toContainText('Not sent')
  for (const colorScheme of ['light', 'dark'] as const) {
    for (const width of [1280, 360]) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
      await page.setViewportSize({ width, height: 800 })
      // Colours change in a transition.
      await expect.poll(() => brokenRules(page)).toEqual([])
      expect(await findClipped(page)).toEqual([])
    }
  }
  await dashboard.open('/space-frames')
  await expect(page.getByText(space)).toBeVisible()
  expect([await brokenRules(page), await findClipped(page)]).toEqual([[], []])
  await dashboard.button('Open app in a frame').click()
  await expect(dashboard.dialog('Open app in a frame')).toBeVisible()
  expect([await brokenRules(page), await findClipped(page)]).toEqual([[], []])
})

test('no other page frames the pages of the Hub', async ({ page, sandbox, app }) => {
  await sandbox.spaceFrames.open({ target: app.url })
  const refused = page.waitForEvent('console', (message) =>
    message.text().includes('frame-ancestors'),
  )
  await page.goto(`${app.url}/framing`)
  expect((await refused).text()).toMatch(/frame-ancestors 'self'/)
})

test('a static Space signs in with @huggingface/hub, which needs no client ID', async ({
  dashboard,
  sandbox,
}) => {
  const { page } = dashboard
  const readme = '---\nsdk: static\nhf_oauth: true\nhf_oauth_scopes: [read-repos]\n---\n'
  const created = await fetch(`${sandbox.url}/api/repos/create`, {
    method: 'POST',
    headers: { authorization: 'Bearer hf_sandbox_alice', 'content-type': 'application/json' },
    body: JSON.stringify({
      name: 'page',
      type: 'space',
      sdk: 'static',
      files: [{ path: 'README.md', encoding: 'utf-8', content: readme }],
    }),
  })
  expect(created.status).toBe(200)
  const app = await startStaticApp()
  // The library knows the Hub by its own URL only.
  await page.route('https://huggingface.co/**', async (route) => {
    const { pathname } = new URL(route.request().url())
    const response = await route.fetch({ url: `${sandbox.url}${pathname}` })
    await route.fulfill({ response })
  })
  const { id, url } = await sandbox.spaceFrames.open({ target: app.url, space: 'alice/page' })
  await dashboard.open(`/space-frames/${id}`)
  await expect(page.getByText('"OAUTH_SCOPES": "openid profile read-repos"')).toBeVisible()
  await expect(frameOf(dashboard).getByText('Scopes: openid profile read-repos')).toBeVisible()

  // Chromium denies local storage to the frame where it blocks third-party cookies, so the user signs in in a tab.
  await page.goto(url)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('button', { name: /alice@/ }).click()
  await page.getByRole('button', { name: 'Allow' }).click()
  await expect(page.getByRole('heading', { name: 'Hello alice' })).toBeVisible()
  await app.close()
})
