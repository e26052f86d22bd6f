import { readFileSync } from 'node:fs'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { fonts, type Measure } from '../../../renderer/features/sign-ins/detail/diagram/measure.ts'
import {
  paperPalette,
  themePalette,
} from '../../../renderer/features/sign-ins/detail/diagram/palette.ts'
import { PrintedDrawing } from '../../../renderer/features/sign-ins/detail/diagram/printed-drawing.tsx'
import { everyStep, makeFlow } from './sample-flows.ts'

const styles = readFileSync(new URL('../../../renderer/look.css', import.meta.url), 'utf8')
const light = styles.slice(0, styles.indexOf("[data-theme='dark']"))

const measure: Measure = (text, font) => text.length * fonts[font].size * 0.6

/** Red, green and blue of `#rrggbb`, from 0 to 255. */
const channelsOf = (color: string) =>
  [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16))

/** An OKLCH colour in sRGB (CSS Color 4 §10.8), rounded and cut to what a screen can show. */
function toChannels(lightness: number, chroma: number, hue: number): number[] {
  const a = chroma * Math.cos((hue * Math.PI) / 180)
  const b = chroma * Math.sin((hue * Math.PI) / 180)
  const [l = 0, m = 0, s = 0] = [
    lightness + 0.3963377774 * a + 0.2158037573 * b,
    lightness - 0.1055613458 * a - 0.0638541728 * b,
    lightness - 0.0894841775 * a - 1.291485548 * b,
  ].map((root) => root ** 3)
  return [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ].map((linear) => {
    const cut = Math.max(0, Math.min(1, linear))
    return Math.round(255 * (cut <= 0.0031308 ? 12.92 * cut : 1.055 * cut ** (1 / 2.4) - 0.055))
  })
}

const names = Object.keys(paperPalette).filter((name) => name !== 'ground') as Exclude<
  keyof typeof paperPalette,
  'ground'
>[]

test.each(names)('%s on paper is that of the light theme', (name) => {
  const variable = /var\((--[\w-]+)\)/.exec(themePalette[name])?.[1]
  const value = new RegExp(`${variable}: oklch\\(([^)]+)\\)`).exec(light)?.[1] ?? ''
  const [lightness = 0, chroma = 0, hue = 0] = value.split(' ').map(Number)
  const themed = toChannels(lightness, chroma, hue)
  for (const [index, channel] of channelsOf(paperPalette[name]).entries()) {
    expect(Math.abs(channel - (themed[index] ?? 0))).toBeLessThanOrEqual(2)
  }
})

test('a printed drawing says all in itself: no style, no script, no address, nothing that runs', () => {
  const svg = renderToStaticMarkup(<PrintedDrawing flow={makeFlow(everyStep)} measure={measure} />)
  expect(svg).not.toMatch(/var\(| style=|<script|href|url\(/)
  for (const { name } of everyStep) expect(svg).toContain(name)
  expect(svg).toContain('The log was capped')
})

test('names are text in it', () => {
  const hostile = '</text><script>alert(1)</script>"\u0000\u202E'
  const flow = makeFlow(everyStep, {
    app: { clientId: 'c', name: hostile },
    actors: [
      { actor: 'browser', name: 'Browser' },
      { actor: 'app', name: hostile },
      { actor: 'hub', name: 'Hub' },
    ],
  })
  const svg = renderToStaticMarkup(<PrintedDrawing flow={flow} measure={measure} />)
  expect(svg).not.toContain('<script')
  // What XML cannot hold, and what turns writing around.
  // oxlint-disable-next-line no-control-regex
  expect(svg).not.toMatch(/[\u0000-\u0008\u202A-\u202E]/)
})
