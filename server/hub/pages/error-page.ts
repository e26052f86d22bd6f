import { html } from '../../core/html.ts'
import { type PageSession, renderPage } from './layout.ts'

export interface ErrorPage {
  title: string
  error: string
  description: string
  /** How to fix it: for the developer, whom this sandbox is for. */
  detail?: string
  /** Whether an app waits for a response and does not learn of the error. */
  keptFromApp?: boolean
  /** Path of the page that the user may open and submit again. */
  startOver?: string
  session?: PageSession | undefined
  /** Id of the refused request in the dashboard. */
  requestId?: string
}

/** Shown instead of a redirect where the client or its redirect URI cannot be trusted. */
export function renderErrorPage(page: ErrorPage): string {
  return renderPage({
    title: page.title,
    session: page.session,
    body: html` <h1>${page.title}</h1>
      <p class="notice bad" role="alert">${page.description}</p>
      <dl>
        <dt>Error</dt>
        <dd><code>${page.error}</code></dd>
        ${
          page.detail !== undefined &&
          html`<dt>Detail</dt>
            <dd>${page.detail}</dd>`
        }
      </dl>
      ${page.startOver !== undefined && html`<p><a href="${page.startOver}">Start over</a></p>`}
      ${
        page.requestId !== undefined &&
        html`<p class="soft">
          ${page.keptFromApp === true && 'Nothing was sent to the app. '}
          <a href="${`/_sandbox/requests/${page.requestId}`}">See the request in the dashboard</a>
        </p>`
      }`,
  })
}
