// Draws what the icons of the desktop app are made of, from the dashboard's logo: `node electron/draw-icons.mjs`, after a
// change of it. electron-builder makes the .ico and the .icns of them; it knows no tray, and no margins.
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { chromium } from '@playwright/test'
import { findBrowser } from '../test/helpers/find-browser.mjs'

const logo = readFileSync(new URL('../renderer/public/logo.svg', import.meta.url), 'utf8')
/** The sand alone: macOS takes the shape of a template image and colours it itself. */
const silhouette = logo.replace(/<rect[^>]*>/, '').replaceAll(/fill="[^"]*"/g, 'fill="#000"')

/** @param {string} name */
const path = (name) => fileURLToPath(new URL(`icons/${name}`, import.meta.url))

const executablePath = findBrowser({ playwrightPath: chromium.executablePath() })
const browser = await chromium.launch(executablePath ? { executablePath } : {})
const page = await browser.newPage()

/**
 * @param {string} svg
 * @param {number} size pixels
 * @param {number} [margin] share of the size left free on each side
 */
async function draw(svg, size, margin = 0) {
  await page.setViewportSize({ width: size, height: size })
  await page.setContent(
    `<style>body{margin:0}svg{display:block;width:${size}px;height:${size}px;padding:${size * margin}px;box-sizing:border-box}</style>${svg}`,
  )
  return page.screenshot({ omitBackground: true })
}

try {
  writeFileSync(path('icon.png'), await draw(logo, 512))
  for (const [suffix, size] of /** @type {const} */ ([
    ['', 16],
    ['@2x', 32],
  ])) {
    writeFileSync(path(`tray${suffix}.png`), await draw(logo, size))
    writeFileSync(path(`trayTemplate${suffix}.png`), await draw(silhouette, size))
  }
  // Apple's own icons leave a tenth free around their shape.
  writeFileSync(path('icon-mac.png'), await draw(logo, 1024, 0.1))
} finally {
  await browser.close()
}
