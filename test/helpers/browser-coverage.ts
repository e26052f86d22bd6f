import { randomUUID } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, BrowserContext, Page } from '@playwright/test'

const dashboard = new URL('../../dist/renderer/', import.meta.url)

/** Of a script's address, its path in the folder of the built dashboard. */
const assetPath = /\/_sandbox\/(assets\/[\w.-]+\.js)$/

/** Writes down what ran of the dashboard in any page of the browser, in the form of Node's own coverage files. */
export function recordCoverage(browser: Browser, folder: string): void {
  const newContext = browser.newContext.bind(browser)
  browser.newContext = async (options) => {
    const context = await newContext(options)
    recordPages(context, folder)
    return context
  }
}

function recordPages(context: BrowserContext, folder: string): void {
  const recorded = new Map<Page, Promise<void>>()
  const save = async (page: Page) => {
    const started = recorded.get(page)
    if (started === undefined || !recorded.delete(page) || page.isClosed()) return
    await started
    write(folder, await page.coverage.stopJSCoverage())
  }
  context.on('page', (page) => {
    recorded.set(page, page.coverage.startJSCoverage({ resetOnNavigation: false }))
    const close = page.close.bind(page)
    page.close = async (options) => {
      await save(page)
      await close(options)
    }
  })
  const close = context.close.bind(context)
  context.close = async (options) => {
    await Promise.all([...recorded.keys()].map(save))
    await close(options)
  }
}

type Scripts = Awaited<ReturnType<Page['coverage']['stopJSCoverage']>>

function write(folder: string, scripts: Scripts): void {
  const result = scripts.flatMap(({ scriptId, url, functions }) => {
    const [, path] = assetPath.exec(new URL(url).pathname) ?? []
    return path === undefined ? [] : [{ scriptId, url: new URL(path, dashboard).href, functions }]
  })
  if (result.length === 0) return
  const raw = join(folder, 'browser')
  mkdirSync(raw, { recursive: true })
  writeFileSync(join(raw, `${randomUUID()}.json`), JSON.stringify({ result }))
}
