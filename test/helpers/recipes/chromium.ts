import { chromium, type Page } from '@playwright/test'
import { onTestFinished } from 'vitest'
import { findBrowser } from '../find-browser.mjs'
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
  await page.goto(url)
  return page
}
