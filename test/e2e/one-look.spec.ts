import type { Page } from '@playwright/test'
import { expect, test } from './fixtures.ts'
import { brokenRules } from './pages/accessibility.ts'
import { Dashboard } from './pages/dashboard.ts'

/** What one sees of a page: its ground, its words, its font. */
const lookOf = (page: Page) =>
  page.evaluate(() => {
    const ground = [document.body, document.documentElement]
      .map((element) => getComputedStyle(element).backgroundColor)
      .find((color) => color !== 'rgba(0, 0, 0, 0)')
    const { color, fontFamily } = getComputedStyle(document.body)
    return { ground, color, fontFamily }
  })

for (const colorScheme of ['light', 'dark'] as const) {
  test(`the Hub’s pages and the dashboard look like one product: ${colorScheme}`, async ({
    page,
    sandbox,
  }) => {
    await page.emulateMedia({ colorScheme })
    await new Dashboard(page, sandbox.url).open('/')
    const look = await lookOf(page)
    for (const path of ['/login', '/oauth/device', '/alice', '/datasets/acme/corpus', '/nowhere']) {
      await page.goto(`${sandbox.url}${path}`)
      expect([path, await lookOf(page)]).toEqual([path, look])
      await expect(page.getByRole('banner')).toContainText('hub-sandbox')
    }
  })
}

for (const media of [
  { colorScheme: 'light' },
  { colorScheme: 'dark' },
  { colorScheme: 'light', forcedColors: 'active' },
] as const) {
  test(`no page of the Hub breaks an accessibility rule or its policy: ${JSON.stringify(media)}`, async ({
    page,
    sandbox,
  }) => {
    await page.emulateMedia(media)
    const complaints: string[] = []
    page.on('console', (message) => {
      if (message.text().includes('Content Security Policy')) complaints.push(message.text())
    })
    const { name, value } = await sandbox.control<{ name: string; value: string }>(
      'POST',
      'sessions',
      { user: 'alice' },
    )
    const [app] = sandbox.fixtures.apps
    const query = new URLSearchParams({
      client_id: app?.clientId ?? '',
      redirect_uri: 'http://localhost:3000/callback',
      response_type: 'code',
      scope: 'openid profile',
      code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
      code_challenge_method: 'S256',
    })
    const check = async (path: string) => {
      await page.goto(`${sandbox.url}${path}`)
      const broken = await brokenRules(page, 'forcedColors' in media ? 'without-colors' : 'all')
      expect(broken.map((rule) => `${path} ${rule}`)).toEqual([])
    }
    for (const path of ['/login', '/alice', '/datasets/acme/corpus', '/nowhere']) await check(path)
    await page.context().addCookies([{ name, value, url: sandbox.url }])
    for (const path of [`/oauth/authorize?${query}`, '/oauth/device']) await check(path)
    expect(complaints).toEqual([])
  })
}
