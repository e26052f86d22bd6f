import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { html } from '../../../../server/core/html.ts'

describe('html', () => {
  test('escapes every value, wherever it is', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (value) => {
        const { text } = html`<a href="${value}">${value}</a>`
        const [, attribute, content] = /^<a href="([^"]*)">([^<]*)<\/a>$/s.exec(text)!
        expect(attribute).toBe(content)
        expect(attribute).not.toMatch(/[<>"']|&(?!(amp|lt|gt|quot|#39);)/)
      }),
    )
  })

  test('joins lists, keeps HTML, and leaves out undefined values', () => {
    const items = ['<', '&'].map((item) => html`<li>${item}</li>`)
    expect(html`${items}${undefined}${false}${0}`.text).toBe('<li>&lt;</li><li>&amp;</li>0')
  })
})
