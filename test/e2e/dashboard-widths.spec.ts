import { makeBusy } from './busy-sandbox.ts'
import { expect, test } from './fixtures.ts'
import { findClipped } from './pages/clipped.ts'
import { Dashboard } from './pages/dashboard.ts'
import { everyDialog, takeWay } from './pages/every-dialog.ts'
import { fixedPages, pagesOfThings } from './pages/every-page.ts'

for (const width of [1280, 1024, 480, 320]) {
  test(`at ${width} px no page scrolls sideways or cuts a control`, async ({ page, sandbox }) => {
    test.slow()
    const end = await makeBusy(sandbox)
    await sandbox.snapshot('before')
    const dashboard = new Dashboard(page, sandbox.url)
    await page.setViewportSize({ width, height: 900 })
    await dashboard.open('/')
    const paths = [...fixedPages, ...Object.values(await pagesOfThings(sandbox))]
    const findings: string[] = []
    for (const path of paths) {
      await dashboard.go(path)
      await expect(page.locator('main h1')).toBeAttached()
      await expect(page.locator('main [aria-busy="true"]')).toHaveCount(0)
      findings.push(...(await findClipped(page)).map((finding) => `${path}: ${finding}`))
    }
    expect(findings).toEqual([])
    await end()
  })
}

for (const width of [1280, 320]) {
  test(`at ${width} px no dialog scrolls sideways or cuts a control`, async ({ page, sandbox }) => {
    test.setTimeout(400_000)
    await sandbox.snapshot('before')
    const end = await makeBusy(sandbox)
    await page.emulateMedia({ reducedMotion: 'reduce' })
    const dashboard = new Dashboard(page, sandbox.url)
    await page.setViewportSize({ width, height: 900 })
    await dashboard.open('/')
    const findings: string[] = []
    for (const [name, way] of Object.entries(await everyDialog(sandbox))) {
      await takeWay(dashboard, way)
      findings.push(...(await findClipped(page)).map((finding) => `${name}: ${finding}`))
    }
    expect(findings).toEqual([])
    await end()
  })
}

test('notices cover neither a page nor a dialog', async ({ page, sandbox }) => {
  const dashboard = new Dashboard(page, sandbox.url)
  await page.setViewportSize({ width: 480, height: 500 })
  await dashboard.open('/settings')
  await dashboard.button(/^Rotate$/).click()
  const notice = dashboard.notice('Signing key rotated')
  await expect(notice).toBeVisible()
  // It stays while the pointer is over it.
  await notice.hover()
  const bottomOf = async (selector: string) => {
    const box = await page.locator(selector).boundingBox()
    return (box?.y ?? 0) + (box?.height ?? 0)
  }
  const top = async () => (await notice.boundingBox())?.y ?? 0
  expect(await bottomOf('main')).toBeLessThanOrEqual(await top())
  await page.keyboard.press('?')
  await expect(dashboard.dialog('Keyboard shortcuts')).toBeVisible()
  const popup = '[role="dialog"]:has(h2:text("Keyboard shortcuts"))'
  await expect.poll(async () => (await bottomOf(popup)) <= (await top())).toBe(true)
})
