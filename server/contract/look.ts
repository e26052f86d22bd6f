// Colours and fonts of the dashboard (renderer/look.css, written by `npm run docs`) and of the hub's own pages: warm
// greys, one blue-green accent, and tones for success, waiting and failure.

export const light = {
  canvas: 'oklch(0.972 0.006 85)',
  surface: 'oklch(0.994 0.003 85)',
  sunken: 'oklch(0.952 0.008 85)',
  hover: 'oklch(0.938 0.009 85)',
  line: 'oklch(0.895 0.01 85)',
  'line-strong': 'oklch(0.66 0.014 80)',
  ink: 'oklch(0.245 0.012 70)',
  muted: 'oklch(0.45 0.014 75)',
  faint: 'oklch(0.5 0.014 78)',
  accent: 'oklch(0.46 0.095 222)',
  'accent-strong': 'oklch(0.4 0.09 222)',
  'on-accent': 'oklch(0.99 0.005 220)',
  'accent-soft': 'oklch(0.93 0.03 218)',
  ok: 'oklch(0.45 0.11 152)',
  'ok-soft': 'oklch(0.935 0.045 152)',
  veil: 'oklch(0.25 0.012 70 / 0.3)',
  bad: 'oklch(0.49 0.17 27)',
  'bad-soft': 'oklch(0.94 0.03 25)',
  warn: 'oklch(0.48 0.105 66)',
  'warn-soft': 'oklch(0.94 0.05 85)',
  shadow: '0 1px 2px oklch(0.3 0.02 70 / 0.06), 0 12px 32px oklch(0.3 0.02 70 / 0.14)',
} as const

type LookToken = keyof typeof light

export const dark: Readonly<Record<LookToken, string>> = {
  canvas: 'oklch(0.19 0.006 75)',
  surface: 'oklch(0.222 0.007 75)',
  sunken: 'oklch(0.168 0.006 75)',
  hover: 'oklch(0.262 0.008 75)',
  line: 'oklch(0.305 0.009 75)',
  'line-strong': 'oklch(0.55 0.012 75)',
  ink: 'oklch(0.925 0.008 85)',
  muted: 'oklch(0.745 0.012 82)',
  faint: 'oklch(0.7 0.012 82)',
  accent: 'oklch(0.78 0.095 215)',
  'accent-strong': 'oklch(0.85 0.08 213)',
  'on-accent': 'oklch(0.18 0.03 222)',
  'accent-soft': 'oklch(0.31 0.045 220)',
  ok: 'oklch(0.8 0.13 153)',
  'ok-soft': 'oklch(0.3 0.05 153)',
  veil: 'oklch(0 0 0 / 0.6)',
  bad: 'oklch(0.75 0.13 25)',
  'bad-soft': 'oklch(0.31 0.065 25)',
  warn: 'oklch(0.82 0.115 80)',
  'warn-soft': 'oklch(0.315 0.05 78)',
  shadow: '0 1px 2px oklch(0 0 0 / 0.3), 0 16px 40px oklch(0 0 0 / 0.5)',
}

const fonts = {
  sans: "system-ui, -apple-system, 'Segoe UI Variable Text', 'Segoe UI', 'Noto Sans', 'Liberation Sans', sans-serif",
  mono: "ui-monospace, 'SF Mono', 'Cascadia Code', 'JetBrains Mono', 'DejaVu Sans Mono', Menlo, Consolas, monospace",
} as const

/** Returns a theme as CSS declarations. */
export function declarations(scheme: 'light' | 'dark'): string {
  const tokens = scheme === 'light' ? { ...fonts, ...light } : dark
  const lines = Object.entries(tokens).map(([name, value]) => `--${name}: ${value};`)
  return [`color-scheme: ${scheme};`, ...lines].join('\n')
}
