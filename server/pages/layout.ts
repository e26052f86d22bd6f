import { html, type Html } from './html.ts'

/** Where the stylesheet of these pages is served; outside every address of the hub. */
export const stylesheetPath = '/_sandbox/pages.css'

export interface PageContent {
  title: string
  body: Html
}

/** A page of the emulated hub: works without JavaScript, in light and dark, from a phone's width up. */
export function renderPage({ title, body }: PageContent): string {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>${title} · hub-sandbox</title>
        <link rel="stylesheet" href="${stylesheetPath}" />
        <link rel="icon" href="data:," />
      </head>
      <body>
        <main>${body}</main>
        <footer>
          <p>
            <span class="mark" aria-hidden="true"></span>hub-sandbox: a local sandbox. Nothing here
            is a real account.
          </p>
        </footer>
      </body>
    </html> `.text
}
