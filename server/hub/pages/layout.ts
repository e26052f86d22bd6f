import { loginAddress } from '../oauth/login-address.ts'
import { html, type Html } from '../../core/html.ts'
import { logo, logoAddress } from './logo.ts'

/** Path of the stylesheet, outside the hub's own paths. */
export const stylesheetPath = '/_sandbox/pages.css'

/** User who is signed in, as a page shows it. */
export interface PageSession {
  username: string
  /** Path to come back to as another user. */
  next: string
}

export interface PageContent {
  title: string
  body: Html
  /** Absent = no user is signed in. */
  session?: PageSession | undefined
}

/** A page of the emulated hub: works without JavaScript, in light and dark, from a phone's width up. */
export function renderPage({ title, body, session }: PageContent): string {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>${title} · hub-sandbox</title>
        <link rel="stylesheet" href="${stylesheetPath}" />
        <link rel="icon" href="${logoAddress}" />
      </head>
      <body>
        <header>
          <p class="brand">${logo} hub-sandbox</p>
          ${session !== undefined && account(session)}
        </header>
        <main>${body}</main>
        ${session !== undefined && signOutForm(session)}
        <footer>
          <p>A local sandbox. Nothing here is a real account.</p>
        </footer>
      </body>
    </html> `.text
}

const signOutId = 'sign-out'

function account({ username, next }: PageSession): Html {
  return html`<p class="account">
    <span>Signed in as <strong>${username}</strong></span>
    <span class="ways">
      <a href="${loginAddress(next)}">Use another account</a>
      <button form="${signOutId}">Sign out</button>
    </span>
  </p>`
}

/** Behind what the page is about, so that a page's own form is its first. */
function signOutForm({ next }: PageSession): Html {
  return html`<form id="${signOutId}" method="post" action="/logout">
    <input type="hidden" name="next" value="${next}" />
  </form>`
}
