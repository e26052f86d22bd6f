import { encodeText } from '../../core/encode-text.ts'
import { html } from '../../core/html.ts'

/** The box of sand, as the dashboard has it: renderer/public/logo.svg. */
export const logo = html`<svg
  xmlns="http://www.w3.org/2000/svg"
  viewBox="0 0 32 32"
  aria-hidden="true"
>
  <rect width="32" height="32" rx="8" fill="#12637d" />
  <circle cx="21.5" cy="10.5" r="3.5" fill="#f2d8a0" />
  <path
    d="M4 23c4.5 0 6.5-6 11-6s6.5 6 13 6v1.5a3.5 3.5 0 0 1-3.5 3.5h-17A3.5 3.5 0 0 1 4 24.5z"
    fill="#e8c27a"
  />
</svg>`

/** The same for the tab. */
export const logoAddress = `data:image/svg+xml,${encodeText(logo.text)}`
