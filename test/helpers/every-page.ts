import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { type Browser, expect } from '@playwright/test'
import { startSandbox } from '../../server/index.ts'
import { makeBusy } from '../e2e/busy-sandbox.ts'
import { Dashboard } from '../e2e/pages/dashboard.ts'
import { everyDialog, takeWay, type Way } from '../e2e/pages/every-dialog.ts'
import { fixedPages, pagesOfThings } from '../e2e/pages/every-page.ts'

const widths = [1440, 480]

/**
 * Takes a picture of each page and dialog of the dashboard, light and dark, wide and narrow, with the longest names there
 * may be.
 * @param folder is made anew
 * @returns how many there are
 */
export async function shootEveryPage(browser: Browser, folder: string): Promise<number> {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  const sandbox = await startSandbox({ seed: 1 })
  let count = 0
  try {
    await sandbox.control('POST', 'snapshots', { name: 'before' })
    const end = await makeBusy(sandbox)
    const pages = { ...named(fixedPages), ...(await pagesOfThings(sandbox)) }
    const ways: Record<string, Way> = {
      ...Object.fromEntries(
        Object.entries(pages).map(([name, path]) => [name, { path, clicks: [] }]),
      ),
      ...(await everyDialog(sandbox)),
    }
    for (const colorScheme of ['light', 'dark'] as const) {
      for (const width of widths) {
        const context = await browser.newContext({
          colorScheme,
          reducedMotion: 'reduce',
          viewport: { width, height: 900 },
        })
        const page = await context.newPage()
        const dashboard = new Dashboard(page, sandbox.url)
        await dashboard.open('/')
        for (const [name, way] of Object.entries(ways)) {
          await takeWay(dashboard, way)
          await expect(page.getByText(/^Loading/)).toHaveCount(0)
          await page.screenshot({
            path: join(folder, `${name}-${colorScheme}-${width}.png`),
            animations: 'disabled',
          })
          count += 1
        }
        await context.close()
      }
    }
    await end()
  } finally {
    await sandbox.close()
  }
  return count
}

/** `/people?view=organizations` is `people-view-organizations`. */
function named(paths: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    paths.map((path) => [path.slice(1).replaceAll(/\W+/g, '-') || 'overview', path]),
  )
}
