import type { Locator } from '@playwright/test'
import { readQr } from '../../helpers/read-qr.ts'

/** Reads the modules that the page has drawn. */
export async function readDrawnQr(svg: Locator): Promise<string | undefined> {
  const size = Number((await svg.getAttribute('viewBox'))?.split(' ')[2])
  const path = (await svg.locator('path').getAttribute('d')) ?? ''
  const dark = new Set(path.match(/M\d+ \d+/g))
  return readQr(size, (row, column) => dark.has(`M${column} ${row}`))
}
