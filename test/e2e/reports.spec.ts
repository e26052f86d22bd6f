import { readFile } from 'node:fs/promises'
import { pathToFileURL } from 'node:url'
import type { Download, Page } from '@playwright/test'
import type { Sandbox } from '../../server/index.ts'
import { expect, test } from './fixtures.ts'
import { brokenRules } from './pages/accessibility.ts'
import { startReceiverOfAcme } from './pages/receiver.ts'

/** Opens a saved report without the sandbox. @returns what it requested or complained about */
async function openSaved(page: Page, download: Download, to: string): Promise<string[]> {
  await download.saveAs(to)
  const seen: string[] = []
  page.on('request', (request) => seen.push(request.url()))
  page.on('console', (message) => seen.push(message.text()))
  page.on('pageerror', (error) => seen.push(error.message))
  await page.goto(pathToFileURL(to).href)
  return seen
}

async function signIn(sandbox: Sandbox): Promise<void> {
  await sandbox.signIn({ user: 'alice' })
}

test('a sign-in is saved as a page that opens without the sandbox', async ({
  page,
  context,
  sandbox,
}, info) => {
  await signIn(sandbox)
  await page.goto(`${sandbox.url}/_sandbox/sign-ins`)
  await page.getByRole('link', { name: /alice/ }).first().click()
  await page.getByRole('button', { name: 'Export', exact: true }).click()
  const saving = page.waitForEvent('download')
  await page.getByRole('menuitem', { name: 'HTML report' }).click()
  const download = await saving
  expect(download.suggestedFilename()).toMatch(/^sign-in-.*\.html$/)
  await page.close()
  await sandbox.close()

  const file = info.outputPath('sign-in.html')
  const report = await context.newPage()
  const seen = await openSaved(report, download, file)
  await expect(report.getByRole('heading', { level: 1 })).toHaveText(/^Sign-in /)
  await expect(report.getByRole('heading', { name: /^token request/ })).toBeVisible()
  // The stylesheet applies under the policy of the page itself.
  await expect(report.getByRole('img', { name: /Sequence diagram/ })).toHaveCSS('max-width', '100%')
  expect(seen).toEqual([pathToFileURL(file).href])
  for (const colorScheme of ['light', 'dark'] as const) {
    await report.emulateMedia({ colorScheme })
    expect(await brokenRules(report)).toEqual([])
  }
  // Nothing scrolls sideways on a telephone, and paper has what is folded.
  await report.setViewportSize({ width: 360, height: 700 })
  expect(await report.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360)
})

test('a delivery and a run are saved in the same way, and print what is folded', async ({
  page,
  sandbox,
}, info) => {
  const receiver = await startReceiverOfAcme(sandbox, { name: 'bot', secret: 's3cret-of-the-bot' })
  await signIn(sandbox)
  await sandbox.trigger({ event: 'repo.content', repo: 'datasets/acme/corpus' })
  await sandbox.idle()
  const [delivery] = await sandbox.deliveries()
  await page.goto(`${sandbox.url}/_sandbox/deliveries/${delivery?.id}`)
  await page.getByRole('button', { name: 'More actions' }).click()
  const savingOne = page.waitForEvent('download')
  await page.getByRole('menuitem', { name: 'HTML report' }).click()
  const one = await savingOne
  expect(one.suggestedFilename()).toBe(`delivery-${delivery?.id}.html`)

  await page.goto(`${sandbox.url}/_sandbox/requests`)
  const savingRun = page.waitForEvent('download')
  await page.getByRole('button', { name: 'HTML report' }).click()
  const run = await savingRun
  await receiver.close()

  const seen = await openSaved(page, run, info.outputPath('run.html'))
  await expect(page.getByText('1 sign-in, 1 delivery')).toBeVisible()
  expect(seen).toHaveLength(1)
  const folded = page.locator('details pre').first()
  await expect(folded).toBeHidden()
  await page.emulateMedia({ media: 'print' })
  await expect(folded).toBeVisible()
  await one.saveAs(info.outputPath('one.html'))
  const text = await readFile(info.outputPath('one.html'), 'utf8')
  expect(text).not.toContain('s3cret-of-the-bot')
})
