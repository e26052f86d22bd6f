import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { disabledFeatures } from '../../helpers/browser-arguments.ts'

test('what Playwright switches off in Chromium stays off', () => {
  const { resolve } = createRequire(createRequire(import.meta.url).resolve('@playwright/test'))
  const bundle = readFileSync(
    join(dirname(resolve('playwright-core/package.json')), 'lib/coreBundle.js'),
    'utf8',
  )
  const [, list = ''] = /disabledFeatures = \[(.*?)\]/s.exec(bundle) ?? []
  const names = [...list.matchAll(/^ *"(\w+)"/gm)].map(([, name]) => name)
  expect(names).not.toEqual([])
  expect(disabledFeatures).toEqual(expect.arrayContaining(names))
})
