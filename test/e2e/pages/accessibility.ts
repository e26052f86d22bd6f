import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from '@playwright/test'
import type { AxeResults, ElementContext, RunOptions } from 'axe-core'

type AxePage = typeof globalThis & {
  axe: { run: (context: ElementContext, options: RunOptions) => Promise<AxeResults> }
}

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

const options = {
  all: {},
  /** Where the colours are the system's: axe reckons with those of the page. */
  'without-colors': { rules: { 'color-contrast': { enabled: false } } },
} satisfies Record<string, RunOptions>

/**
 * The accessibility rules that a page breaks, each with the first element that does.
 * @param within selector of what is asked about
 */
export async function brokenRules(
  page: Page,
  rules: keyof typeof options = 'all',
  within = 'html',
): Promise<string[]> {
  // Once for each page that is loaded: its first run takes twice as long as those that follow.
  if (await page.evaluate(() => !('axe' in globalThis))) await page.evaluate(axe)
  const given: RunOptions = { ...options[rules], resultTypes: ['violations'] }
  return page.evaluate(
    async ([place, wanted]) => {
      // Colours between two schemes have a contrast that no page has for long.
      const transitions = document.getAnimations().filter((one) => one instanceof CSSTransition)
      await Promise.allSettled(transitions.map(({ finished }) => finished))
      const { violations } = await (globalThis as AxePage).axe.run(place, wanted)
      return violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)
    },
    [within, given] as const,
  )
}
