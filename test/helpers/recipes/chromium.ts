import { chromium, type Page } from '@playwright/test'
import { onTestFinished } from 'vitest'
import { findBrowser } from '../find-browser.mjs'
import { isLoopbackHost } from '../../../server/core/loopback.ts'
import type { Needs } from './needs.ts'

const find = () => findBrowser({ playwrightPath: chromium.executablePath() })

/** A Chromium-like browser, for an app that runs in one. */
export const chromiumBrowser: Needs = () =>
  find() === undefined ? { obstacle: 'Chrome, Chromium or Edge is not installed' } : {}

/** A page of a browser that has no cookies yet, until the test ends. */
export async function openPage(url: string): Promise<Page> {
  const executablePath = find()
  const browser = await chromium.launch(executablePath === undefined ? {} : { executablePath })
  onTestFinished(() => browser.close())
  const page = await browser.newPage()
  page.setDefaultTimeout(60_000)
  // Fonts and the like of elsewhere: nothing of a test leaves this machine.
  await page.route(
    ({ hostname }) => !isLoopbackHost(hostname),
    (route) => route.abort(),
  )
  await page.goto(url)
  return page
}
