import { appHeading, consentDetails, type ConsentPage } from './consent-page.ts'
import { html } from '../../core/html.ts'
import { type PageSession, renderPage } from './layout.ts'

/** Renders the page on which the user enters the code of a device. */
export function renderDeviceCodePage(page: {
  nonce: string
  session: PageSession
  value?: string
  error?: string
}): string {
  return renderPage({
    title: 'Connect a device',
    session: page.session,
    body: html` <h1>Connect a device</h1>
      ${page.error !== undefined && html`<p class="notice bad" role="alert">${page.error}</p>`}
      <form method="post" action="/oauth/device/verify">
        <input type="hidden" name="nonce" value="${page.nonce}" />
        <label class="field" for="user_code">Code shown on your device</label>
        <input
          class="text code"
          id="user_code"
          name="user_code"
          value="${page.value}"
          placeholder="XXXX-XXXX"
          maxlength="16"
          autocomplete="off"
          autocapitalize="characters"
          spellcheck="false"
          required
          autofocus
        />
        <div class="actions"><button class="main">Continue</button></div>
      </form>`,
  })
}

/** Asks whether this device may sign in; never skipped, since the code may come from another person. */
export function renderDeviceConsentPage(
  page: Omit<ConsentPage, 'redirectUri' | 'action'> & { userCode: string },
): string {
  return renderPage({
    title: `Connect ${page.app.name}`,
    session: page.session,
    body: html` ${appHeading(page.app, html`Connect <bdi>${page.app.name}</bdi> on another device?`)}
      <p class="notice warn">
        <strong>Did you start this?</strong> Allow it only if your own device shows
        <span class="usercode">${page.userCode}</span>. If another person sent you the code, deny.
      </p>
      <form method="post" action="/oauth/device/verify">
        <input type="hidden" name="nonce" value="${page.nonce}" /><input
          type="hidden"
          name="user_code"
          value="${page.userCode}"
        />
        ${consentDetails(page)}
        <div class="actions">
          <button class="main" name="decision" value="approve">Allow</button>
          <button class="other" name="decision" value="deny">Deny</button>
        </div>
      </form>`,
  })
}

export function renderDeviceDonePage(page: {
  appName: string
  approved: boolean
  session: PageSession
}): string {
  return renderPage({
    title: page.approved ? 'Device connected' : 'Device denied',
    session: page.session,
    body: page.approved
      ? html`<div class="done" aria-hidden="true">✓</div>
          <h1>Device connected</h1>
          <p>
            <bdi>${page.appName}</bdi> is signed in. You can close this page and go back to your
            device.
          </p>`
      : html`<div class="done" aria-hidden="true">✕</div>
          <h1>Device denied</h1>
          <p><bdi>${page.appName}</bdi> was not allowed anything. You can close this page.</p>`,
  })
}
