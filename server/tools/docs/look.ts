import { declarations } from '../../contract/look.ts'

/** The look as the dashboard imports it: the theme is chosen there, and follows the system by its own script. */
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
