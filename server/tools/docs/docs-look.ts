import { declarations } from '../../contract/look.ts'

/** Renders the look as CSS for the dashboard, where a script selects the theme. */
export function renderLook(): string {
  return `/* Made from server/contract/look.ts by npm run docs. */
:root {
${declarations('light')}
}

[data-theme='dark'] {
${declarations('dark')}
}
`
}
