/** Colours of a drawing. */
export interface Palette {
  /** Background, also used as the rim of texts that cross a line. */
  ground: string
  line: string
  lane: string
  ink: string
  muted: string
  accent: string
  accentSoft: string
  bad: string
  badSoft: string
  warn: string
  warnSoft: string
  ok: string
}

/** Colours of the selected theme. A hovered row has its own background. */
export const themePalette: Palette = {
  ground: 'var(--ground, var(--surface))',
  line: 'var(--line)',
  lane: 'var(--line-strong)',
  ink: 'var(--ink)',
  muted: 'var(--muted)',
  accent: 'var(--accent)',
  accentSoft: 'var(--accent-soft)',
  bad: 'var(--bad)',
  badSoft: 'var(--bad-soft)',
  warn: 'var(--warn)',
  warnSoft: 'var(--warn-soft)',
  ok: 'var(--ok)',
}

/** Colours of the light theme in sRGB, which every program reads, for exported drawings. */
export const paperPalette: Palette = {
  ground: '#ffffff',
  line: '#dfdcd5',
  lane: '#979189',
  ink: '#24201a',
  muted: '#5a544d',
  accent: '#00637e',
  accentSoft: '#d3edf5',
  bad: '#ac2724',
  badSoft: '#ffe4e1',
  warn: '#854f04',
  warnSoft: '#fbe9c6',
  ok: '#126635',
}
