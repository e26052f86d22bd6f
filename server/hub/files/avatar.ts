import { createHash } from 'node:crypto'

/**
 * Draws the default avatar of an account: two overlapping shapes on a gradient whose colours follow from the name, with
 * its first letter.
 * @returns an SVG document of 96 by 96, without scripts and references
 */
export function avatarSvg(name: string): string {
  const digest = createHash('sha256').update(name.toLowerCase()).digest()
  const part = (index: number, range: number) => ((digest[index] ?? 0) / 256) * range
  const hue = Math.round(part(0, 360))
  const partner = (hue + 35 + Math.round(part(1, 50))) % 360
  const x = Math.round(20 + part(2, 56))
  const y = Math.round(20 + part(3, 56))
  const radius = Math.round(28 + part(4, 20))
  const turn = Math.round(part(5, 360))
  // Letters and digits of any script are safe in XML; other characters become a dot.
  const initial = /[\p{L}\p{N}]/u.exec(name)?.[0].toUpperCase() ?? '·'
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 96 96" width="96" height="96">
<defs><linearGradient id="g" gradientTransform="rotate(${turn} .5 .5)">
<stop stop-color="hsl(${hue} 62% 52%)"/><stop offset="1" stop-color="hsl(${partner} 68% 38%)"/>
</linearGradient></defs>
<rect width="96" height="96" fill="url(#g)"/>
<circle cx="${x}" cy="${y}" r="${radius}" fill="hsl(${partner} 80% 72%)" opacity=".28"/>
<circle cx="${96 - x}" cy="${96 - y}" r="${Math.round(radius * 0.7)}" fill="hsl(${hue} 85% 80%)" opacity=".24"/>
<text x="48" y="50" fill="#fff" font-family="system-ui, sans-serif" font-size="44" font-weight="600" text-anchor="middle" dominant-baseline="central">${initial}</text>
</svg>
`
}
