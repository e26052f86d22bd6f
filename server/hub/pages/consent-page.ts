import { isScope, scopes } from '../../contract/scopes.ts'
import { html, type Html } from '../../core/html.ts'
import { type PageSession, renderPage } from './layout.ts'

export interface ConsentApp {
  name: string
  logoUrl: string
  /** Publisher of the app: the organization, or the host of a metadata document. */
  origin: string
  /** Pages that the app registered, as http or https URLs. */
  links: readonly AppLink[]
}

export interface AppLink {
  text: string
  url: string
}

export interface ConsentOrganization {
  id: string
  name: string
  fullname: string
  avatarUrl: string
  selected: boolean
  /** Why it cannot be ticked. */
  barred?: string
}

export interface ConsentPage {
  app: ConsentApp
  scopes: readonly string[]
  organizations: readonly ConsentOrganization[]
  /** Ties the form to this session and this request. */
  nonce: string
  /** Target of the form. */
  action: string
  /** Redirect target after the decision. */
  redirectUri?: string
  session: PageSession
}

/** The consent page of the authorization endpoint. */
export function renderConsentPage(page: ConsentPage): string {
  return renderPage({
    title: `Allow ${page.app.name}`,
    session: page.session,
    body: html` ${appHeading(page.app, html`Allow <bdi>${page.app.name}</bdi> to use your account?`)}
      <form method="post" action="${page.action}">
        <input type="hidden" name="nonce" value="${page.nonce}" />
        ${consentDetails(page)}
        <div class="actions">
          <button class="main" name="decision" value="approve">Allow</button>
          <button class="other" name="decision" value="deny">Deny</button>
        </div>
      </form>
      ${page.redirectUri !== undefined && html`<p class="soft">You go back to <code>${page.redirectUri}</code></p>`}`,
  })
}

export function appHeading(app: ConsentApp, title: Html): Html {
  return html`<div class="app">
      <img src="${app.logoUrl}" alt="" />
      <div>
        <h1>${title}</h1>
        <small><bdi>${app.origin}</bdi></small>
      </div>
    </div>
    ${
      app.links.length > 0 &&
      html`<ul class="plain links">
        ${app.links.map(appLink)}
      </ul>`
    }`
}

/** In a tab of its own, so that the sign-in stays where it is. */
function appLink({ text, url }: AppLink): Html {
  return html`<li>
    <a href="${url}" target="_blank" rel="noopener noreferrer"><bdi>${text}</bdi></a>
  </li>`
}

/** Renders the requested scopes in plain words, and the user's organizations to choose from. */
export function consentDetails({
  app,
  scopes: asked,
  organizations,
}: Pick<ConsentPage, 'app' | 'scopes' | 'organizations'>): Html {
  const reachesOrganizations = asked.some(
    (name) => isScope(name) && 'organizations' in scopes[name],
  )
  return html` <h2>It will be able to</h2>
    <ul class="plain scopes">
      ${asked.map(
        (name) =>
          html`<li>
            <span>${isScope(name) ? scopes[name].allows : name}</span><code>${name}</code>
          </li>`,
      )}
    </ul>
    ${
      organizations.length > 0 &&
      html` <h2 id="organizations">For which of your organizations?</h2>
        <p class="soft">
          ${
            reachesOrganizations
              ? html`<bdi>${app.name}</bdi> reaches the resources of those you tick, as far as your
                  role there goes.`
              : html`<bdi>${app.name}</bdi> sees your role and billing in those you tick.`
          }
        </p>
        <ul class="plain choices" aria-labelledby="organizations">
          ${organizations.map(organizationChoice)}
        </ul>`
    }`
}

function organizationChoice(organization: ConsentOrganization): Html {
  const { barred } = organization
  return html` <li>
    <label class="choice${barred !== undefined && ' barred'}"
      ><input
        type="checkbox"
        name="organization"
        value="${organization.id}"
        ${organization.selected && html` checked`}${barred !== undefined && html` disabled`}
      />
      <img src="${organization.avatarUrl}" alt="" /><span
        ><strong><bdi>${organization.fullname}</bdi></strong
        ><small>${barred ?? organization.name}</small></span
      ></label
    >
  </li>`
}
