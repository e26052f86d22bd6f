import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { dark, declarations, light } from '../../../../server/contract/look.ts'
import { pagesStylesheet } from '../../../../server/hub/pages/styles.ts'

const renderer = new URL('../../../../renderer/', import.meta.url)
const read = (name: string) => readFileSync(new URL(name, renderer), 'utf8')
const names = (css: string, pattern: RegExp) => [...css.matchAll(pattern)].map(([, name]) => name)

test('both themes name the same colours', () => {
  expect(Object.keys(dark)).toEqual(Object.keys(light))
})

test('pages of the hub and the dashboard define no colour and no font', () => {
  const rules = pagesStylesheet.slice(pagesStylesheet.indexOf('* {'))
  for (const css of [rules, read('styles.css')]) {
    expect(css).not.toMatch(/#[0-9a-f]{3,8}\b|\brgba?\(|oklch\(|sans-serif|monospace/i)
  }
})

test('every colour and font that they use is defined', () => {
  const defined = new Set(names(declarations('light'), /--([\w-]+):/g))
  expect(names(pagesStylesheet, /var\(--([\w-]+)\)/g).filter((name) => !defined.has(name))).toEqual(
    [],
  )
})
