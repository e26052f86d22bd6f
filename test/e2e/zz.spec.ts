import { test } from './desktop-fixtures.ts'
test('x', async ({ start }) => {
  const t0 = performance.now()
  const d = start({ args: ['--port','0'] })
  const page = await d.page()
  console.log('loaded', performance.now() - t0)
  const t = performance.now()
  d.app.quit()
  await d.app.exited
  console.log('quit', performance.now() - t)
  const e = start({ args: ['--port','0'] })
  const page2 = await e.page()
  await page2.goto('about:blank').catch(() => {})
  await new Promise(r => setTimeout(r, 500))
  const t2 = performance.now()
  e.app.quit()
  await e.app.exited
  console.log('quit without page', performance.now() - t2)
})
